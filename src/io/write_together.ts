/** Writes several files, all or none. */

import { quotedName } from "../plain_text.ts";
import { basename, dirname } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import {
  makeFolders,
  removeEmptyFolders,
  removeIfEmpty,
  renameFile,
  statIfExists,
} from "./files.ts";
import { noteWrite } from "./journal.ts";
import { exists, ifFound, shownPath } from "./paths.ts";
import {
  createFile,
  readForChange,
  type ReadOptions,
  removeSeen,
  replaceFile,
  type SeenFile,
} from "./shared_files.ts";
import type { WriteFolder } from "./write_folder.ts";

/** How often a file is restored that another program writes at the same time. */
const MAX_TRIES = 12;

/** A file to write, as it was read. */
export interface FileWrite {
  readonly seen: SeenFile;
  /** The new text; `null` removes the file. */
  readonly text: string | null;
  /** The new absolute path, in the same folder for writes, to rename the file too. */
  readonly to?: string | undefined;
  /** Whether a text that an editor is writing is complete; by default, any text is. */
  readonly isWhole?: ((text: string) => boolean) | undefined;
}

export interface NewFile {
  readonly seen?: undefined;
  readonly folder: WriteFolder;
  /** The absolute path. */
  readonly to: string;
  readonly text: string;
  readonly mode?: number | undefined;
}

/**
 * Writes files that still hold what was read. A failure restores the files written before.
 *
 * @throws {RefraktError} `CONFLICT` if another program has changed one of them.
 */
export function writeTogether(writes: readonly (FileWrite | NewFile)[]): void {
  const path = writeUnlessChanged(writes);
  if (path === undefined) return;
  const [first] = writes;
  throw changedMeanwhile(folderOf(first!).root, path);
}

/** Like {@linkcode writeTogether}; makes missing folders, and removes those that become empty. */
export function writeInFolders(writes: readonly (FileWrite | NewFile)[]): void {
  const newFolders: { folder: WriteFolder; paths: string[] }[] = [];
  try {
    for (const write of writes) {
      const folder = folderOf(write);
      if (write.to !== undefined) {
        newFolders.push({ folder, paths: makeFolders(folder, dirname(write.to)) });
      }
    }
    writeTogether(writes);
  } catch (error) {
    for (const { folder, paths } of newFolders.toReversed()) removeEmptyFolders(folder, paths);
    throw error;
  }
  for (const { seen, text, to } of writes) {
    if (seen === undefined || text !== null && to === undefined) continue;
    const { folder, path } = seen;
    for (let at = dirname(path); at !== folder.path; at = dirname(at)) {
      if (!removeIfEmpty(folder, at)) break;
    }
  }
}

function folderOf(write: FileWrite | NewFile): WriteFolder {
  return write.seen === undefined ? write.folder : write.seen.folder;
}

export function changedMeanwhile(root: string, path: string): RefraktError {
  const quotedPath = quotedName(shownPath(root, path));
  return new RefraktError("CONFLICT", `Another program has changed ${quotedPath}`, {
    hint: "Nothing was changed. Repeat the call when the other program has finished.",
  });
}

/** Like {@linkcode writeTogether}, but returns the path of a file that another has changed. */
export function writeUnlessChanged(writes: readonly (FileWrite | NewFile)[]): string | undefined {
  let undo: (() => unknown)[] = [];
  try {
    for (const write of writes) {
      const changed = writeOne(write, undo);
      if (changed !== undefined) return changed;
    }
    undo = [];
    return undefined;
  } finally {
    // A file that cannot be restored does not prevent restoring the others.
    for (const step of undo.toReversed()) orElse(step, undefined);
  }
}

/** Writes one file, and adds what restores it; returns the path if it has changed. */
function writeOne(write: FileWrite | NewFile, undo: (() => unknown)[]): string | undefined {
  const { to } = write;
  if (to !== undefined && isTaken(to, write.seen?.path)) return to;
  if (write.seen === undefined) {
    const { folder, text, mode } = write;
    if (!createFile(folder, write.to, text, mode)) return write.to;
    undo.push(() => {
      const seen = readIfThere(folder, write.to);
      if (seen?.text === text) removeSeen(seen);
    });
    return undefined;
  }
  const { seen, text, isWhole } = write;
  if (text === null) {
    if (!removeSeen(seen)) return seen.path;
    undo.push(() => createFile(seen.folder, seen.path, seen.text, seen.mode));
    return undefined;
  }
  const before = replaceFile(seen, text, isWhole);
  if (before !== undefined) undo.push(() => restore(seen, text, before));
  if (before !== seen.text) return seen.path;
  if (to === undefined) return undefined;
  move(seen, text, seen.path, to);
  undo.push(() => move(seen, text, to, seen.path));
  return undefined;
}

function move({ folder, mode }: SeenFile, text: string, from: string, to: string): void {
  renameFile(folder, from, to);
  noteWrite({ folder, path: from, before: text, after: null, mode });
  noteWrite({ folder, path: to, before: null, after: text, mode });
}

/** Whether another file has a name. Where case is ignored, a name in other case is the file's own. */
function isTaken(to: string, from: string | undefined): boolean {
  const existing = statIfExists(to);
  if (existing === null) return false;
  if (from === undefined || from.toLowerCase() !== to.toLowerCase()) return true;
  const isSame = existing.ino === statIfExists(from)?.ino;
  return !isSame || [...Deno.readDirSync(dirname(to))].some(({ name }) => name === basename(to));
}

/** Replaces our text, unless somebody has saved a newer one. */
function restore({ folder, path }: SeenFile, ours: string, theirs: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = readIfThere(folder, path);
    // A later save exists, which is newer.
    if (seen?.text !== ours) return;
    const replaced = replaceFile(seen, theirs);
    if (replaced === undefined || replaced === ours) return;
    [ours, theirs] = [theirs, replaced];
  }
}

/**
 * The write of a file that still holds `old`, or `undefined`; `null` stands for no file. A file that
 * is created gets the mode.
 */
export function writeFrom(
  folder: WriteFolder,
  path: string,
  { old, text, mode }: { old: string | null; text: string | null; mode?: number | undefined },
  options?: ReadOptions,
): FileWrite | NewFile | undefined {
  if (old === null) return exists(path) ? undefined : { folder, to: path, text: text ?? "", mode };
  const seen = readIfThere(folder, path, options);
  return seen?.text === old ? { seen, text } : undefined;
}

/** Returns `undefined` while an editor that saves by renaming has moved the file. */
export function readIfThere(
  folder: WriteFolder,
  path: string,
  options?: ReadOptions,
): SeenFile | undefined {
  return ifFound(() => readForChange(folder, path, options), undefined);
}
