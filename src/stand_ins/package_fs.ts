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
import { statIfExists, writeFileAtomic } from "../io/files.ts";
import { fieldOf } from "../io/json.ts";
import { isInside, realPathOf, shownPath } from "../io/paths.ts";
import { isRefusal } from "../io/permissions.ts";
import { isStdioReserved } from "../io/pipes.ts";
import { newPath } from "../io/write_folder.ts";
import { currentCall, currentFolder, currentRoot, owningCall } from "./call.ts";
import { noteRead } from "../io/reads.ts";

// deno-lint-ignore no-explicit-any -- the functions of node:fs, called with what they are given
type AnyFunction = (...args: any[]) => any;

/** Functions by what they do with their first argument, a path. */
const ASK = ["access", "lstat", "readlink", "realpath", "stat"];
const READ = ["createReadStream", "opendir", "readFile", "readdir", "watch"];
/** Those that list a folder. */
const LISTS = ["opendir", "readdir"];
const WRITE = [
  ...["appendFile", "chmod", "chown", "createWriteStream"],
  ...["truncate", "utimes", "writeFile"],
];
/** Those that do not follow a link as the last name. */
const WRITE_ENTRY = ["lchown", "lutimes", "rm", "rmdir", "unlink"];

/** `node:fs` and `node:fs/promises` for packages. */
export function packageFs(): { fs: Record<string, unknown>; promises: Record<string, unknown> } {
  const checked = checkedFunctions(fs);
  const whole = wholeFileFunctions(checked);
  const promises: Record<string, unknown> = {
    ...fs.promises,
    ...checkedFunctions(fs.promises),
    // deno-lint-ignore require-await -- what it throws has to be a rejection
    writeFile: async (...args: unknown[]) => whole["writeFileSync"]!(...args),
  };
  promises["default"] = promises;
  const replaced: Record<string, unknown> = { ...fs, ...checked, ...whole, promises };
  replaced["default"] = replaced;
  return { fs: replaced, promises };
}

/**
 * Returns the real path of a target in the project; `undefined` for one outside, which Deno's
 * permissions decide about.
 *
 * @throws {Error} `EACCES` for a link out of the project, except in `node_modules`, as of linked packages.
 */
function checkPath(root: string, path: unknown): string | undefined {
  if (typeof path === "number") return undefined;
  const lexical = resolve(root, pathText(path));
  if (!isInside(root, lexical)) return undefined;
  const real = realPathOf(lexical);
  if (isInside(root, real) || /[\\/]node_modules[\\/]/.test(lexical)) return real;
  throw systemError("EACCES", path, "leads out of the project");
}

function systemError(code: string, path: unknown, why: string): Error {
  const shown = pathText(path);
  return Object.assign(new Error(`${code}: ${quotedName(shown)} ${why}`), {
    code,
    path: shown,
  });
}

/** Converts a file URL or bytes to a path. */
function pathText(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}

