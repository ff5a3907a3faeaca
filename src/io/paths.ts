/**
 * Path checks. Deno follows existing links inside a permitted folder, so lexical checks are not
 * enough: the real path decides, or that of the nearest existing parent for new files.
 */

import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";
import { isShownAs, quotedName } from "../plain_text.ts";

/** Whether `path` is `root` or lies below it. Both are absolute and normalised. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real paths of folders that are served under another name. */
const realNames = new Map<string, string>();

/**
 * Registers the name under which Deno permits a folder, if that is not its real path: a link, a
 * mapped drive, another case. From then on, {@linkcode realPathOf} returns paths under this name.
 */
export function serveAs(name: string, real: string): void {
  if (name === real) realNames.delete(name);
  else realNames.set(name, real);
}

/** Returns a real path below the registered name of its folder, the innermost of several. */
export function namedPath(real: string): string {
  let best: [name: string, real: string] | undefined;
  for (const entry of realNames) {
    if (entry[1].length > (best?.[1].length ?? 0) && isInside(entry[1], real)) best = entry;
  }
  return best === undefined ? real : join(best[0], relative(best[1], real));
}

/**
 * Returns the real path of a file, or that of its nearest existing parent plus the rest, below a
 * folder of {@linkcode serveAs} under that name. A broken link counts as existing and cannot be
 * resolved.
 *
 * @param root The folder to show the path relative to in messages.
 * @throws {RefraktError} `PERMISSION_DENIED` for a broken link or a loop of links.
 */
export function realPathOf(path: string, root?: string): string {
  const missing: string[] = [];
  let current = resolve(path);
  for (;;) {
    try {
      return join(namedPath(Deno.realPathSync(current)), ...missing);
    } catch (error) {
      if (isLink(current)) {
        const message = `Broken link: ${quotedName(shownBelow(root, path))}`;
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
 * `root`. Accepts other spellings of the same file: `\\` for `/`, another Unicode normal form,
 * hidden characters as they were shown, and another case where the disk ignores it.
 *
 * @param root The absolute folder that must not be left, by the name it is served under.
 * @param subject What the path is, for the message: "Plan directory".
 * @param original The path as the client gave it, for the message; by default relative to the root.
 * @returns The real, absolute path, under the name of the root.
 * @throws {RefraktError} `PERMISSION_DENIED` if it leads outside, `INVALID_ARGS` for an impossible name.
 */
export function resolveInside(
  root: string,
  path: string,
  subject = "Path",
  original: string = shownBelow(root, path),
): string {
  // Every folder of a path costs a system call, and no system supports longer paths.
  const problem = path.length > MOST_PATH
    ? `is longer than ${MOST_PATH} characters`
    : nameProblem(path);
  if (problem !== undefined) {
    throw new RefraktError("INVALID_ARGS", `${subject} ${problem}`, {
      hint: "Give a plain path relative to the project.",
    });
  }
  const lexical = asOnDisk(root, resolve(root, path));
  const real = isInside(root, lexical) || isAbsolute(path) ? realPathOf(lexical, root) : lexical;
  if (isInside(root, real)) return real;
  const message = `${subject} leads out of the project: ${quotedName(original)}`;
  throw new RefraktError("PERMISSION_DENIED", message, {
    hint: "Give a path inside the project; links that point outside are not followed.",
  });
}

/**
 * Finds the spelling of a path that exists; returns the given one if there is none. Where the disk
 * ignores case, the real path corrects it.
 */
function asOnDisk(root: string, path: string): string {
  if (exists(path)) return path;
  // A name that we have shown has `\u` escapes for hidden characters.
  const escaped = path.includes("\\u") ? spelledBelow(root, path) : path;
  if (exists(escaped)) return escaped;
  return spelledBelow(root, namedPath(resolve(root, relative(root, path).replaceAll("\\", "/"))));
}

function spelledBelow(root: string, path: string): string {
  if (!isInside(root, path)) return path;
  let spelled = root;
  for (const name of relative(root, path).split(sep).filter((part) => part !== "")) {
    const inner = join(spelled, name);
    spelled = exists(inner) ? inner : join(spelled, alikeIn(spelled, name) ?? name);
  }
  return spelled;
}

/**
 * The entry of a folder whose name differs only in its Unicode normal form, as macOS writes it, or
 * in escapes of hidden characters.
 */
function alikeIn(folder: string, name: string): string | undefined {
  if (/^[\0-\x7f]*$/.test(name) && !name.includes("\\u")) return undefined;
  const entries = orElse(() => [...Deno.readDirSync(folder)], []);
  const isAlike = (other: string) =>
    other.normalize() === name.normalize() || isShownAs(name, other);
  return entries.find((entry) => isAlike(entry.name))?.name;
}

/** Returns the path relative to `root` if it is absolute and inside, else unchanged. */
function shownBelow(root: string | undefined, path: string): string {
  return root !== undefined && isAbsolute(path) && isInside(root, path)
    ? shownPath(root, path)
    : path;
}

/** Returns the path as shown to clients: relative to `root`, with `/`. */
export function shownPath(root: string, path: string): string {
  const way = relative(root, path);
  return way === "" ? "." : way.split(sep).join("/");
}

/** Whether an error means that the path does not exist; links in a circle lead nowhere. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    ["ENOENT", "ENOTDIR", "ELOOP"].includes(String(fieldOf(error, "code")));
}

/** Returns the result of `work`, or `otherwise` if a file does not exist. */
export function ifFound<Value, Other = Value>(work: () => Value, otherwise: Other): Value | Other {
  try {
    return work();
  } catch (error) {
    if (isNotFound(error)) return otherwise;
    throw error;
  }
}

/** Whether a path exists; links are not followed. */
export function exists(path: string): boolean {
  return orElse(() => Deno.lstatSync(path) !== null, false);
}

export function isLink(path: string): boolean {
  return orElse(() => Deno.lstatSync(path).isSymlink, false);
}

/** The maximum length of one name: UTF-16 units on Windows and macOS, bytes on Linux. */
const MOST_NAME = 255;

/** Windows reserves these for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** What is wrong with the names in a path, as the end of a sentence; `undefined` if nothing is. */
export function nameProblem(path: string, os = Deno.build.os): string | undefined {
  if (path.includes("\0")) return "holds a NUL byte";
  const isWindows = os === "windows";
  const names = path.split(isWindows ? /[\\/]/ : "/");
  const encoder = new TextEncoder();
  const lengthOf = (name: string) => (os === "linux" ? encoder.encode(name) : name).length;
  const long = names.find((name) => lengthOf(name) > MOST_NAME);
  if (long !== undefined) {
    return `holds a name of more than ${MOST_NAME} ${os === "linux" ? "bytes" : "characters"}: ` +
      JSON.stringify(`${long.slice(0, 20).toWellFormed()}…`);
  }
  if (!isWindows) return undefined;
  // The drive of an absolute path has a colon.
  const odd = names.slice(/^[a-z]:$/i.test(names[0]!) ? 1 : 0).find((name) => {
    return RESERVED.test(name) || /[<>:"|?*\p{Cc}]/u.test(name) || /[^.][. ]+$|^ +$/.test(name);
  });
  return odd && `holds a name that Windows does not allow: ${quotedName(odd)}`;
}
