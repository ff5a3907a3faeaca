/**
 * What plugins get for `node:fs`: the real one, but a path inside the project
 * that leads out of it by a link is refused, a write is whole or not at all, and
 * a look outside the grant finds nothing instead of throwing.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { currentCall } from "./call.ts";
import { descriptorFunctions } from "./descriptors.ts";
import { writeFileAtomic } from "../io/files.ts";
import { isInside, realPathOf } from "../io/paths.ts";
import { isRefusal } from "../io/permissions.ts";

type AnyFunction = (...args: unknown[]) => unknown;

/** Functions whose first argument is a path. */
const ONE_PATH = [
  "access",
  "appendFile",
  "chmod",
  "createReadStream",
  "createWriteStream",
  "lstat",
  "mkdir",
  "mkdtemp",
  "open",
  "opendir",
  "readFile",
  "readdir",
  "readlink",
  "realpath",
  "rm",
  "rmdir",
  "stat",
  "truncate",
  "unlink",
  "utimes",
  "watch",
  "writeFile",
];

/** Functions whose first two arguments are paths. */
const TWO_PATHS = ["copyFile", "cp", "link", "rename", "symlink"];

/** Functions that ask whether something is there. */
const QUESTIONS = new Set(["access", "lstat", "readlink", "realpath", "stat"]);

/**
 * The exports of the replaced `node:fs`, and of `node:fs/promises`.
 *
 * @param rootOf The project that the running call belongs to.
 */
export function containedFs(
  rootOf: () => string,
): { fs: Record<string, unknown>; promises: Record<string, unknown> } {
  const check = (path: unknown) => checkPath(rootOf(), path);
  const contained: Record<string, unknown> = { ...fs };
  const promises: Record<string, unknown> = { ...fs.promises };
  for (const name of [...ONE_PATH, ...TWO_PATHS]) {
    const paths = TWO_PATHS.includes(name) ? 2 : 1;
    const question = QUESTIONS.has(name);
    for (const sync of [`${name}Sync`, name]) {
      const original = (fs as unknown as Record<string, AnyFunction | undefined>)[sync];
      if (typeof original !== "function") continue;
      contained[sync] = (...args: unknown[]) => {
        for (const path of args.slice(0, paths)) check(path);
        if (!question || sync === name) return original(...args);
        try {
          return original(...args);
        } catch (error) {
          throw isRefusal(error) ? notThere(args[0], name) : error;
        }
      };
    }
    const original = (fs.promises as unknown as Record<string, AnyFunction | undefined>)[name];
    if (typeof original !== "function") continue;
    promises[name] = async (...args: unknown[]) => {
      for (const path of args.slice(0, paths)) check(path);
      try {
        return await original(...args);
      } catch (error) {
        throw question && isRefusal(error) ? notThere(args[0], name) : error;
      }
    };
  }
  contained["existsSync"] = (path: unknown): boolean => {
    try {
      check(path);
      return fs.existsSync(path as string);
    } catch {
      return false;
    }
  };
  const readFileSync = contained["readFileSync"] as AnyFunction;
  contained["readFileSync"] = (path: unknown, options?: unknown): unknown => {
    const intercept = currentCall()?.interceptor?.read;
    const target = intercept === undefined ? undefined : check(path) ?? resolve(pathText(path));
    const text = target === undefined ? undefined : intercept!(target);
    if (text === undefined) return readFileSync(path, options);
    const { encoding } = typeof options === "string"
      ? { encoding: options }
      : options as { encoding?: unknown } ?? {};
    return encoding === undefined || encoding === null ? Buffer.from(text) : text;
  };
  contained["writeFileSync"] = (path: unknown, given: unknown, options?: unknown): void => {
    let data = given;
    let target = check(path);
    const intercept = currentCall()?.interceptor?.write;
    if (target !== undefined && intercept !== undefined) {
      const text = typeof data === "string" ? data : new TextDecoder().decode(data as Uint8Array);
      const allowed = intercept(target, text);
      if (allowed === null) return;
      ({ path: target, text: data } = allowed);
    }
    if (target === undefined || !isPlainWrite(data, options)) {
      (fs.writeFileSync as unknown as AnyFunction)(path, data, options);
    } else {
      const mode = (options as { mode?: unknown } | undefined)?.mode;
      writeFileAtomic(
        target,
        data as string | Uint8Array,
        { root: rootOf(), ...(typeof mode === "number" ? { mode } : {}) },
      );
    }
  };
  const appendFileSync = contained["appendFileSync"] as AnyFunction;
  contained["appendFileSync"] = (path: unknown, data: unknown, options?: unknown): void => {
    const intercepted = currentCall()?.interceptor !== undefined && typeof data === "string" &&
      (contained["existsSync"] as AnyFunction)(path) === true;
    if (!intercepted) appendFileSync(path, data, options);
    else {
      const before = (contained["readFileSync"] as AnyFunction)(path, "utf8") as string;
      (contained["writeFileSync"] as AnyFunction)(path, before + data);
    }
  };
  promises["writeFile"] = async (path: unknown, data: unknown, options?: unknown) => {
    await Promise.resolve();
    (contained["writeFileSync"] as AnyFunction)(path, data, options);
  };
  Object.assign(contained, descriptorFunctions(contained as Record<string, AnyFunction>));
  contained["promises"] = promises;
  contained["default"] = contained;
  promises["default"] = promises;
  return { fs: contained, promises };
}

function pathText(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}

/** The real path of a target inside the project; `undefined` for one outside, which the runtime judges. */
export function checkPath(root: string, path: unknown): string | undefined {
  const text = pathText(path);
  if (typeof path === "number") return undefined;
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

function isPlainWrite(data: unknown, options: unknown): boolean {
  if (typeof data !== "string" && !(data instanceof Uint8Array)) return false;
  if (options === undefined || options === null) return true;
  if (typeof options === "string") return /^utf-?8$/i.test(options);
  const { flag, encoding } = options as { flag?: unknown; encoding?: unknown };
  return (flag === undefined || flag === "w") &&
    (encoding === undefined || encoding === null || /^utf-?8$/i.test(String(encoding)));
}

function notThere(path: unknown, call: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), {
    code: "ENOENT",
    errno: -2,
    syscall: call,
    path,
  });
}
