/**
 * What foreign code gets in the place of the process's three streams. What a call
 * prints is kept with the call; its input is empty, because the real one belongs
 * to the client.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { format } from "node:util";
import { appendOutput, currentCall } from "./call.ts";
import { isStdioReserved, writeStderr, writeStdout } from "../io/pipes.ts";

/** Writes to the running call's buffer, or to the real stream outside a call. */
export function emit(stream: "stdout" | "stderr", text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !isStdioReserved()) writeStdout(text);
  else writeStderr(text);
}

/**
 * Deno's console does not go through `process.stdout`, so both are replaced. What
 * an embedding program prints outside calls goes the way that it always went.
 */
export function replaceConsole(): void {
  const print = (stream: "stdout" | "stderr") => (...values: unknown[]) =>
    emit(stream, `${format(...values)}\n`);
  const printOne = (value: unknown) => emit("stdout", `${format(value)}\n`);
  const stdout = ["log", "info", "dirxml", "group", "groupCollapsed"];
  const stderr = ["debug", "warn", "error", "trace", "timeLog", "timeEnd", "count"];
  const silent = ["clear", "countReset", "groupEnd", "time", "timeStamp", "profile", "profileEnd"];
  const guarded: Record<string, (...values: unknown[]) => void> = {
    ...Object.fromEntries(stdout.map((name) => [name, print("stdout")])),
    ...Object.fromEntries(stderr.map((name) => [name, print("stderr")])),
    ...Object.fromEntries(silent.map((name) => [name, () => {}])),
    dir: printOne,
    table: printOne,
    assert: (condition: unknown, ...rest: unknown[]) => {
      if (!condition) emit("stderr", `Assertion failed: ${format(...rest)}\n`);
    },
  };
  const target = globalThis.console as unknown as typeof guarded;
  for (const [name, method] of Object.entries(guarded)) {
    const original = target[name];
    target[name] = (...values) => {
      if (original !== undefined && !isStdioReserved() && currentCall() === undefined) {
        original(...values);
      } else method(...values);
    };
  }
}

/** Replaces what leads to the pipes: Node's streams, and Deno's. */
export function replaceStreams(): void {
  replaceInput();
  for (const name of ["stdout", "stderr"] as const) replaceOutput(name);
}

/**
 * Replaces an output stream. Where it is the protocol's, plugins get another object in
 * its place, so that no method of its class writes to the real one; an embedding
 * program keeps its own object, which prints for the running call.
 */
function replaceOutput(name: "stdout" | "stderr"): void {
  const sink = (bytes: Uint8Array): number => {
    emit(name, new TextDecoder().decode(bytes));
    return bytes.length;
  };
  const real = process[name];
  const methods = outputMethods(name);
  const standIn = Object.assign(
    new Writable({
      decodeStrings: true,
      write(chunk: Uint8Array, _encoding, done) {
        sink(chunk);
        done();
      },
    }),
    methods,
    { fd: name === "stdout" ? 1 : 2, isTTY: false },
  );
  Object.assign(real, methods);
  Object.defineProperty(process, name, {
    configurable: true,
    get: () => isStdioReserved() ? standIn : real,
  });
  const denoStream = Deno[name];
  const writers = {
    write: (bytes: Uint8Array) => Promise.resolve(sink(bytes)),
    writeSync: sink,
    close: () => {},
  };
  const writable = () => new WritableStream<Uint8Array>({ write: (bytes) => void sink(bytes) });
  if (name === "stdout") {
    for (const [method, value] of Object.entries(writers)) {
      Object.defineProperty(denoStream, method, { value, configurable: true });
    }
    Object.defineProperty(denoStream, "writable", { get: writable, configurable: true });
  }
  const denoStandIn = {
    ...writers,
    isTerminal: () => false,
    get writable() {
      return writable();
    },
  };
  Object.defineProperty(Deno, name, {
    configurable: true,
    get: () => isStdioReserved() ? denoStandIn : denoStream,
  });
}

/** The methods of a Node stream, writing to the running call. */
function outputMethods(name: "stdout" | "stderr"): Record<string, unknown> {
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
  function end<Stream>(this: Stream, ...args: unknown[]): Stream {
    const [chunk] = args;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) write(chunk);
    const callback = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
    if (callback !== undefined) queueMicrotask(callback);
    return this;
  }
  return {
    write,
    end,
    // Plugins may neither close nor end the stream.
    destroy<Stream>(this: Stream): Stream {
      return this;
    },
    destroySoon: () => {},
    _write: (chunk: string | Uint8Array, _encoding: unknown, done: () => void) => {
      write(chunk);
      done();
    },
  };
}

/** Where the input is the client's, it looks like one that has ended. */
function replaceInput(): void {
  const own = Object.getOwnPropertyDescriptor(process, "stdin");
  const real = (): unknown => own?.get === undefined ? own?.value : own.get.call(process);
  let empty: Readable | undefined;
  Object.defineProperty(process, "stdin", {
    configurable: true,
    get: () => isStdioReserved() ? empty ??= emptyInput() : real(),
  });
  const { stdin } = Deno;
  Object.defineProperty(Deno, "stdin", {
    configurable: true,
    get: () => isStdioReserved() ? EMPTY_STDIN : stdin,
  });
}

function emptyInput(): Readable {
  return Object.assign(Readable.from([]), { fd: 0, isTTY: false, setRawMode: () => {} });
}

/** Deno's own handle of an input that has ended. */
const EMPTY_STDIN = {
  read: () => Promise.resolve(null),
  readSync: () => null,
  close: () => {},
  isTerminal: () => false,
  setRaw: () => {},
  get readable() {
    return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  },
};
