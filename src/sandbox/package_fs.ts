/**
 * What packages get for `node:fs`: the real one, but a path inside the project that leads out of it
 * by a link is refused, a write needs a call that may write and is whole or not at all, and a
 * question about what may not be read finds nothing instead of throwing.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RefraktError } from "../errors.ts";
import { writeFileAtomic } from "../io/files.ts";
import { fieldOf } from "../io/json.ts";
import { isInside, realPathOf, shownPath } from "../io/paths.ts";
import { isRefusal } from "../io/permissions.ts";
import { isStdioReserved } from "../io/pipes.ts";
import { currentCall, owningCall } from "./call.ts";

type AnyFunction = (...args: unknown[]) => unknown;
type Functions = Readonly<Record<string, AnyFunction>>;

/** The functions by what they do with the path that is their first argument. */
const ASK = ["access", "lstat", "readlink", "realpath", "stat"];
const READ = ["createReadStream", "opendir", "readFile", "readdir", "watch"];
const WRITE = [
  ...["appendFile", "chmod", "createWriteStream", "mkdir", "mkdtemp", "rm", "rmdir"],
  ...["truncate", "unlink", "utimes", "writeFile"],
];
/** Their second argument is a path as well. */
const WRITE_TWO = ["copyFile", "cp", "link", "rename", "symlink"];

/**
 * The exports of `node:fs` and of `node:fs/promises` for packages.
 *
 * @param rootOf The project that the running call belongs to.
 */
export function packageFs(
  rootOf: () => string,
): { fs: Record<string, unknown>; promises: Record<string, unknown> } {
  const check = (path: unknown) => checkPath(rootOf(), path);
  const checked = { ...checkedFunctions(fs, check, ["", "Sync"]), existsSync: existsIn(check) };
  const whole = wholeFileFunctions(checked, rootOf);
  const promises: Record<string, unknown> = {
    ...fs.promises,
    ...checkedFunctions(fs.promises, check, [""]),
    writeFile: async (...args: unknown[]) => {
      await Promise.resolve();
      whole["writeFileSync"]!(...args);
    },
  };
  promises["default"] = promises;
  const replaced: Record<string, unknown> = { ...fs, ...checked, ...whole, promises };
  replaced["default"] = replaced;
  return { fs: replaced, promises };
}

/**
 * The real path of a target inside the project; `undefined` for one outside, which the runtime
 * judges.
 *
 * @throws {Error} `EACCES` for one that leads out of the project by a link.
 */
export function checkPath(root: string, path: unknown): string | undefined {
  if (typeof path === "number") return undefined;
  const text = pathText(path);
  const lexical = resolve(root, text);
  if (!isInside(root, lexical)) return undefined;
  const real = realPathOf(lexical);
  // A package that is linked into node_modules is code, and the runtime loads it anyway.
  if (isInside(root, real) || /[\\/]node_modules[\\/]/.test(lexical)) return real;
  throw Object.assign(
    new Error(`EACCES: permission denied, ${JSON.stringify(text)} leads out of the project`),
    { code: "EACCES", path: text },
  );
}

/** A path as text: it may be given as the URL of a file, or as the bytes of its text. */
function pathText(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}

