/**
 * Finds what makes git wait: a named pipe or a device in place of a file that it reads. Git opens
 * such files like any other, and waits for a writer. Finds also the links by which git would read
 * and quote files outside.
 */

import { basename, dirname, join } from "node:path";
import { gitFolders, repositoryOf } from "./git_settings.ts";
import { isInside, shownPath } from "./paths.ts";

/** How many entries of folders are examined. */
const MOST_ENTRIES = 5000;

/** Files of the working tree that git reads. */
const IN_TREE = [".git", ".mailmap", ".gitattributes", ".gitmodules"];

/** Returns the path of the first such file, as shown in errors; absolute paths are kept out. */
export function blockedFile(cwd: string): string | undefined {
  const root = repositoryOf(cwd);
  if (root === undefined) return undefined;
  const path = candidates(root, cwd).find(isPipe);
  return path === undefined ? undefined : shownPath(root, path);
}

/** Files and folders of a repository that git reads as text, and quotes in errors. */
const TEXTS = ("HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD config config.worktree packed-refs shallow " +
  "commondir gitdir info info/attributes info/exclude info/grafts refs objects objects/info " +
  "objects/info/alternates worktrees logs").split(" ");
/** How many refs are examined for links. */
const MOST_REFS = 1000;

/** Returns the path of the first such file that is a link out of the repository. */
export function linkedOut(cwd: string): string | undefined {
  const root = repositoryOf(cwd);
  if (root === undefined) return undefined;
  const own = join(root, ".git");
  if (leadsOut(own, [root])) return shownPath(root, own);
  const folders = gitFolders(root);
  for (const folder of folders) {
    const left = { entries: MOST_REFS };
    for (const path of TEXTS.map((name) => join(folder, name))) {
      if (leadsOut(path, [root, ...folders])) return shownPath(root, path);
    }
    for (const path of oddFilesIn(join(folder, "refs"), left)) {
      if (leadsOut(path, [root, ...folders])) return shownPath(root, path);
    }
  }
  return undefined;
}

function leadsOut(path: string, folders: readonly string[]): boolean {
  try {
    if (!Deno.lstatSync(path).isSymlink) return false;
  } catch {
    // It is missing, or git reads it where the server may not.
    return false;
  }
  try {
    const real = Deno.realPathSync(path);
    return !folders.some((folder) => isInside(Deno.realPathSync(folder), real));
  } catch {
    return true;
  }
}

/** Whether a path is a named pipe or a device, links followed. */
function isPipe(path: string): boolean {
  try {
    const { isFifo, isCharDevice, isBlockDevice } = Deno.statSync(path);
    return isFifo === true || isCharDevice === true || isBlockDevice === true;
  } catch {
    return false;
  }
}

/** The files that git may read; those that are no regular files only, where there are many. */
function* candidates(root: string, cwd: string): Generator<string> {
  for (let folder = cwd;; folder = dirname(folder)) {
    yield* IN_TREE.map((name) => join(folder, name));
    if (folder === root || dirname(folder) === folder) break;
  }
  const left = { entries: MOST_ENTRIES };
  for (const folder of gitFolders(root)) yield* oddFilesIn(folder, left);
  for (const path of oddFilesIn(cwd, left)) if (IN_TREE.includes(basename(path))) yield path;
}

function* oddFilesIn(folder: string, left: { entries: number }): Generator<string> {
  const folders: string[] = [];
  try {
    for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
      if (left.entries-- <= 0) return;
      if (isDirectory) folders.push(join(folder, name));
      else if (!isFile) yield join(folder, name);
    }
  } catch {
    // It is missing or unreadable.
  }
  // Objects are many, and come last.
  folders.sort((a, b) => Number(a.endsWith("objects")) - Number(b.endsWith("objects")));
  for (const each of folders) yield* oddFilesIn(each, left);
}
