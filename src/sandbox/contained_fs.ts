/**
 * What plugins get for `node:fs`: the real one, but a path inside the project
 * that leads out of it by a link is refused, a write is whole or not at all, and
 * a look outside the grant finds nothing instead of throwing.
 *
 * @module
 */

import * as fs from "node:fs";
import { resolve } from "node:path";
import { descriptorFunctions } from "./descriptors.ts";
import { isInside, realPathOf } from "../io/paths.ts";
import { isRefusal } from "../io/permissions.ts";
import { pathText } from "./path_text.ts";
import { wholeFileFunctions } from "./whole_files.ts";

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
  const real = functionsOf(fs);
  const checked: Record<string, AnyFunction> = {
    ...real,
    ...checkedFunctions(real, check),
    existsSync: (path) => exists(path, check),
  };
  const whole = wholeFileFunctions({ checked, write: real["writeFileSync"]!, check, rootOf });
  const functions = { ...checked, ...whole };
  const promises: Record<string, unknown> = {
    ...fs.promises,
    ...checkedPromises(functionsOf(fs.promises), check),
    writeFile: async (...args: unknown[]) => {
      await Promise.resolve();
      whole["writeFileSync"]!(...args);
    },
  };
  promises["default"] = promises;
  const contained: Record<string, unknown> = {
    ...fs,
    ...functions,
    ...descriptorFunctions(functions),
    promises,
  };
  contained["default"] = contained;
  return { fs: contained, promises };
}

/** The functions of a module by name. */
function functionsOf(module: object): Record<string, AnyFunction> {
  const isNamedFunction = (entry: [string, unknown]): entry is [string, AnyFunction] =>
    typeof entry[1] === "function";
  return Object.fromEntries(Object.entries(module).filter(isNamedFunction));
}

/** The functions that wait and those with a callback: their paths are checked before. */
function checkedFunctions(
  real: Readonly<Record<string, AnyFunction>>,
  check: (path: unknown) => void,
): Record<string, AnyFunction> {
  const checked: Record<string, AnyFunction> = {};
  for (const name of [...ONE_PATH, ...TWO_PATHS]) {
    for (const variant of [`${name}Sync`, name]) {
      const original = real[variant];
      if (original === undefined) continue;
      const isQuestion = QUESTIONS.has(name) && variant !== name;
      checked[variant] = (...args) => {
        checkArguments(name, args, check);
        try {
          return original(...args);
        } catch (error) {
          throw isQuestion && isRefusal(error) ? notThere(args[0], name) : error;
        }
      };
    }
  }
  return checked;
}

/** The same of the functions that promise. */
function checkedPromises(
  real: Readonly<Record<string, AnyFunction>>,
  check: (path: unknown) => void,
): Record<string, AnyFunction> {
  const checked: Record<string, AnyFunction> = {};
  for (const name of [...ONE_PATH, ...TWO_PATHS]) {
    const original = real[name];
    if (original === undefined) continue;
    checked[name] = async (...args) => {
      checkArguments(name, args, check);
      try {
        return await original(...args);
      } catch (error) {
        throw QUESTIONS.has(name) && isRefusal(error) ? notThere(args[0], name) : error;
      }
    };
  }
  return checked;
}

function checkArguments(
  name: string,
  args: readonly unknown[],
  check: (path: unknown) => void,
): void {
  for (const path of args.slice(0, TWO_PATHS.includes(name) ? 2 : 1)) check(path);
}

function exists(path: unknown, check: (path: unknown) => void): boolean {
  try {
    check(path);
    return fs.existsSync(pathText(path));
  } catch {
    return false;
  }
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

function notThere(path: unknown, call: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), {
    code: "ENOENT",
    errno: -2,
    syscall: call,
    path,
  });
}
