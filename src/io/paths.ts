/**
 * Paths that stay where they are allowed to be. Deno follows links that already
 * exist inside a granted folder, so a lexical check is not enough: the real path
 * decides, also for the nearest existing parent of a file that is not there yet.
 *
 * @module
 */

import host, { basename, dirname, isAbsolute, join, type PlatformPath, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";

/** The path functions of one platform; `node:path/posix` and `node:path/win32` are two. */
export type PathFlavour = Pick<
  PlatformPath,
  "sep" | "basename" | "dirname" | "isAbsolute" | "join" | "relative"
>;

/**
 * Whether `path` is `root` or lies below it. Both are absolute and normalised.
 *
 * @param api The path flavour, for tests of both; the host's by default.
 */
export function isInside(root: string, path: string, api: PathFlavour = host): boolean {
  const way = api.relative(root, path);
  return way === "" || way !== ".." && !way.startsWith(`..${api.sep}`) && !api.isAbsolute(way);
}

/**
 * The real path of a file, or of the nearest parent that exists plus the rest.
 * A link that leads nowhere counts as existing, and cannot be resolved.
 *
 * @param root The folder that the message shows the path relative to, where it lies in it.
 * @throws {RefraktError} `PERMISSION_DENIED` for a dangling link or a loop of links.
 */
export function realPathOf(path: string, root?: string): string {
  const missing: string[] = [];
  let current = resolve(path);
  for (;;) {
    try {
      return join(Deno.realPathSync(current), ...missing);
    } catch (error) {
      if (isLink(current)) {
        const message = `Link leads nowhere: ${JSON.stringify(shownBelow(root, path))}`;
        throw new RefraktError("PERMISSION_DENIED", message, {
          hint: "Remove the link, or point it at a file inside the project.",
          cause: error,
        });
      }
      // A parent outside the read grant exists all the same; it is its own real path as far as
      // this process can know, and the runtime refuses the access itself.
      if (!isNotFound(error)) return join(current, ...missing);
      const parent = dirname(current);
      if (parent === current) return join(current, ...missing);
      missing.unshift(basename(current));
      current = parent;
    }
  }
}

/** The longest path, in UTF-16 units. */
const MOST_PATH = 4096;

/**
 * Resolves a path that came from input or from a directory listing, and makes
 * sure that it really lies inside `root`.
 *
 * @param root The real, absolute path of the folder that may not be left.
 * @param path A path relative to `root`, or an absolute one.
 * @param what What the path is, for the message: "Plan directory".
 * @returns The real, absolute path.
 * @throws {RefraktError} `PERMISSION_DENIED` where it leads outside, `INVALID_ARGS` for a NUL byte.
 *
 * @example
 * ```ts
 * import { resolveInside } from "./paths.ts";
 *
 * const root = Deno.realPathSync(".");
 * console.assert(resolveInside(root, "deno.json").startsWith(root));
 * ```
 */
export function resolveInside(root: string, path: string, what = "Path"): string {
  if (path.includes("\0")) {
    throw new RefraktError("INVALID_ARGS", `${what} holds a NUL byte`, {
      hint: "Give a plain path relative to the project.",
    });
  }
  // Each folder of it is looked at, and no system has longer paths.
  if (path.length > MOST_PATH) {
    throw new RefraktError("INVALID_ARGS", `${what} is longer than ${MOST_PATH} characters`, {
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

/** A path as it was given; where that names a place below the root, the way from there. */
function shownBelow(root: string | undefined, path: string): string {
  return root !== undefined && isAbsolute(path) && isInside(root, path)
    ? shownPath(root, path)
    : path;
}

/**
 * The path as it is shown to a client: relative to `root`, with `/`.
 *
 * @param api The path flavour, for tests of both; the host's by default.
 */
export function shownPath(root: string, path: string, api: PathFlavour = host): string {
  const way = api.relative(root, path);
  return way === "" ? "." : way.split(api.sep).join("/");
}

/** Whether an error says that there is nothing at the path. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    fieldOf(error, "code") === "ENOENT" ||
    error instanceof Deno.errors.NotADirectory ||
    fieldOf(error, "code") === "ENOTDIR";
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