/**
 * Returns the real path of a write, so that Deno, too, judges that.
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
  checkPath(root, path);
  return real;
}

/** Wraps the functions of a module to check their paths. */
function checkedFunctions(module: typeof fs | typeof fs.promises): Record<string, AnyFunction> {
  const functions: Record<string, AnyFunction> = {};
  const add = (base: string, checked: (...args: unknown[]) => unknown[]) => {
    for (const name of [base, `${base}Sync`]) {
      const original = fieldOf(module, name);
      if (typeof original !== "function") continue;
      const explained = (error: unknown, path: unknown) =>
        ASK.includes(base) && isRefusal(error) ? systemError("ENOENT", path, "is missing") : error;
      const sync: AnyFunction = (...args) => {
        try {
          return original.apply(module, checked(...args));
        } catch (error) {
          throw explained(error, args[0]);
        }
      };
      functions[name] = module === fs || base === "watch" ? sync : async (...args) => {
        try {
          return await sync(...args);
        } catch (error) {
          throw explained(error, args[0]);
        }
      };
    }
  };
  const check = (path: unknown) => checkPath(currentRoot(), path);
  for (const name of [...ASK, ...READ]) {
    add(name, (...args) => {
      check(args[0]);
      note(args[0], LISTS.includes(name));
      return args;
    });
  }
  for (const name of WRITE) add(name, (path, ...rest) => [checkWrite(path, true), ...rest]);
  for (const name of WRITE_ENTRY) add(name, (path, ...rest) => [checkWrite(path, false), ...rest]);
  for (const name of ["copyFile", "cp"]) {
    add(name, (from, to, ...rest) => (check(from), [from, checkWrite(to, true), ...rest]));
  }
  // A second name for a file would let the package write the file by that.
  add("link", (from, to) => [checkWrite(from, true), checkWrite(to, false)]);
  add("rename", (from, to) => [checkWrite(from, false), checkWrite(to, false)]);
  add("symlink", (target, path, ...rest) => {
    check(target);
    return [target, checkWrite(path, false), ...rest];
  });
  // The argument is the start of a name.
  add("mkdtemp", (start, ...rest) => {
    const real = checkWrite(`${pathText(start)}-`, false);
    return [String(real).slice(0, -1), ...rest];
  });
  add("open", (path, flags, ...rest) => {
    check(path);
    note(path);
    return [isWriting(flags) ? checkWrite(path, true) : path, flags, ...rest];
  });
  add("mkdir", (path, ...rest) => {
    // mkdir of an existing folder is not a write.
    if (statIfExists(check(path) ?? pathText(path))?.isDirectory) return [path, ...rest];
    return [checkWrite(path, true), ...rest];
  });
  const { mkdirSync } = functions;
  if (mkdirSync !== undefined) {
    functions["mkdirSync"] = (...args) => {
      const call = owningCall();
      // It prepares for a write that is intercepted, so nothing is written.
      if (call?.mayWrite === false && call.interceptor?.write !== undefined) return undefined;
      return mkdirSync(...args);
    };
  }
  functions["existsSync"] = (path) => {
    try {
      check(path);
      note(path);
      return fs.existsSync(pathText(path));
    } catch {
      return false;
    }
  };
  return functions;
}

function note(path: unknown, isListed = false): void {
  if (typeof path !== "number") {
    noteRead(resolve(currentRoot(), pathText(path)) + (isListed ? "/" : ""));
  }
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
  if (call === undefined ? !isStdioReserved() : call.mayWrite) return;
  const shown = shownPath(currentRoot(), resolve(pathText(path)));
  throw new RefraktError("PERMISSION_DENIED", `Not written: ${quotedName(shown)}`, {
    hint: "The tool is declared read-only, so its package may not write.",
  });
}

/** `readFileSync`, `writeFileSync` and `appendFileSync` with interception. */
function wholeFileFunctions(
  checked: Readonly<Record<string, AnyFunction>>,
): Record<string, AnyFunction> {
  const readFileSync: AnyFunction = (path, options) => {
    const text = currentCall()?.interceptor?.read?.(
      checkPath(currentRoot(), path) ?? resolve(pathText(path)),
    );
    if (text === undefined) return checked["readFileSync"]!(path, options);
    return encodingOf(options) === undefined ? Buffer.from(text) : text;
  };
  const writeFileSync: AnyFunction = (path, given, options) => {
    let data: unknown = given;
    let target = checkPath(currentRoot(), path);
    const intercept = currentCall()?.interceptor?.write;
    if (target !== undefined && intercept !== undefined) {
      const text = data instanceof Uint8Array ? new TextDecoder().decode(data) : String(data);
      const allowed = intercept(target, text);
      if (allowed === null) return;
      ({ path: target, text: data } = allowed);
    }
    const isWhole = (typeof data === "string" || data instanceof Uint8Array) &&
      [undefined, "w"].includes(fieldOf(options, "flag") as string | undefined) &&
      /^utf-?8$/i.test(String(encodingOf(options) ?? "utf8"));
    if (target === undefined || !isWhole) return checked["writeFileSync"]!(path, data, options);
    requireWriting(target);
    const mode = fieldOf(options, "mode");
    const modeOfNew = typeof mode === "number" ? mode : undefined;
    writeFileAtomic(currentFolder(), target, data as string | Uint8Array, modeOfNew);
  };
  const appendFileSync: AnyFunction = (path, data, options) => {
    const isIntercepted = currentCall()?.interceptor !== undefined &&
      typeof data === "string" && checked["existsSync"]!(path) === true;
    if (isIntercepted) writeFileSync(path, String(readFileSync(path, "utf8")) + data);
    else checked["appendFileSync"]!(path, data, options);
  };
  return { readFileSync, writeFileSync, appendFileSync };
}

function encodingOf(options: unknown): unknown {
  return (typeof options === "string" ? options : fieldOf(options, "encoding")) ?? undefined;
}
