/**
 * Finds what keeps git from being started: a named pipe or a device in place of a file that it
 * reads, for which it would wait, and what leads it to read and quote files outside.
 */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { follow, gitFolders, isSystem, textIn } from "./git_folders.ts";
import { includesIn } from "./git_includes.ts";
import { foldersFrom } from "./git_settings.ts";
import { isInside, shownPath } from "./paths.ts";

/** Why git is not asked. */
export interface Refused {
  /** As shown in errors. */
  readonly path: string;
  readonly why: "pipe" | "link" | "include" | "size";
}

type Fault = readonly [path: string, why: Refused["why"]];

/** Files of the working tree that git reads; by the last two it would know a repository. */
const IN_TREE = [".git", ".mailmap", ".gitattributes", ".gitmodules", "HEAD", "commondir"];
/** Files and folders of a repository that git reads as text, and quotes in errors. */
const TEXTS = ("HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD config config.worktree packed-refs shallow " +
  "commondir gitdir info info/attributes info/exclude info/grafts info/sparse-checkout refs " +
  "objects objects/info objects/info/alternates worktrees logs reftable").split(" ");
/** Folders of a repository that no question of ours reads. */
const UNREAD = new Set(["hooks", "modules", "lfs", "annex"]);
/** How many entries of its folders are examined. */
const MOST_ENTRIES = 200_000;
/** How many entries of a folder are listed to tell what its names are. */
const MOST_LISTED = 2000;
/** How many files a config includes, with those of included ones, or a list of objects names. */
const MOST_NAMED = 1000;
/** How deep git follows includes, and borrowed folders of objects. */
const [MOST_INCLUDES, MOST_ALTERNATES] = [10, 5];

/** The repositories whose folders were searched. */
const searched = new Set<string>();

/**
 * Returns the first fault.
 *
 * @param isAgain Searches all folders of the repository, and not only at the first question.
 */
export function refusedFile(cwd: string, isAgain = false): Refused | undefined {
  const { folders, repository: root } = foldersFrom(cwd);
  const shown = ([path, why]: Fault) => ({ path: shownPath(root ?? cwd, path), why });
  for (const folder of folders) {
    for (const name of IN_TREE) {
      if (isPipe(join(folder, name))) return shown([join(folder, name), "pipe"]);
    }
  }
  if (root === undefined) return undefined;
  const own = gitFolders(root);
  const key = JSON.stringify([root, own]);
  for (const fault of faultsOf(root, own, isAgain || !searched.has(key))) return shown(fault);
  searched.add(key);
  return undefined;
}

function* faultsOf(root: string, own: readonly string[], isSearched: boolean): Generator<Fault> {
  const place = [follow(root, ".")];
  yield* faultsAt(place[0]!, ".git", place);
  for (const folder of own) if (isSystem(folder)) yield [join(root, ".git"), "link"];
  place.push(...own);
  const folders = own.map((folder) => [folder, kindsBelow(folder)] as const);
  const named = { left: MOST_NAMED };
  for (const [folder, kindOf] of folders) {
    for (const name of TEXTS) {
      if (kindOf(name) === "other") yield* faultsAt(folder, name, place);
    }
    for (const name of ["config", "config.worktree"]) {
      if (kindOf(name) === "missing") continue;
      yield* includeFaults(join(folder, name), place, named, MOST_INCLUDES);
    }
  }
  const borrowed = new Set<string>();
  for (const [folder, kindOf] of folders) {
    if (kindOf("objects/info/alternates") === "missing") continue;
    yield* alternateFaults(join(folder, "objects"), place, borrowed, MOST_ALTERNATES);
  }
  if (!isSearched) return;
  const left = { entries: MOST_ENTRIES, seen: new Set<string>() };
  for (const folder of [...own, ...borrowed]) yield* faultsBelow(folder, place, left);
}

/** A file or a folder without links on the way; nothing; or what has to be looked at. */
type Kind = "plain" | "missing" | "other";

/**
 * Returns a function that tells what a name below a folder is. It lists the folders on the way: asking
 * for each name takes many times as long, since most are missing.
 */
function kindsBelow(root: string): (name: string) => Kind {
  const lists = new Map<string, ReturnType<typeof listed>>();
  return (name) => {
    const parts = name.split("/");
    let folder = root;
    for (const [at, part] of parts.entries()) {
      if (!lists.has(folder)) lists.set(folder, listed(folder));
      const list = lists.get(folder);
      const entry = list?.get(part.toLowerCase());
      if (list === undefined || entry !== undefined && entry.name !== part) return "other";
      if (entry?.isFile && at === parts.length - 1) return "plain";
      if (entry === undefined || entry.isFile) return "missing";
      if (!entry.isDirectory) return "other";
      folder = join(folder, part);
    }
    return "plain";
  };
}

