/** Replaces output, exit and environment of the process for packages. */

import { Buffer } from "node:buffer";
import { Console } from "node:console";
import process, * as exported from "node:process";
import { Readable, Writable } from "node:stream";
import { messageOf, saidBy } from "../errors.ts";
import { exitProcess, isStdioReserved, writeStderr, writeStdout } from "../io/pipes.ts";
import { withEscapes } from "../plain_text.ts";
import { readVariable } from "../io/permissions.ts";
import { appendOutput, currentCall, ExitRequest, owningCall } from "./stand_in_call.ts";
import { isOwnProcess } from "./replaced_modules.ts";

type Stream = "stdout" | "stderr";

/**
 * Replaces environment, console, streams and exits.
 *
 * @returns `node:process` for packages.
 */
export function guardProcess(): Record<string, unknown> {
  replaceEnvironment();
  replaceConsole();
  replaceStreams();
  replaceExit();
  handleLateErrors();
  return { ...exported, exit: process.exit, abort: process.abort, default: process };
}

/** Whether code belongs to a call, or runs in a server whose streams belong to the protocol. */
function isGuarded(): boolean {
  return owningCall() !== undefined || isStdioReserved();
}

/**
 * Packages read variables while they load, which throws without the permission. Gives them an empty
 * environment; what they set, only packages see. A program with full access keeps the real one.
 */
function replaceEnvironment(): void {
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") return;
  const value = new Proxy<Record<string, string>>({}, {
    get: (variables, name) =>
      typeof name === "string" ? variables[name] ?? readVariable(name) : undefined,
    set: (variables, name, newValue) => Reflect.set(variables, name, String(newValue)),
  });
  Object.defineProperty(process, "env", { value, configurable: true, enumerable: true });
}

/** Writes to the running call's buffer, or to the real stream outside a call. */
function emit(stream: Stream, text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !isStdioReserved()) writeStdout(withEscapes(text));
  else writeStderr(withEscapes(text));
}

/** Deno's console bypasses `process.stdout`; in calls, use the methods of Node's console. */
function replaceConsole(): void {
  const nodeConsole = new Console({ stdout: streamFor("stdout"), stderr: streamFor("stderr") });
  for (const [name, print] of Object.entries(nodeConsole)) {
    const original: unknown = Reflect.get(globalThis.console, name);
    if (typeof print !== "function" || typeof original !== "function") continue;
    const value = (...values: unknown[]) => (isGuarded() ? print : original)(...values);
    Object.defineProperty(globalThis.console, name, { value, configurable: true, writable: true });
  }
}

/** A stream that never ends and writes synchronously, so that output before an exit is captured. */
function streamFor(name: Stream): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      emit(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      done();
    },
  });
  return Object.assign(stream, {
    end: (...args: unknown[]) => {
      if (typeof args[0] === "string" || args[0] instanceof Uint8Array) stream.write(args[0]);
      return stream;
    },
    destroy: () => stream,
    fd: name === "stdout" ? 1 : 2,
    isTTY: false,
  });
}

/** Packages print to the call and read an empty stdin, because the real one is the client's. */
function replaceStreams(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const real = process[name];
    const standIn = streamFor(name);
    Object.defineProperty(process, name, {
      configurable: true,
      get: () => isGuarded() ? standIn : real,
    });
  }
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
  const empty = () => Object.assign(Readable.from([]), { fd: 0, isTTY: false });
  Object.defineProperty(process, "stdin", {
    configurable: true,
    get: () => isGuarded() ? empty() : stdin?.get?.call(process) ?? stdin?.value,
  });
}

/** An exit ends the call; outside of calls, only an embedding program may end the process. */
function replaceExit(): void {
  const exit = (code?: number | string | null): never => {
    if (!isGuarded()) exitProcess(Number(code ?? 0) || 0);
    const call = currentCall();
    const request = new ExitRequest(Number(code ?? 0) || 0);
    if (call !== undefined) {
      call.exitCode ??= request.exitCode;
      call.stop(request);
    }
    throw request;
  };
  const target = process as unknown as Record<string, unknown>;
  target["exit"] = target["reallyExit"] = exit;
  target["abort"] = () => exit(134);
  Object.defineProperty(Deno, "exit", { value: exit, configurable: true, writable: true });
  Object.defineProperty(globalThis, "close", { value: () => exit(0), configurable: true });
}

/**
 * Handles what is thrown or rejected outside of any call that waits for it, such as in a timer. It ends
 * no server; a program that embeds one handles such errors itself.
 */
function handleLateErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    handle(event.reason, event, "Unhandled rejection");
  });
  globalThis.addEventListener("error", (event) => {
    handle(event.error, event, "Uncaught error");
  });
}

function handle(error: unknown, event: Event, kind: string): void {
  const isExit = error instanceof ExitRequest;
  if (!isExit && !isOwnProcess()) return;
  event.preventDefault();
  if (!isExit) writeStderr(`${kind}: ${withEscapes(stackOf(error))}\n`);
}

function stackOf(error: unknown): string {
  const said = saidBy(error);
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return stack.includes(said) ? stack.replace(said, () => messageOf(error)) : messageOf(error);
}
