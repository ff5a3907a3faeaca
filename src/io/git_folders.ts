/** Finds the folders of a repository, which its own files name, and reads small files in them. */

import { join, resolve } from "node:path";
import { OpenFile } from "./open_file.ts";
import { named, realPathOf } from "./paths.ts";

/** The largest file of git that is read, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024;
const USUAL_BYTES = 4096;

/** The folder of the repository, and of a worktree of it. */
export function gitFolders(root: string): string[] {
  const entry = join(root, ".git");
  const [, target] = /^gitdir: ([^]*?)[\r\n]*$/.exec(textIn(entry) ?? "") ?? [];
  const folder = target === undefined ? entry : named(resolve(root, target));
  const common = textIn(join(folder, "commondir"))?.replace(/[\r\n]+$/, "");
  return [folder, ...common === undefined ? [] : [named(resolve(folder, common))]];
}

/** Reads a file of git; returns `undefined` if it is missing, too large, or may not be read. */
export function textIn(path: string): string | undefined {
  try {
    using file = openInGit(path);
    const bytes = file.read(USUAL_BYTES, MOST_BYTES);
    return bytes === null ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Opens a file of git, which may be a link. */
export function openInGit(path: string): OpenFile {
  return new OpenFile(realPathOf(path));
}