/** The functions of a module that take paths, with their paths checked. */
function checkedFunctions(
  module: object,
  check: (path: unknown) => unknown,
  suffixes: readonly string[],
): Record<string, AnyFunction> {
  const functions: Record<string, AnyFunction> = {};
  const add = (base: string, before: (...args: unknown[]) => void) => {
    for (const name of suffixes.map((suffix) => base + suffix)) {
      const original = fieldOf(module, name);
      if (typeof original !== "function") continue;
      const isQuestion = ASK.includes(base);
      const explain = (error: unknown, path: unknown) =>
        isQuestion && isRefusal(error) ? notThere(path, base) : error;
      functions[name] = (...args) => {
        const isPromise = suffixes.length === 1;
        try {
          before(...args);
          const value = original.apply(module, args);
          return isPromise && isQuestion
            ? Promise.resolve(value).catch((error) => {
              throw explain(error, args[0]);
            })
            : value;
        } catch (error) {
          const explained = explain(error, args[0]);
          if (isPromise && base !== "watch") return Promise.reject(explained);
          throw explained;
        }
      };
    }
  };
  for (const name of [...ASK, ...READ]) add(name, check);
  for (const name of WRITE) {
    add(name, (path) => {
      check(path);
      requireWriting(path);
    });
  }
  for (const name of WRITE_TWO) {
    add(name, (from, to) => {
      check(from);
      check(to);
      requireWriting(to);
    });
  }
  add("open", (path, flags) => {
    check(path);
    if (isWriting(flags)) requireWriting(path);
  });
  return functions;
}

/** Whether flags open a file for writing. */
function isWriting(flags: unknown): boolean {
  const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
  return typeof flags === "number"
    ? (flags & (O_APPEND | O_CREAT | O_RDWR | O_TRUNC | O_WRONLY)) !== 0
    : flags !== undefined && !/^rs?$/.test(String(flags));
}

/**
 * Packages write only in a call of a tool that may write: one that says it only reads changes no
 * file.
 *
 * @throws {RefraktError} `PERMISSION_DENIED`
 */
function requireWriting(path: unknown): void {
  const call = owningCall();
  // Outside of calls, a program that embeds the server writes its own files.
  if (call === undefined ? !isStdioReserved() : call.mayWrite) return;
  const shown = call === undefined ? pathText(path) : shownPath(call.root, resolve(pathText(path)));
  throw new RefraktError("PERMISSION_DENIED", `Not written: ${JSON.stringify(shown)}`, {
    hint: "The tool says that it only reads, so its package may not write.",
  });
}

function existsIn(check: (path: unknown) => unknown): AnyFunction {
  return (path) => {
    try {
      check(path);
      return fs.existsSync(pathText(path));
    } catch {
      return false;
    }
  };
}

/** `readFileSync`, `writeFileSync` and `appendFileSync`, which the call may intercept. */
function wholeFileFunctions(
  checked: Functions,
  rootOf: () => string,
): Record<string, AnyFunction> {
  const readFileSync = (path: unknown, options?: unknown): unknown => {
    const intercept = currentCall()?.interceptor?.read;
    const text = intercept === undefined
      ? undefined
      : intercept(checkPath(rootOf(), path) ?? resolve(pathText(path)));
    if (text === undefined) return checked["readFileSync"]!(path, options);
    return encodingOf(options) === undefined ? Buffer.from(text) : text;
  };
  const writeFileSync = (path: unknown, given: unknown, options?: unknown): void => {
    let data = given;
    let target = checkPath(rootOf(), path);
    const intercept = currentCall()?.interceptor?.write;
    if (target !== undefined && intercept !== undefined) {
      const allowed = intercept(target, textOf(data));
      if (allowed === null) return;
      ({ path: target, text: data } = allowed);
    }
    const isWhole = typeof data === "string" || data instanceof Uint8Array;
    if (target === undefined || !isWhole || !isPlainWrite(options)) {
      checked["writeFileSync"]!(path, data, options);
      return;
    }
    requireWriting(target);
    const mode = fieldOf(options, "mode");
    writeFileAtomic(target, data as string | Uint8Array, {
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
  return (flag === undefined || flag === "w") &&
    /^utf-?8$/i.test(String(encodingOf(options) ?? "utf8"));
}

/** The encoding among options, which may be the encoding alone. */
function encodingOf(options: unknown): unknown {
  return (typeof options === "string" ? options : fieldOf(options, "encoding")) ?? undefined;
}

function textOf(data: unknown): string {
  return data instanceof Uint8Array ? new TextDecoder().decode(data) : String(data);
}

function notThere(path: unknown, call: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), {
    code: "ENOENT",
    errno: -2,
    syscall: call,
    path,
  });
}
