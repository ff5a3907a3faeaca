/**
 * The functions of `node:fs` that take a file descriptor. The first three belong
 * to the client: what is written to them is output of the call, and reading the
 * input finds its end, where it would wait for the client's next message.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import { fieldOf } from "../io/json.ts";
import { emit } from "./standard_streams.ts";

type AnyFunction = (...args: unknown[]) => unknown;
type Functions = Readonly<Record<string, AnyFunction>>;

/**
 * Wraps the functions so that the standard streams are left alone.
 *
 * @param original The functions to use for every other descriptor.
 */
export function descriptorFunctions(original: Functions): Record<string, AnyFunction> {
  const wrapped: Record<string, AnyFunction> = {};
  const wrap = (name: string, standIn: (fd: number, args: unknown[]) => unknown) => {
    const own = original[name];
    if (own === undefined) return;
    wrapped[name] = (...args) => {
      const fd = standardOf(args[0]);
      return fd === undefined ? own(...args) : standIn(fd, args);
    };
  };
  const both = (name: string, standIn: (fd: number, args: unknown[]) => unknown) => {
    wrap(`${name}Sync`, standIn);
    wrap(name, (fd, args) => callBack(args, () => standIn(fd, args)));
  };
  both("write", (fd, [, data, ...range]) => print(fd, chunkOf(data, range)));
  both("writev", (fd, [, parts]) => print(fd, Buffer.concat(parts as Uint8Array[])));
  both("writeFile", (fd, [, data]) => void print(fd, chunkOf(data)));
  both("appendFile", (fd, [, data]) => void print(fd, chunkOf(data)));
  both("read", () => 0);
  both("readv", () => 0);
  both("readFile", (_fd, [, options]) => encodingOf(options) ? "" : Buffer.alloc(0));
  for (const name of ["close", "fsync", "fdatasync", "ftruncate", "fchmod", "futimes"]) {
    both(name, () => undefined);
  }
  const { createReadStream, createWriteStream } = original;
  wrapped["createWriteStream"] = (path, options) => {
    const fd = standardOf(fieldOf(options, "fd") ?? path);
    return fd === undefined ? createWriteStream!(path, options) : printer(fd);
  };
  wrapped["createReadStream"] = (path, options) => {
    const fd = standardOf(fieldOf(options, "fd") ?? path);
    return fd === undefined ? createReadStream!(path, options) : Readable.from([]);
  };
  return wrapped;
}

/** The standard stream that a descriptor or one of its paths means. */
function standardOf(target: unknown): number | undefined {
  if (target === 0 || target === 1 || target === 2) return target;
  return typeof target === "string" ? PATHS.get(target) : undefined;
}

const PATHS: ReadonlyMap<string, number> = new Map(
  ["stdin", "stdout", "stderr"].flatMap((name, fd) => [
    [`/dev/${name}`, fd],
    [`/dev/fd/${fd}`, fd],
    [`/proc/self/fd/${fd}`, fd],
  ]),
);

function print(fd: number, bytes: Uint8Array): number {
  emit(fd === 2 ? "stderr" : "stdout", new TextDecoder().decode(bytes));
  return bytes.length;
}

/** A stream into a standard one. */
function printer(fd: number): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      print(fd, chunk);
      done();
    },
  });
}

/** What a write is about: a text, or a part of a buffer, by offset and length or by an object of both. */
function chunkOf(data: unknown, range: readonly unknown[] = []): Uint8Array {
  if (!ArrayBuffer.isView(data)) return Buffer.from(String(data));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const [first, second] = range;
  const [offset, length] = typeof first === "object"
    ? [fieldOf(first, "offset"), fieldOf(first, "length")]
    : [first, second];
  const start = typeof offset === "number" ? offset : 0;
  return bytes.subarray(start, typeof length === "number" ? start + length : undefined);
}

/** Node's callback convention: the last argument gets the error or the value. */
function callBack(args: readonly unknown[], work: () => unknown): void {
  const callback = args.findLast(isFunction);
  const value = work();
  if (callback !== undefined) queueMicrotask(() => callback(null, value, args[1]));
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

function encodingOf(options: unknown): boolean {
  if (typeof options === "string") return true;
  return typeof fieldOf(options, "encoding") === "string";
}
