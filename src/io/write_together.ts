/** Writes several files, all or none. */

import { basename, dirname } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import { renameFile, statIfExists } from "./files.ts";
import { exists, ifFound, shownPath } from "./paths.ts";
import {
  createFile,
  noteMove,
  readForChange,
  type ReadOptions,
  removeFile,
  replaceFile,
  type SeenFile,
} from "./shared_files.ts";

/** How often a file is restored that another program writes at the same time. */
const MAX_TRIES = 12;

/** A file to write, as it was read. */
export interface FileWrite {
  readonly seen: SeenFile;
  /** The new text; `null` removes the file. */
  readonly text: string | null;
  /** The new absolute path on the same disk, to rename the file too. */
  readonly to?: string;
  /** Whether a text is complete, if that can be told. */
  readonly isWhole?: ((text: string) => boolean) | undefined;
}

/** A file to create. */
export interface NewFile {
  readonly seen?: undefined;
  /** The project, which the file must stay in. */
  readonly root: string;
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
  const root = first?.seen === undefined ? first?.root : first.seen.root;
  throw changedMeanwhile(root ?? "", path);
}

/** The same, in folders that are made for the files; folders that become empty are removed. */
export function writeInFolders(writes: readonly (FileWrite | NewFile)[]): void {
  const made: string[] = [];
  try {
    for (const { to } of writes) if (to !== undefined) makeFolders(dirname(to), made);
    writeTogether(writes);
  } catch (error) {
    for (const folder of made.toReversed()) removeIfEmpty(folder);
    throw error;
  }
  for (const { seen, text, to } of writes) {
    if (seen === undefined || text !== null && to === undefined) continue;
    for (let at = dirname(seen.path); at !== seen.root && removeIfEmpty(at); at = dirname(at));
  }
}

/** Makes a folder with those above it, and adds what it has made. */
function makeFolders(folder: string, made: string[]): void {
  if (statIfExists(folder) !== null) return;
  makeFolders(dirname(folder), made);
  Deno.mkdirSync(folder);
  made.push(folder);
}

/** Removes a folder if it is empty, and may be removed. */
function removeIfEmpty(folder: string): boolean {
  return orElse(() => Deno.removeSync(folder) === undefined, false);
}

export function changedMeanwhile(root: string, path: string): RefraktError {
  const shown = shownPath(root, path);
  return new RefraktError("CONFLICT", `Another program has changed ${shown}`, {
    hint: "Nothing was changed. Repeat the call when the other program has finished.",
  });
}

/** The same, but returns the path of a file that another program has changed. */
export function writeUnlessChanged(
  writes: readonly (FileWrite | NewFile)[],
): string | undefined {
  const undo: (() => unknown)[] = [];
  let isWritten = false;
  try {
    for (const write of writes) {
      const changed = writeOne(write, undo);
      if (changed !== undefined) return changed;
    }
    isWritten = true;
    return undefined;
  } finally {
    for (const step of isWritten ? [] : undo.toReversed()) {
      try {
        step();
      } catch {
        // Restore the other files anyway.
      }
    }
  }
}

/** Writes one file, and adds what restores it; returns the path if it has changed. */
function writeOne(write: FileWrite | NewFile, undo: (() => unknown)[]): string | undefined {
  const { to } = write;
  if (to !== undefined && isTaken(to, write.seen?.path)) return to;
  if (write.seen === undefined) {
    const { root, text, mode } = write;
    if (!createFile(root, write.to, text, mode)) return write.to;
    undo.push(() => {
      const seen = readIfThere(root, write.to);
      if (seen?.text === text) removeFile(write.to, text, seen);
    });
    return undefined;
  }
  const { seen, text, isWhole } = write;
  if (text === null) {
    if (!removeFile(seen.path, seen.text, seen)) return seen.path;
    undo.push(() => createFile(seen.root, seen.path, seen.text, seen.mode));
    return undefined;
  }
  const replaced = replaceFile(seen, text, isWhole);
  if (replaced.kind !== "changed") {
    const before = replaced.kind === "overtaken" ? replaced.text : seen.text;
    undo.push(() => restore(seen, text, before));
  }
  if (replaced.kind !== "written") return seen.path;
  if (to === undefined) return undefined;
  const move = (from: string, to: string) => {
    renameFile(from, to);
    noteMove(from, to, { ...seen, text });
  };
  move(seen.path, to);
  undo.push(() => move(to, seen.path));
  return undefined;
}

/** Whether another file has a name. Where case is ignored, a name in other case is the file's own. */
function isTaken(to: string, from: string | undefined): boolean {
  const found = statIfExists(to);
  if (found === null) return false;
  if (from === undefined || from.toLowerCase() !== to.toLowerCase()) return true;
  const isSame = found.ino === statIfExists(from)?.ino;
  return !isSame || [...Deno.readDirSync(dirname(to))].some(({ name }) => name === basename(to));
}

/** Replaces our text, unless somebody has saved a newer one. */
function restore({ root, path }: SeenFile, ours: string, theirs: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = readIfThere(root, path);
    // A later save exists, which is newer.
    if (seen?.text !== ours) return;
    const replaced = replaceFile(seen, theirs);
    if (replaced.kind !== "overtaken") return;
    [ours, theirs] = [theirs, replaced.text];
  }
}

/** What a file holds and is to hold; `null` stands for no file. */
interface TextChange {
  readonly old: string | null;
  readonly text: string | null;
  /** The mode of a file that is created. */
  readonly mode?: number | undefined;
}

/**
 * The write of a file that still holds `old`.
 *
 * @returns `undefined` if it holds another text.
 */
export function writeFrom(
  root: string,
  path: string,
  { old, text, mode }: TextChange,
  options?: ReadOptions,
): FileWrite | NewFile | undefined {
  if (old === null) return exists(path) ? undefined : { root, to: path, text: text ?? "", mode };
  const seen = readIfThere(root, path, options);
  return seen?.text === old ? { seen, text } : undefined;
}

/** Returns `undefined` while an editor that saves by renaming has moved the file. */
export function readIfThere(
  root: string,
  path: string,
  options?: ReadOptions,
): SeenFile | undefined {
  return ifFound(() => readForChange(root, path, options), undefined);
}
