/** Queries Deno permissions, and turns permission errors into errors that name the missing flag. */

import { quotedName, word } from "../plain_text.ts";
import { dirname, join, relative } from "node:path";
import { type ErrorCode, finalName, pathIn, rawMessage, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "./deno_messages.ts";
import { fieldOf } from "./json.ts";
import { isInside, shownPath } from "./paths.ts";

/** Queries a permission without prompting. */
export function queryGrant(descriptor: Deno.PermissionDescriptor): Deno.PermissionState {
  return Deno.permissions.querySync(descriptor).state;
}

/** Whether the process may write a path (absolute, or relative to its directory). */
export function mayWriteTo(path: string): boolean {
  return queryGrant({ name: "write", path }) === "granted";
}

export function mayRead(path: string): boolean {
  return queryGrant({ name: "read", path }) === "granted";
}

/**
 * Whether the process may read a real path. Deno grants names: where the working directory is reached
 * by a link, or by a drive of `subst`, the real path has another name.
 */
export function isReadable(path: string): boolean {
  if (mayRead(path)) return true;
  const cwd = Deno.cwd();
  if (!mayRead(cwd)) return false;
  const real = Deno.realPathSync(cwd);
  return real !== cwd && isInside(real, path) && mayRead(join(cwd, relative(real, path)));
}

export function mayRunGit(): boolean {
  return queryGrant({ name: "run", command: "git" }) === "granted";
}

/** Reads an environment variable; `undefined` if it is empty, missing or not permitted. */
export function readVariable(variable: string): string | undefined {
  if (queryGrant({ name: "env", variable }) !== "granted") return undefined;
  return Deno.env.get(variable) || undefined;
}

/** Whether an error is a permission error of Deno or `node:fs`. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return true;
  }
  const code = fieldOf(error, "code");
  return code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ERR_ACCESS_DENIED";
}

/** Whether another program may have a file open: Windows reports that as a refusal. */
export function isBusy(error: unknown): boolean {
  if (error instanceof Deno.errors.NotCapable) return false;
  const code = fieldOf(error, "code");
  return error instanceof Deno.errors.Busy || code === "EBUSY" ||
    code !== "EROFS" && isRefusal(error);
}

/** Codes of the operating system for a full disk, a quota, and a limit of the file size. */
const NO_ROOM = ["ENOSPC", "EDQUOT", "EFBIG"];

/**
 * Turns an error of the system into one that says what to do, such as the flag to add.
 *
 * @param folder The folder that the caller works in, absolute: the one to permit for what is in it.
 * @returns `undefined` for errors that are not about permissions, room or long names.
 */
export function refusalToError(
  error: unknown,
  root: string,
  folder?: string,
): RefraktError | undefined {
  const raw = rawMessage(error);
  const path = pathIn(error);
  const file = path !== undefined && isInside(root, path)
    ? `: ${quotedName(shownPath(root, path))}`
    : "";
  const failure = (code: ErrorCode, message: string, hint: string, data?: { flag: string }) =>
    new RefraktError(code, message, { hint, data, cause: error });
  const code = String(fieldOf(error, "code"));
  if (code === "ENAMETOOLONG") {
    const message = "A file name is too long for the operating system";
    return failure("INVALID_ARGS", message, "Give a shorter name or path.");
  }
  if (NO_ROOM.includes(code) || DENO_MESSAGES.fileTooLarge.test(raw)) {
    const hint =
      "Free some space, or raise the limit (a quota, ulimit -f), then repeat the call; " +
      "the file is unchanged.";
    return failure("FILE_OPERATION_FAILED", `No room for the file${file}`, hint);
  }
  if (!isRefusal(error)) return undefined;
  const wanted = DENO_MESSAGES.accessRequired.exec(raw);
  if (wanted === null) {
    const hint = "Check owner and mode of the file and its folder: a write creates a temporary " +
      "file in the same folder.";
    return failure("PERMISSION_DENIED", `The operating system refused access${file}`, hint);
  }
  const [, kind = "", resource] = wanted;
  const target = resource && finalName(resource);
  const isPath = (kind === "read" || kind === "write") && target !== undefined;
  const displayName = isPath && isInside(root, target) ? shownPath(root, target) : target;
  const value = isPath && displayName !== target ? permitted(root, target!, folder) : target;
  const isNamed = value !== undefined && !value.startsWith("<");
  const flag = `--allow-${kind}${isNamed ? `=${value}` : ""}`;
  const place = displayName === undefined ? "" : ` ${quotedName(displayName)}`;
  const isDenied = isPath && queryGrant({ name: kind, path: target }) === "denied";
  const step = isDenied
    ? `A --deny-${kind} flag takes precedence over --allow-${kind}. Remove it`
    : `Start the server with ${word(flag)}`;
  const message = `No permission to ${VERBS[kind] ?? kind}${place}`;
  return failure("PERMISSION_DENIED", message, `${step}, if this should be allowed.`, { flag });
}

/**
 * What to permit for a path inside the root: the caller's folder, else the folder directly below
 * the root. Of a hidden one, such as `.git`, it is only the folder that contains the path.
 */
function permitted(root: string, path: string, folder: string | undefined): string {
  if (folder !== undefined && isInside(folder, path)) return shownPath(root, folder);
  const [first, ...rest] = shownPath(root, path).split("/");
  const isHidden = first!.startsWith(".") && rest.length > 0;
  return isHidden ? shownPath(root, dirname(path)) : first!;
}

const VERBS: Readonly<Record<string, string>> = {
  net: "connect to",
  env: "read the environment variable",
  sys: "read system information",
  ffi: "load the native library",
};
