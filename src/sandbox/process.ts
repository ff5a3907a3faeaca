/**
 * Gives packages output, an exit and an environment of their own, in place of the process's.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { format } from "node:util";
import { exitProcess, isStdioReserved, writeStderr, writeStdout } from "../io/pipes.ts";
import { readVariable } from "../io/permissions.ts";
import { appendOutput, currentCall, ExitRequest, settleExit } from "./call.ts";

type Stream = "stdout" | "stderr";

/** Replaces the environment, the console, the streams and the exits of the process. */
export function guardProcess(): void {
  replaceEnvironment();
  replaceConsole();
  replaceStreams();
  replaceExit();
  surviveErrors();
}

/** Whether code belongs to a call, or to a server whose streams are the protocol's. */
function isGuarded(): boolean {
  return currentCall() !== undefined || isStdioReserved();
}

/**
 * Packages read variables while they load, and without the permission Deno throws at each. What
 * they set is seen by packages alone. A program that may read its whole environment keeps it.
 */
function replaceEnvironment(): void {
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") return;
  const value = new Proxy<Record<string, string>>({}, {
    get: (own, name) => typeof name === "string" ? own[name] ?? readVariable(name) : undefined,
    set: (own, name, given) => Reflect.set(own, name, String(given)),
  });
  Object.defineProperty(process, "env", { value, configurable: true, enumerable: true });
}

/** Writes to the running call's buffer, or to the real stream outside a call. */
function emit(stream: Stream, text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !isStdioReserved()) writeStdout(text);
  else writeStderr(text);
}

/** Deno's console does not write to `process.stdout`, so it is replaced by itself. */
function replaceConsole(): void {
  const methods: Readonly<Record<Stream, readonly string[]>> = {
    stdout: ["log", "info", "dir", "dirxml", "table", "group", "groupCollapsed"],
    stderr: ["debug", "warn", "error", "trace", "timeLog", "timeEnd", "count"],
  };
  const target = globalThis.console as unknown as Record<string, (...values: unknown[]) => void>;
  const replace = (name: string, print: (...values: unknown[]) => void) => {
    const original = target[name];
    target[name] = (...values) => isGuarded() ? print(...values) : original?.(...values);
  };
  for (const stream of ["stdout", "stderr"] as const) {
    for (const name of methods[stream]) {
      replace(name, (...values) => emit(stream, `${format(...values)}\n`));
    }
  }
  replace("assert", (condition, ...rest) => {
    if (!condition) emit("stderr", `Assertion failed: ${format(...rest)}\n`);
  });
  for (const name of ["clear", "groupEnd", "timeStamp"]) replace(name, () => {});
}

/** Packages print to the call, and their input has ended: the real one is the client's. */
function replaceStreams(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const real = process[name];
    const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      emit(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
    // It is never ended, and writes at once: what is printed before an exit belongs to the call.
    const standIn = Object.assign(new Writable(), {
      write,
      end: (...args: unknown[]) => {
        if (typeof args[0] === "string" || args[0] instanceof Uint8Array) write(args[0]);
      },
      destroy: () => standIn,
      fd: name === "stdout" ? 1 : 2,
      isTTY: false,
    });
    Object.defineProperty(process, name, {
      configurable: true,
      get: () => isGuarded() ? standIn : real,
    });
  }
  const own = Object.getOwnPropertyDescriptor(process, "stdin");
  const empty = () => Object.assign(Readable.from([]), { fd: 0, isTTY: false });
  Object.defineProperty(process, "stdin", {
    configurable: true,
    get: () => isGuarded() ? empty() : own?.get?.call(process) ?? own?.value,
  });
}

/** An exit ends the call, and the process only where a program that embeds the server asks for it. */
function replaceExit(): void {
  const exit = (code?: number | string | null): never => {
    if (!isGuarded()) exitProcess(Number(code ?? 0) || 0);
    const call = currentCall();
    const wanted = Number(code ?? call?.exitCode ?? 0) || 0;
    if (call !== undefined) call.exitCode ??= wanted;
    throw new ExitRequest(call?.exitCode ?? wanted, call);
  };
  const target = process as unknown as Record<string, unknown>;
  target["exit"] = target["reallyExit"] = exit;
  target["abort"] = () => exit(134);
  Object.defineProperty(Deno, "exit", { value: exit, configurable: true, writable: true });
  Object.defineProperty(globalThis, "close", { value: () => exit(0), configurable: true });
}

/** An error in a package's timer or forgotten promise must not end the server. */
function surviveErrors(): void {
  const survive = (error: unknown, event: Event, what: string) => {
    event.preventDefault();
    if (error instanceof ExitRequest && settleExit(error)) return;
    const text = error instanceof Error ? error.stack ?? error.message : String(error);
    writeStderr(`${what}: ${text}\n`);
  };
  globalThis.addEventListener("unhandledrejection", (event) => {
    survive(event.reason, event, "Unhandled rejection in a package");
  });
  globalThis.addEventListener("error", (event) => {
    survive(event.error, event, "Uncaught error in a package");
  });
}
