/**
 * Where a tool may write. Deno judges the name of a file, and the system follows the links in it:
 * `plan/sub/a.md` may lie in `.git` or among the sources. So each write names the folder that its
 * tool may write in, and {@linkcode writablePath} judges the real path when the write happens.
 *
 * A link that somebody makes between that moment and the write is not noticed.
 */

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { RefraktError } from "../errors.ts";
import {
  exists,
  isInside,
  isLink,
  nameProblem,
  realPathOf,
  resolveInside,
  serveAs,
  shownPath,
} from "./paths.ts";
import { quotedName, requireNewName } from "../plain_text.ts";
import { mayWriteTo } from "./permissions.ts";

declare const isWriteFolder: unique symbol;

/** A folder that a tool may write in. Only {@linkcode writeFolder} makes one. */
export interface WriteFolder {
  /** The project, to show paths relative to it. */
  readonly root: string;
  /** The real path, under the name that the project is served by. It may not exist yet. */
  readonly path: string;
  readonly [isWriteFolder]: true;
}

/** @param path The real, absolute path of a folder in the project; by default the project itself. */
export function writeFolder(root: string, path: string = root): WriteFolder {
  return { root, path } as WriteFolder;
}

/**
 * Returns the real path of a file or folder to write, rename or remove. A link as the last name is not
 * followed: the caller replaces, removes or rejects it.
 *
 * @param path An absolute path, or one relative to the folder; its folders need not exist.
 * @param shownAs The path for the message, if the caller has followed links.
 * @throws {RefraktError} `PERMISSION_DENIED` if it lies outside the folder, or in a `.git`.
 */
export function writablePath(folder: WriteFolder, path: string, shownAs: string = path): string {
  const name = resolve(folder.path, path);
  const real = join(realPathOf(dirname(name), folder.root), basename(name));
  const names = relative(folder.root, real).split(sep);
  const isInGit = names.some((part) => part.toLowerCase() === ".git");
  if (isInside(folder.path, real) && !isInGit) return real;
  throw outside(folder, resolve(folder.path, shownAs), real);
}

/**
 * Like {@linkcode writablePath}, for a file or folder that is created.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a name that no new file should have.
 */
export function newPath(folder: WriteFolder, path: string): string {
  const real = writablePath(folder, path);
  for (let at = real; at !== folder.path && !exists(at); at = dirname(at)) {
    requireFileName("A file name", basename(at));
  }
  return real;
}

/**
 * Rejects hidden characters in the name or path of a new file, and names that Windows does not have:
 * another clone of the repository may be there.
 */
export function requireFileName(subject: string, path: string): void {
  requireNewName(subject, path);
  const problem = nameProblem(path) ?? nameProblem(path, "windows");
  if (problem === undefined) return;
  throw new RefraktError("INVALID_ARGS", `${subject} ${problem}`, { hint: "Choose another name." });
}

function outside({ root, path }: WriteFolder, name: string, real: string): RefraktError {
  const quoted = (each: string) => quotedName(shownPath(root, each));
  const leads = name === real ? "" : ` It leads to ${quoted(real)}.`;
  return new RefraktError("PERMISSION_DENIED", `Not a path to write: ${quoted(name)}`, {
    hint: `Nothing was written.${leads} Only files in ${quoted(path)} are written, and none in a ` +
      ".git folder. Give another path, or replace the link by a folder.",
  });
}

/**
 * Like {@linkcode resolveInside}, for a folder to write in: its real path, unless Deno may write it
 * only by another spelling of that, as with a folder `Plan` and `--allow-write=plan`. Where the name
 * is a link, Deno has to permit what it leads to.
 */
export function grantedFolder(root: string, path: string, subject: string): string {
  const real = resolveInside(root, path, subject, path);
  if (!exists(real)) requireFileName(subject, path);
  const name = resolve(root, path);
  if (real === name || !isInside(root, name) || mayWriteTo(real) || !mayWriteTo(name)) return real;
  if (leadsThroughLink(root, name)) return real;
  serveAs(name, real);
  return name;
}

/** Whether a path below the root, or a folder between them, is a link. */
export function leadsThroughLink(root: string, path: string): boolean {
  for (let at = path; relative(root, at) !== ""; at = dirname(at)) if (isLink(at)) return true;
  return false;
}