/** The entries of a folder by their names in lower case, if these tell what a system finds. */
function listed(folder: string): ReadonlyMap<string, Deno.DirEntry> | undefined {
  const entries = new Map<string, Deno.DirEntry>();
  try {
    for (const entry of Deno.readDirSync(folder)) {
      const key = entry.name.toLowerCase();
      // Some disks ignore the case, or invisible characters.
      if (entries.size >= MOST_LISTED || entries.has(key) || /[^ -~]/.test(key)) return undefined;
      entries.set(key, entry);
    }
    return entries;
  } catch {
    // It may not be read, or is no folder.
    return undefined;
  }
}

/** A link that leads out of all folders, or a pipe. */
function* faultsAt(folder: string, name: string, place: readonly string[]): Generator<Fault> {
  const real = follow(folder, name);
  if (isOutside(real, place)) yield [join(folder, name), "link"];
  else if (isPipe(real)) yield [join(folder, name), "pipe"];
}

const isOutside = (real: string, place: readonly string[]) =>
  isSystem(real) || !place.some((folder) => isInside(folder, real));

/** The faults of what a config includes; git reads includes before all else. */
function* includeFaults(
  config: string,
  place: readonly string[],
  named: { left: number },
  most: number,
): Generator<Fault> {
  const text = textIn(follow("/", config));
  if (text === undefined && isFile(config)) yield [config, "size"];
  for (const { path, isConditional } of includesIn(text ?? "")) {
    // Git reads each as often as it is named.
    if (named.left-- <= 0) return yield [config, "size"];
    // Git has no home folder here.
    if (path.startsWith("~/")) continue;
    // Versions of git read other spaces in different ways.
    const isUnclear = /[^\S ]|\uFFFD/.test(path);
    const isElsewhere = /^(?:~|%\(prefix\))/.test(path);
    const real = isElsewhere ? "" : follow(config.replace(/[^\\/]*$/, ""), path);
    if (!isUnclear && real !== "" && !isOutside(real, place)) {
      if (isPipe(real)) yield [real, "pipe"];
      else if (most > 0) yield* includeFaults(real, place, named, most - 1);
      // Hosts of automatic jobs keep conditional ones outside.
    } else if (!isConditional || isUnclear || isSystem(real)) yield [config, "include"];
  }
}

/** Collects the folders of objects that a folder of objects borrows from, with their faults. */
function* alternateFaults(
  objects: string,
  place: readonly string[],
  found: Set<string>,
  most: number,
): Generator<Fault> {
  const list = join(objects, "info/alternates");
  const text = textIn(follow("/", list));
  if (text === undefined && isFile(list)) yield [list, "size"];
  const lines = text?.split("\n") ?? [];
  if (lines.length > MOST_NAMED) yield [list, "size"];
  for (const line of lines) {
    if (line === "" || line.startsWith("#")) continue;
    const name = line.replace(/^"(.*)"$/, "$1");
    // Git resolves `..` in the name first.
    const real = follow("/", join(name.startsWith("/") ? "" : objects, name));
    if (isSystem(real) || name.includes("\\") && name !== line) yield [list, "link"];
    if (found.has(real) || isOutside(real, place)) continue;
    found.add(real);
    yield* faultsAt(real, "info/alternates", place);
    if (most > 0) yield* alternateFaults(real, place, found, most - 1);
  }
}

/** Searches a folder of git: objects and refs are many. */
function* faultsBelow(
  folder: string,
  place: readonly string[],
  left: { entries: number; readonly seen: Set<string> },
): Generator<Fault> {
  if (left.seen.has(folder)) return;
  left.seen.add(folder);
  const below: string[] = [];
  try {
    for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
      if (left.entries-- <= 0) return;
      const path = join(folder, name);
      if (isDirectory && !UNREAD.has(name)) below.push(path);
      if (isFile || isDirectory) continue;
      const real = follow("/", path);
      // Git takes each name below for a ref, or for a file of a worktree.
      const isText = /[\\/](?:refs|worktrees)[\\/]/.test(path);
      if (isPipe(real) || isSystem(real)) yield [path, "pipe"];
      else if (isText && isOutside(real, place)) yield [path, "link"];
      else if (!isOutside(real, place)) below.push(real);
    }
  } catch {
    // It is missing, unreadable, or no folder.
  }
  // Objects come last.
  below.sort((a, b) => Number(a.endsWith("objects")) - Number(b.endsWith("objects")));
  for (const each of below) yield* faultsBelow(each, place, left);
}

/** Whether a path is a named pipe or a device, links followed. */
function isPipe(path: string): boolean {
  const info = orElse(() => Deno.statSync(path), undefined);
  return info?.isFifo === true || info?.isCharDevice === true || info?.isBlockDevice === true;
}

function isFile(path: string): boolean {
  return orElse(() => Deno.statSync(path).isFile, false);
}
