/**
 * `node:fs` for packages. Rejects links out of the project, allows writes only in calls that may
 * write, makes whole-file writes atomic, and reports unreadable paths as missing.
 */

import { quotedName } from "../plain_text.ts";
import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RefraktError } from "../errors.ts";
import { writeFileAtomic } from "../io/files.ts";
import { fieldOf } from "../io/json.ts";
import { isInside, realPathOf, shownPath } from "../io/paths.ts";
import { isRefusal } from "../io/permissions.ts";
import { isStdioReserved } from "../io/pipes.ts";
import { newPath } from "../io/write_folder.ts";
import { isOfEmbedder } from "./replaced_modules.ts";
import {
  type CallState,
  currentCall,
  currentFolder,
  currentRoot,
  owningCall,
} from "./stand_in_call.ts";
import { noteRead } from "../io/reads.ts";

// deno-lint-ignore no-explicit-any -- the functions of node:fs, called with what they are given
type AnyFunction = (...args: any[]) => any;

/** What a function does with a path; `entry` is a write that does not follow a link as the last name. */
type Access = "ask" | "read" | "list" | "open" | "write" | "entry";

/** The functions, by what they do with the paths that come first among their arguments. */
const FUNCTIONS: readonly (readonly [accesses: readonly Access[], names: string])[] = [
  [["ask"], "access exists lstat readlink realpath stat"],
  [["read"], "createReadStream readFile watch"],
  [["list"], "opendir readdir"],
  [["open"], "open"],
  [["write"], "appendFile chmod chown createWriteStream mkdir truncate utimes writeFile"],
  [["entry"], "lchown lutimes mkdtemp rm rmdir unlink"],
  [["read", "write"], "copyFile cp"],
  [["read", "entry"], "symlink"],
  [["entry", "entry"], "rename"],
  // Through a second name, the package could write the file.
  [["write", "entry"], "link"],
];

/** `node:fs` and `node:fs/promises` for packages. */
export function packageFs(): { fs: Record<string, unknown>; promises: Record<string, unknown> } {
  const checked = checkedFunctions(fs);
  const writeFileSync = wholeFileWriter(checked["writeFileSync"]!);
  const promises: Record<string, unknown> = { ...fs.promises };
  for (const [name, run] of Object.entries(checkedFunctions(fs.promises))) {
    promises[name] = name === "watch" ? run : (...args: unknown[]) => Promise.try(run, ...args);
  }
  promises["writeFile"] = (...args: unknown[]) => Promise.try(writeFileSync, ...args);
  promises["default"] = promises;
  const readFileSync = wholeFileReader(checked["readFileSync"]!);
  const replaced: Record<string, unknown> = { ...fs, ...checked, readFileSync, writeFileSync };
  Object.assign(replaced, { promises, default: replaced });
  return { fs: replaced, promises };
}

/** The functions of a module that check their paths. */
function checkedFunctions(module: typeof fs | typeof fs.promises): Record<string, AnyFunction> {
  const functions: Record<string, AnyFunction> = {};
  for (const [accesses, names] of FUNCTIONS) {
    for (const name of names.split(" ").flatMap((base) => [base, `${base}Sync`])) {
      const original = fieldOf(module, name);
      if (typeof original !== "function") continue;
      const run: AnyFunction = (...args) => {
        if (isOfEmbedder()) return original.apply(module, args);
        if (name === "mkdirSync" && isPreparing()) return undefined;
        const paths = accesses.map((access, index) => checkedPath(access, args[index], args[1]));
        return original.apply(module, [...paths, ...args.slice(accesses.length)]);
      };
      functions[name] = accesses[0] === "ask" ? unlessMissing(name, run) : run;
    }
  }
  return functions;
}

/** Whether a folder is being made for an intercepted write: then it is not made. */
function isPreparing(): boolean {
  const call = owningCall();
  return call !== undefined && !hasWriteAccess(call) && call.interceptor?.write !== undefined;
}

/** Reports a path that may not be read as missing. */
function unlessMissing(name: string, run: AnyFunction): AnyFunction {
  const explain = (error: unknown, path: unknown): never => {
    throw isRefusal(error) ? systemError("ENOENT", path, "is missing") : error;
  };
  return (...args) => {
    try {
      const result = run(...args);
      return result instanceof Promise ? result.catch((error) => explain(error, args[0])) : result;
    } catch (error) {
      return name === "existsSync" ? false : explain(error, args[0]);
    }
  };
}

