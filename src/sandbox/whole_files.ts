/**
 * Files that plugins read, write and extend as a whole, by the functions that wait: what
 * intercepts a call sees them, and a write is whole or not at all.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { writeFileAtomic } from "../io/files.ts";
import { fieldOf } from "../io/json.ts";
import { currentCall } from "./call.ts";
import { pathText } from "./path_text.ts";

type AnyFunction = (...args: unknown[]) => unknown;

/** What the functions stand on. */
export interface WholeFileOptions {
  /** The functions of `node:fs` that check their paths. */
  readonly checked: Readonly<Record<string, AnyFunction>>;
  /** The real `writeFileSync`. */
  readonly write: AnyFunction;
  /** Gives the real path of a target inside the project; throws for one that leads out of it. */
  check(path: unknown): string | undefined;
  /** The project that the running call belongs to. */
  rootOf(): string;
}

/** Makes `readFileSync`, `writeFileSync` and `appendFileSync`. */
export function wholeFileFunctions(
  { checked, write, check, rootOf }: WholeFileOptions,
): Record<string, AnyFunction> {
  const readFileSync = (path: unknown, options?: unknown): unknown => {
    const intercept = currentCall()?.interceptor?.read;
    const text = intercept === undefined
      ? undefined
      : intercept(check(path) ?? resolve(pathText(path)));
    if (text === undefined) return checked["readFileSync"]!(path, options);
    return isSet(encodingOf(options)) ? text : Buffer.from(text);
  };
  const writeFileSync = (path: unknown, given: unknown, options?: unknown): void => {
    let data = given;
    let target = check(path);
    const intercept = currentCall()?.interceptor?.write;
    if (target !== undefined && intercept !== undefined) {
      const allowed = intercept(target, textOf(data));
      if (allowed === null) return;
      ({ path: target, text: data } = allowed);
    }
    if (target === undefined || !isContent(data) || !isPlainWrite(options)) {
      write(path, data, options);
      return;
    }
    const mode = fieldOf(options, "mode");
    writeFileAtomic(target, data, {
      root: rootOf(),
      ...(typeof mode === "number" ? { mode } : {}),
    });
  };
  const appendFileSync = (path: unknown, data: unknown, options?: unknown): void => {
    const isIntercepted = currentCall()?.interceptor !== undefined &&
      typeof data === "string" && checked["existsSync"]!(path) === true;
    if (isIntercepted) writeFileSync(path, String(readFileSync(path, "utf8")) + data);
    else checked["appendFileSync"]!(path, data, options);
  };
  return { readFileSync, writeFileSync, appendFileSync };
}

/** Whether `node:fs` writes over the whole file, as UTF-8. */
function isPlainWrite(options: unknown): boolean {
  const flag = fieldOf(options, "flag");
  const encoding = encodingOf(options);
  return (flag === undefined || flag === "w") &&
    (!isSet(encoding) || /^utf-?8$/i.test(String(encoding)));
}

/** The encoding among options, which may be the encoding alone. */
function encodingOf(options: unknown): unknown {
  return typeof options === "string" ? options : fieldOf(options, "encoding");
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isContent(data: unknown): data is string | Uint8Array {
  return typeof data === "string" || data instanceof Uint8Array;
}

function textOf(data: unknown): string {
  return data instanceof Uint8Array ? new TextDecoder().decode(data) : String(data);
}
