/** Finds the folders of a repository: git's own files name some, and links lead to others. */

import { dirname, isAbsolute, join, parse } from "node:path";
import { orElse } from "../errors.ts";
import { OpenFile } from "./open_file.ts";
import { isLink, named } from "./paths.ts";

/** How many links the system follows in a path. */
const MOST_LINKS = 40;
/** The largest file of git that is read, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024;
const USUAL_BYTES = 4096;

/**
 * Follows a path as the system does: link by link, and `..` from where a link leads to. Stops at
 * what {@linkcode isSystem} tells. The result has the name of its folder that Deno grants.
 *
 * @param folder An absolute path without links, or the root.
 * @param path Relative to the folder, or absolute.
 */
export function follow(folder: string, path: string): string {
  const separator = Deno.build.os === "windows" ? /[\\/]/ : "/";
  let at = isAbsolute(path) ? parse(path).root : folder;
  let left = path.slice(isAbsolute(path) ? at.length : 0).split(separator);
  for (let links = 0; left.length > 0 && !isSystem(at);) {
    const name = left.shift()!;
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(at) : join(at, name);
    const target = links < MOST_LINKS && name !== ".." ? targetOf(named(next)) : undefined;
    if (target === undefined) at = next;
    else {
      links++;
      if (isAbsolute(target)) at = parse(target).root;
      left = [...target.slice(isAbsolute(target) ? at.length : 0).split(separator), ...left];
    }
  }
  return named(at);
}

/** Whether a path depends on the process that opens it, or is a device. */
export function isSystem(path: string): boolean {
  return /^\/(?:proc|dev)(?:\/|$)/.test(path);
}

function targetOf(path: string): string | undefined {
  // It may be missing, or lie outside the permissions.
  return isLink(path) ? orElse(() => Deno.readLinkSync(path), undefined) : undefined;
}

/** The folder of the repository, and of a worktree of it. */
export function gitFolders(root: string): string[] {
  const own = follow(root, ".git");
  const [, named] = /^gitdir: ([^]*?)[\r\n]*$/.exec(textIn(own) ?? "") ?? [];
  const folder = named === undefined ? own : follow(root, named);
  const common = textIn(follow(folder, "commondir"))?.replace(/[\r\n]+$/, "");
  return [folder, ...common === undefined ? [] : [follow(folder, common)]];
}

/**
 * Reads a file of git.
 *
 * @param real Its path without links.
 * @returns `undefined` if it is none, too large, or may not be read.
 */
export function textIn(path: string): string | undefined {
  try {
    using file = new OpenFile(path);
    const bytes = file.read(USUAL_BYTES, MOST_BYTES);
    return bytes === null ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
