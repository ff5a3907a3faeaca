/**
 * Makes the process safe to share with foreign code: its console, its stdout,
 * its `process.exit` and its `process.env` are replaced, once, before the first
 * plugin is imported.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Writable } from "node:stream";
import { format } from "node:util";
import { appendOutput, currentCall, ExitRequest, settleExit } from "./call.ts";

const encoder = new TextEncoder();

/** Writes a line to the real stderr. It never throws: a closed pipe is not worth dying for. */
export function writeStderr(text: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(text));
  } catch {
    // Nobody listens.
  }
}

const stdoutWriteSync = Deno.stdout.writeSync.bind(Deno.stdout);

/** Writes text to the real stdout, for the one-shot commands. */
export function writeStdout(text: string): void {
  const bytes = encoder.encode(text);
  let offset = 0;
  while (offset < bytes.length) offset += stdoutWriteSync(bytes.subarray(offset));
}

/** Ends the process for real. */
export const exitProcess: (code: number) => never = Deno.exit.bind(Deno);

/**
 * The real stdout as a stream, for the transport alone. Writes are synchronous
 * and complete, because a client may stop reading between two of them.
 */
export function realStdout(): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      writeAll(chunk).then(() => done(), done);
    },
  });
}

const stdoutWrite = Deno.stdout.write.bind(Deno.stdout);

async function writeAll(bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) offset += await stdoutWrite(bytes.subarray(offset));
}

let guarded = false;
let stdoutReserved = false;

/**
 * Keeps stdout for the protocol: from now on, what anybody prints outside a call
 * goes to stderr. A program that embeds the library keeps its own stdout.
 */
export function reserveStdout(): void {
  stdoutReserved = true;
}

/** Replaces what foreign code may touch. Calling it again changes nothing. */
export function guardProcess(): void {
  if (guarded) return;
  guarded = true;
  replaceEnvironment();
  replaceConsole();
  replaceStreams();
  replaceExit();
  keepStanding();
}

/** A plugin's dependencies read variables while they load, and Deno would throw at each. */
function replaceEnvironment(): void {
  const own: Record<string, string> = {};
  const isGranted = (variable: string) =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted";
  const read = (name: string): string | undefined => {
    if (Object.hasOwn(own, name)) return own[name];
    return isGranted(name) ? Deno.env.get(name) : undefined;
  };
  const environment = new Proxy(own, {
    get: (_target, name) => typeof name === "string" ? read(name) : undefined,
    has: (_target, name) => typeof name === "string" && read(name) !== undefined,
    set: (target, name, value) => {
      if (typeof name !== "string") return true;
      // An embedding program that may change its environment does so outside calls.
      if (currentCall() === undefined && isGranted(name)) Deno.env.set(name, String(value));
      else target[name] = String(value);
      return true;
    },
    deleteProperty: (target, name) => typeof name !== "string" || delete target[name],
  });
  Object.defineProperty(process, "env", {
    configurable: true,
    enumerable: true,
    get: () => environment,
    set: () => {},
  });
}

function emit(stream: "stdout" | "stderr", text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !stdoutReserved) writeStdout(text);
  else writeStderr(text);
}

/** Deno's console does not go through `process.stdout`, so both are replaced. */
function replaceConsole(): void {
  const print = (stream: "stdout" | "stderr") => (...values: unknown[]) =>
    emit(stream, `${format(...values)}\n`);
  const methods: Record<string, (...values: unknown[]) => void> = {
    log: print("stdout"),
    info: print("stdout"),
    dir: (value) => emit("stdout", `${format(value)}\n`),
    table: (value) => emit("stdout", `${format(value)}\n`),
    group: print("stdout"),
    groupCollapsed: print("stdout"),
    debug: print("stderr"),
    warn: print("stderr"),
    error: print("stderr"),
    trace: print("stderr"),
    timeLog: print("stderr"),
    timeEnd: print("stderr"),
    assert: (condition, ...rest) => {
      if (!condition) emit("stderr", `Assertion failed: ${format(...rest)}\n`);
    },
    clear: () => {},
    count: print("stderr"),
  };
  Object.assign(globalThis.console, methods);
}

function replaceStreams(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const write = (
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | ((error?: Error | null) => void),
      done?: (error?: Error | null) => void,
    ): boolean => {
      emit(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const callback = typeof encoding === "function" ? encoding : done;
      if (callback !== undefined) queueMicrotask(() => callback());
      return true;
    };
    const stream = process[name] as unknown as Record<string, unknown>;
    stream["write"] = write;
    stream["end"] = () => {};
    stream["_write"] = (chunk: string | Uint8Array, _encoding: unknown, done: () => void) => {
      write(chunk);
      done();
    };
  }
  // The web-facing handles lead to the same pipes.
  for (const name of ["stdout", "stderr"] as const) {
    const sink = (bytes: Uint8Array): number => {
      emit(name, new TextDecoder().decode(bytes));
      return bytes.length;
    };
    if (name === "stdout") {
      Object.defineProperties(Deno.stdout, {
        write: { value: (bytes: Uint8Array) => Promise.resolve(sink(bytes)), configurable: true },
        writeSync: { value: sink, configurable: true },
      });
    }
  }
}

function replaceExit(): void {
  const exit = (code?: number | string | null): never => {
    const call = currentCall();
    if (call === undefined && !stdoutReserved) exitProcess(Number(code ?? 0) || 0);
    const wanted = Number(code ?? call?.exitCode ?? 0) || 0;
    if (call !== undefined) call.exitCode ??= wanted;
    throw new ExitRequest(call?.exitCode ?? wanted, call);
  };
  const target = process as unknown as Record<string, unknown>;
  for (const name of ["exit", "reallyExit", "abort"]) {
    target[name] = name === "abort" ? () => exit(134) : exit;
  }
  Object.defineProperty(Deno, "exit", { value: exit, configurable: true, writable: true });
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