/** Checks an argument, and returns what the function gets in its place. */
function checkedPath(access: Access, path: unknown, flags: unknown): unknown {
  if (access === "write" || access === "entry") return checkWrite(path, access === "write");
  checkPath(path);
  if (typeof path !== "number") {
    noteRead(resolve(currentRoot(), pathText(path)) + (access === "list" ? "/" : ""));
  }
  return access === "open" && isWriting(flags) ? checkWrite(path, true) : path;
}

/**
 * Returns the real path of a target in the project; `undefined` for one outside, which Deno's
 * permissions decide about.
 *
 * @throws {Error} `EACCES` for a link out of the project, except in `node_modules`, as of linked packages.
 */
function checkPath(path: unknown): string | undefined {
  if (typeof path === "number") return undefined;
  const root = currentRoot();
  const lexical = resolve(root, pathText(path));
  if (!isInside(root, lexical)) return undefined;
  const real = realPathOf(lexical);
  if (isInside(root, real) || /[\\/]node_modules[\\/]/.test(lexical)) return real;
  throw systemError("EACCES", path, "leads out of the project");
}

function systemError(code: string, path: unknown, why: string): Error {
  const text = pathText(path);
  return Object.assign(new Error(`${code}: ${quotedName(text)} ${why}`), { code, path: text });
}

/** Converts a file URL or bytes to a path. */
function pathText(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}

/**
 * Returns the real path of a write, so that Deno checks the same path.
 *
 * @param isFollowed Whether the function follows a link as the last name.
 * @throws {Error} `EACCES` for a link out of the project.
 * @throws {RefraktError} `PERMISSION_DENIED` outside the folder that may be written.
 */
function checkWrite(path: unknown, isFollowed: boolean): string | number {
  requireWriting(path);
  if (typeof path === "number") return path;
  const root = currentRoot();
  const name = resolve(root, pathText(path));
  const real = isFollowed ? realPathOf(name) : join(realPathOf(dirname(name)), basename(name));
  if (isInside(root, real)) return newPath(currentFolder(), real);
  if (!isInside(root, name)) return pathText(path);
  checkPath(path);
  return real;
}

function isWriting(flags: unknown): boolean {
  const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
  return typeof flags === "number"
    ? (flags & (O_APPEND | O_CREAT | O_RDWR | O_TRUNC | O_WRONLY)) !== 0
    : flags !== undefined && !/^rs?$/.test(String(flags));
}

/**
 * Rejects writes in calls of read-only tools.
 *
 * @throws {RefraktError} `PERMISSION_DENIED`
 */
function requireWriting(path: unknown): void {
  const call = owningCall();
  // Outside of calls, an embedding program writes its own files.
  if (call === undefined ? !isStdioReserved() : hasWriteAccess(call)) return;
  const file = shownPath(currentRoot(), resolve(pathText(path)));
  throw new RefraktError("PERMISSION_DENIED", `Not written: ${quotedName(file)}`, {
    hint: "A package writes only in calls of its tools that are not declared read-only.",
  });
}

function hasWriteAccess({ mayWrite, interceptor }: CallState): boolean {
  return mayWrite || interceptor?.folder !== undefined;
}

/** `readFileSync` with interception. */
function wholeFileReader(read: AnyFunction): AnyFunction {
  return (path, options) => {
    const text = currentCall()?.interceptor?.read?.(resolve(currentRoot(), pathText(path)));
    if (text === undefined) return read(path, options);
    return encodingOf(options) === undefined ? Buffer.from(text) : text;
  };
}

/** `writeFileSync` with interception, and atomic for whole files. */
function wholeFileWriter(write: AnyFunction): AnyFunction {
  return (path, data: unknown, options) => {
    const target = isOfEmbedder() ? undefined : checkPath(path);
    if (target === undefined) return write(path, data, options);
    const intercept = currentCall()?.interceptor?.write;
    const isBytes = data instanceof Uint8Array;
    if (intercept !== undefined) {
      return intercept(target, isBytes ? new TextDecoder().decode(data) : String(data));
    }
    const isWhole = (typeof data === "string" || isBytes) &&
      [undefined, "w"].includes(fieldOf(options, "flag") as string | undefined) &&
      /^utf-?8$/i.test(String(encodingOf(options) ?? "utf8"));
    if (!isWhole) return write(path, data, options);
    requireWriting(target);
    const mode = fieldOf(options, "mode");
    writeFileAtomic(currentFolder(), target, data, typeof mode === "number" ? mode : undefined);
  };
}

function encodingOf(options: unknown): unknown {
  return (typeof options === "string" ? options : fieldOf(options, "encoding")) ?? undefined;
}
