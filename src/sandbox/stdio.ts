/**
 * The process's three streams: the real ones for the server alone, and what
 * foreign code gets in their place. What a call prints is kept with the call; its
 * input is empty, because the real one belongs to the client.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { format } from "node:util";
import { appendOutput, currentCall } from "./call.ts";

const encoder = new TextEncoder();
const stdoutWrite = Deno.stdout.write.bind(Deno.stdout);
const stdoutWriteSync = Deno.stdout.writeSync.bind(Deno.stdout);
let reserved = false;

/** Writes a line to the real stderr. It never throws: a closed pipe is not worth dying for. */
export function writeStderr(text: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(text));
  } catch {
    // Nobody listens.
  }
}

/** Writes text to the real stdout, for the one-shot commands. */
export function writeStdout(text: string): void {
  const bytes = encoder.encode(text);
  let offset = 0;
  while (offset < bytes.length) offset += stdoutWriteSync(bytes.subarray(offset));
}

/** The real stdout as a stream, for the transport alone. A write is complete when it is done. */
export function realStdout(): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      writeAll(chunk).then(() => done(), done);
    },
  });
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) offset += await stdoutWrite(bytes.subarray(offset));
}

/**
 * Keeps stdin and stdout for the protocol: from now on, what anybody prints
 * outside a call goes to stderr, and nobody else reads the client's messages. A
 * program that embeds the library keeps its own streams.
 *
 * @returns The real stdin.
 */
export function reserveStdio(): Readable {
  const stdin = process.stdin as unknown as Readable;
  if (reserved) return stdin;
  reserved = true;
  const empty = emptyInput();
  Object.defineProperty(process, "stdin", { configurable: true, get: () => empty });
  Object.defineProperty(Deno, "stdin", { configurable: true, value: EMPTY_STDIN });
  return stdin;
}

/** Whether the streams are the protocol's. */
export function isStdioReserved(): boolean {
  return reserved;
}

/** Prints for whoever asks: into the running call, else where people look. */
export function emit(stream: "stdout" | "stderr", text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !reserved) writeStdout(text);
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
      if (original !== undefined && !reserved && currentCall() === undefined) original(...values);
      else method(...values);
    };
  }
}

/** Replaces what leads to the pipes: Node's streams, and Deno's. */
export function replaceStreams(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const sink = (bytes: Uint8Array): number => {
      emit(name, new TextDecoder().decode(bytes));
      return bytes.length;
    };
    const stand = new Writable({
      decodeStrings: true,
      write(chunk: Uint8Array, _encoding, done) {
        sink(chunk);
        done();
      },
    });
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
    const end = (...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === "string" || chunk instanceof Uint8Array) write(chunk);
      const callback = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
      if (callback !== undefined) queueMicrotask(callback);
      return stand;
    };
    // A stream that is closed cannot be told from one that ended: neither may happen.
    Object.assign(process[name], { write, end, destroy: () => stand, destroySoon: () => {} });
    Object.assign(process[name], {
      _write: (chunk: string | Uint8Array, _encoding: unknown, done: () => void) => {
        write(chunk);
        done();
      },
    });
    if (name === "stderr") continue;
    Object.defineProperties(Deno.stdout, {
      write: { value: (bytes: Uint8Array) => Promise.resolve(sink(bytes)), configurable: true },
      writeSync: { value: sink, configurable: true },
      close: { value: () => {}, configurable: true },
      writable: {
        get: () => new WritableStream<Uint8Array>({ write: (bytes) => void sink(bytes) }),
        configurable: true,
      },
    });
  }
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
