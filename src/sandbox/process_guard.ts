/**
 * Makes the process safe to share with foreign code: its console, its stdout,
 * its `process.exit` and its `process.env` are replaced, once, before the first
 * plugin is imported.
 *
 * @module
 */

import process from "node:process";
import { RefraktError } from "../errors.ts";
import { currentCall, ExitRequest, settleExit } from "./call.ts";
import { exitProcess, isStdioReserved, writeStderr } from "../io/pipes.ts";
import { RealWorker } from "./originals.ts";
import { replaceConsole, replaceStreams } from "./standard_streams.ts";

let guarded = false;

/** Replaces what foreign code may touch. Calling it again changes nothing. */
export function guardProcess(): void {
  if (guarded) return;
  guarded = true;
  replaceEnvironment();
  replaceConsole();
  replaceStreams();
  replaceExit();
  refuseSignals();
  ignoreErrorHandlers();
  Object.defineProperty(globalThis, "Worker", {
    value: guardedWorker(RealWorker),
    configurable: true,
    writable: true,
  });
  keepStanding();
}

/**
 * A plugin's dependencies read variables while they load, and Deno would throw at
 * each. What a plugin sets is seen by plugins alone; an embedding program that may
 * read and change its environment does so outside calls.
 */
function replaceEnvironment(): void {
  const own: Record<string, string> = {};
  const isGranted = (variable?: string) =>
    Deno.permissions.querySync({ name: "env", ...(variable === undefined ? {} : { variable }) })
      .state === "granted";
  const isHost = (variable?: string) => currentCall() === undefined && isGranted(variable);
  const read = (name: string): string | undefined => {
    if (Object.hasOwn(own, name) && !isHost(name)) return own[name];
    return isGranted(name) ? Deno.env.get(name) : undefined;
  };
  const environment = new Proxy(own, {
    get: (_target, name) => typeof name === "string" ? read(name) : undefined,
    has: (_target, name) => typeof name === "string" && read(name) !== undefined,
    set: (target, name, value) => {
      if (typeof name !== "string") return true;
      if (isHost(name)) Deno.env.set(name, String(value));
      else target[name] = String(value);
      return true;
    },
    deleteProperty: (target, name) => {
      if (typeof name !== "string") return true;
      if (isHost(name)) Deno.env.delete(name);
      return delete target[name];
    },
    ownKeys: (target) => isHost() ? Object.keys(Deno.env.toObject()) : Reflect.ownKeys(target),
    getOwnPropertyDescriptor: (_target, name) => {
      const value = typeof name === "string" ? read(name) : undefined;
      return value === undefined
        ? undefined
        : { value, writable: true, enumerable: true, configurable: true };
    },
  });
  Object.defineProperty(process, "env", {
    configurable: true,
    enumerable: true,
    get: () => environment,
    set: () => {},
  });
}

function replaceExit(): void {
  const exit = (code?: number | string | null): never => {
    const call = currentCall();
    if (call === undefined && !isStdioReserved()) exitProcess(Number(code ?? 0) || 0);
    const wanted = Number(code ?? call?.exitCode ?? 0) || 0;
    if (call !== undefined) call.exitCode ??= wanted;
    throw new ExitRequest(call?.exitCode ?? wanted, call);
  };
  const target = process as unknown as Record<string, unknown>;
  for (const name of ["exit", "reallyExit", "abort"]) {
    target[name] = name === "abort" ? () => exit(134) : exit;
  }
  Object.defineProperty(Deno, "exit", { value: exit, configurable: true, writable: true });
  Object.defineProperty(globalThis, "close", { value: () => exit(0), configurable: true });
}

/** Plugins may not send signals: they could kill the server. */
function refuseSignals(): void {
  const kill = process.kill.bind(process);
  const value = (pid: number, signal?: string | number): true => {
    refuse("send signals");
    return kill(pid, signal as never) as true;
  };
  Object.defineProperty(process, "kill", { value, configurable: true });
  Object.defineProperty(Deno, "kill", { value, configurable: true });
}

/** A handler of a plugin for errors that nobody caught would decide for the whole server. */
function ignoreErrorHandlers(): void {
  const target = process as unknown as Record<string, (...args: unknown[]) => unknown>;
  const events = ["uncaughtException", "uncaughtExceptionMonitor", "unhandledRejection"];
  const isForeign = () => currentCall() !== undefined || isStdioReserved();
  for (
    const name of ["on", "addListener", "once", "prependListener", "prependOnceListener"]
  ) {
    const add = target[name]!;
    Object.defineProperty(process, name, {
      value: (event: unknown, ...rest: unknown[]) =>
        events.includes(String(event)) && isForeign() ? process : add.call(process, event, ...rest),
      configurable: true,
      writable: true,
    });
  }
  const capture = target["setUncaughtExceptionCaptureCallback"];
  if (capture === undefined) return;
  target["setUncaughtExceptionCaptureCallback"] = (...args) =>
    isForeign() ? undefined : capture.call(process, ...args);
}

/** A worker has a console and streams of its own, which no call owns. */
export function guardedWorker<Class extends new (...args: never[]) => object>(Real: Class): Class {
  return new Proxy(Real, {
    construct(target, args, newTarget) {
      refuse("start workers");
      return Reflect.construct(target, args, newTarget);
    },
  });
}

/** Refuses plugins what an embedding program may do outside calls. */
export function refuse(what: string): void {
  if (currentCall() === undefined && !isStdioReserved()) return;
  throw new RefraktError("PERMISSION_DENIED", `The sandbox does not let plugins ${what}`, {
    hint: "The command has to do its work in this process.",
  });
}

/** An error in a plugin's timer or forgotten promise must not end the server. */
function keepStanding(): void {
  const survive = (error: unknown, event: Event, what: string) => {
    event.preventDefault();
    if (error instanceof ExitRequest && settleExit(error)) return;
    const text = error instanceof Error ? error.stack ?? error.message : String(error);
    writeStderr(`${what}: ${text}\n`);
  };
  globalThis.addEventListener("unhandledrejection", (event) => {
    survive(event.reason, event, "Unhandled rejection in a plugin");
  });
  globalThis.addEventListener("error", (event) => {
    survive(event.error, event, "Uncaught error in a plugin");
  });
}
