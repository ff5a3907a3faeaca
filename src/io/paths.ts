/**
 * Path checks. Deno follows existing links inside a permitted folder, so lexical checks are not
 * enough: the real path decides, or that of the nearest existing parent for new files.
 */

import host, { basename, dirname, isAbsolute, join, type PlatformPath, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";

/** Path functions of one platform, such as `node:path/posix` or `node:path/win32`. */
export type PathFlavour = Pick<
  PlatformPath,
  "sep" | "basename" | "dirname" | "isAbsolute" | "join" | "relative"
>;

/**
 * Whether `path` is `root` or lies below it. Both are absolute and normalised.
 *
 * @param api Path functions, for tests; the host's by default.
 */
export function isInside(root: string, path: string, api: PathFlavour = host): boolean {
  const way = api.relative(root, path);
  return way === "" || way !== ".." && !way.startsWith(`..${api.sep}`) && !api.isAbsolute(way);
}

/**
 * Returns the real path of a file, or that of its nearest existing parent plus the rest. A broken
 * link counts as existing and cannot be resolved.
 *
 * @param root The folder to show the path relative to in messages.
 * @throws {RefraktError} `PERMISSION_DENIED` for a broken link or a loop of links.
 */
export function realPathOf(path: string, root?: string): string {
  const missing: string[] = [];
  let current = resolve(path);
  for (;;) {
    try {
      return join(Deno.realPathSync(current), ...missing);
    } catch (error) {
      if (isLink(current)) {
        const message = `Broken link: ${JSON.stringify(shownBelow(root, path))}`;
        throw new RefraktError("PERMISSION_DENIED", message, {
          hint: "Remove the link, or point it at a file inside the project.",
          cause: error,
        });
      }
      // A parent outside the read permission exists but cannot be resolved; Deno rejects the access.
      if (!isNotFound(error)) return join(current, ...missing);
      const parent = dirname(current);
      if (parent === current) return join(current, ...missing);
      missing.unshift(basename(current));
      current = parent;
    }
  }
}

/** The maximum path length in UTF-16 units. */
const MOST_PATH = 4096;

/**
 * Resolves a path from input or from a directory listing, and checks that it really lies inside
 * `root`.
 *
 * @param root The real, absolute folder that must not be left.
 * @param path A path relative to `root`, or an absolute one.
 * @param what What the path is, for the message: "Plan directory".
 * @returns The real, absolute path.
 * @throws {RefraktError} `PERMISSION_DENIED` if it leads outside, `INVALID_ARGS` for a NUL byte.
 */
export function resolveInside(root: string, path: string, what = "Path"): string {
  const hasNul = path.includes("\0");
  // Every folder of a path costs a system call, and no system supports longer paths.
  if (hasNul || path.length > MOST_PATH) {
    const why = hasNul ? "holds a NUL byte" : `is longer than ${MOST_PATH} characters`;
    throw new RefraktError("INVALID_ARGS", `${what} ${why}`, {
      hint: "Give a plain path relative to the project.",
    });
  }
  const lexical = resolve(root, path);
  const real = isInside(root, lexical) || isAbsolute(path) ? realPathOf(lexical, root) : lexical;
  if (isInside(root, real)) return real;
  throw new RefraktError(
    "PERMISSION_DENIED",
    `${what} leads out of the project: ${JSON.stringify(shownBelow(root, path))}`,
    { hint: "Give a path inside the project; links that point outside are not followed." },
  );
}

/** Returns the path relative to `root` if it is absolute and inside, else unchanged. */
function shownBelow(root: string | undefined, path: string): string {
  return root !== undefined && isAbsolute(path) && isInside(root, path)
    ? shownPath(root, path)
    : path;
}

/**
 * Returns the path as shown to clients: relative to `root`, with `/`.
 *
 * @param api Path functions, for tests; the host's by default.
 */
export function shownPath(root: string, path: string, api: PathFlavour = host): string {
  const way = api.relative(root, path);
  return way === "" ? "." : way.split(api.sep).join("/");
}

/** Whether an error means that the path does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    fieldOf(error, "code") === "ENOENT" ||
    error instanceof Deno.errors.NotADirectory ||
    fieldOf(error, "code") === "ENOTDIR";
}

/** Whether a path exists; links are not followed. */
export function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== null;
  } catch {
    return false;
  }
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
