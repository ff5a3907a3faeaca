/**
 * Finds what makes git wait: a named pipe or a device in place of a file that it reads. Git opens
 * such files like any other, and waits for a writer. Finds also the links by which git would read
 * and quote files outside.
 */

import { basename, dirname, join, resolve } from "node:path";
import { gitFolders, repositoryOf, textOf } from "./git_settings.ts";
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

/** How deep git follows includes. */
const MOST_INCLUDES = 10;

/** Why git is not asked. */
export interface Refused {
  /** As shown in errors. */
  readonly path: string;
  readonly why: "pipe" | "link" | "include";
}

/** Returns the first such file that would make git wait, or read and quote a file outside. */
export function refusedFile(cwd: string): Refused | undefined {
  const root = repositoryOf(cwd);
  if (root === undefined) return undefined;
  const folders = [root, ...gitFolders(root)];
  const refused = (path: string, why: Refused["why"] | undefined) =>
    why === undefined ? undefined : { path: shownPath(root, path), why };
  for (const path of treeFiles(root, cwd)) {
    const isOwn = path === join(root, ".git");
    const found = refused(path, isOwn ? faultOf(path, [root]) : isPipe(path) ? "pipe" : undefined);
    if (found !== undefined) return found;
  }
  for (const folder of folders.slice(1)) {
    const left = { entries: MOST_REFS };
    const texts = TEXTS.map((name) => join(folder, name));
    for (const path of [...texts, ...oddFilesIn(join(folder, "refs"), left)]) {
      const found = refused(path, faultOf(path, folders));
      if (found !== undefined) return found;
    }
    for (const name of ["config", "config.worktree"]) {
      for (const [path, why] of includesOf(join(folder, name), folders, MOST_INCLUDES)) {
        const found = refused(path, why);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

/** The files that a config includes, with what is wrong; git reads includes before all else. */
function* includesOf(
  config: string,
  folders: readonly string[],
  most: number,
): Generator<readonly [path: string, why: Refused["why"] | undefined]> {
  const text = textOf(folders.find((folder) => isInside(folder, config)) ?? "", config) ?? "";
  let section = "";
  for (const line of text.replace(/^\uFEFF/, "").replaceAll(/\\\r?\n/g, "").split("\n")) {
    const [, name, after = line] = /^\s*\[([^\]"]*(?:"(?:\\.|[^"\\])*")?)\s*\](.*)$/.exec(line) ??
      [];
    section = name?.trim().toLowerCase() ?? section;
    const [, value] = /^\s*path\s*=\s*(.*?)\s*$/i.exec(after) ?? [];
    if (value === undefined || !/^include(?:if\b|$)/.test(section)) continue;
    const given = value.replace(/^("[^"]*"|[^#;"]*).*$/, "$1").replaceAll('"', "").trim();
    // Git has no home folder here.
    if (/^~\//.test(given)) continue;
    const path = resolve(dirname(config), given);
    if (folders.some((folder) => isInside(folder, path))) {
      const why = faultOf(path, folders);
      yield [path, why];
      if (why === undefined && most > 0) yield* includesOf(path, folders, most - 1);
      // Hosts of automatic jobs keep conditional ones outside.
    } else if (section === "include") yield [config, "include"];
  }
}

function faultOf(path: string, folders: readonly string[]): Refused["why"] | undefined {
  try {
    const { isFile, isDirectory, isSymlink } = Deno.lstatSync(path);
    if (isFile || isDirectory) return undefined;
    if (!isSymlink) return isPipe(path) ? "pipe" : undefined;
  } catch {
    // It is missing, or git reads it where the server may not.
    return undefined;
  }
  try {
    const real = Deno.realPathSync(path);
    if (!folders.some((folder) => isInside(Deno.realPathSync(folder), real))) return "link";
    return isPipe(path) ? "pipe" : undefined;
  } catch {
    return "link";
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
  yield* treeFiles(root, cwd);
  const left = { entries: MOST_ENTRIES };
  for (const folder of gitFolders(root)) yield* oddFilesIn(folder, left);
  for (const path of oddFilesIn(cwd, left)) if (IN_TREE.includes(basename(path))) yield path;
}

function* treeFiles(root: string, cwd: string): Generator<string> {
  for (let folder = cwd;; folder = dirname(folder)) {
    yield* IN_TREE.map((name) => join(folder, name));
    if (folder === root || dirname(folder) === folder) break;
  }
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
