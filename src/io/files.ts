/**
 * Files that are there whole or not at all.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { RefraktError } from "../errors.ts";
import { isInside, isNotFound } from "./paths.ts";
import { isRefusal, mayWrite } from "./permissions.ts";
import { isStillAt } from "./read.ts";

/** A short random suffix for temporary names. */
export function randomSuffix(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** Where and how a file is written. */
export interface WriteOptions {
  /** The folder that the file may not leave, real and absolute; its own by default. */
  readonly root?: string;
  /** The mode of a new file; an existing file keeps its own. */
  readonly mode?: number;
}

/**
 * Writes a file by way of a temporary file beside it and a rename, so that a
 * reader or a crash finds the old text or the new one. Where the grant covers
 * the file alone and not its folder, it is written in place.
 *
 * @param path The absolute path; its folder must exist.
 * @param text The whole new content.
 * @throws {RefraktError} `PERMISSION_DENIED` where a folder was replaced by a link meanwhile.
 */
export function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): void {
  const kept = modeOf(path) ?? mode;
  const options = {
    ...(root === undefined ? {} : { root }),
    ...(kept === undefined ? {} : { mode: kept }),
  };
  if (!mayWrite(temporaryName(path))) return writeInPlace(path, text, options);
  const temporary = writeBeside(path, text, options);
  try {
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw isNotFound(error) ? folderReplaced(dirname(path)) : error;
  }
}

/** Whether a name is that of a temporary file or folder of ours. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{8}\.tmp$/.test(name);
}

/** The name of a temporary file beside another; git's ignore file knows its form too. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomSuffix()}.tmp`);
}

/**
 * Writes a new file beside another, for a rename or a link to follow. Nothing is written
 * into it before it is certain that it lies in the folder that was meant, because a folder on
 * the way may just have been replaced by a link.
 *
 * @param path The absolute path of the file that it is to become.
 * @returns The absolute path of the new file.
 * @throws {RefraktError} `PERMISSION_DENIED` where it does not lie there.
 */
export function writeBeside(
  path: string,
  content: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): string {
  const temporary = temporaryName(path);
  const before = realFolder(path, root);
  const file = Deno.openSync(temporary, {
    write: true,
    createNew: true,
    ...(mode === undefined ? {} : { mode }),
  });
  try {
    writeHere(file, join(before, basename(temporary)), root, content);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  } finally {
    file.close();
  }
  return temporary;
}

/** Writes over a file, or makes it, where there may be none beside it. */
export function writeInPlace(
  path: string,
  content: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): void {
  const before = realFolder(path, root);
  // Neither made nor emptied by the opening where it is there: it may be another file.
  const isNew = statIfExists(path) === null;
  const file = Deno.openSync(path, {
    write: true,
    createNew: isNew,
    ...(isNew && mode !== undefined ? { mode } : {}),
  });
  try {
    writeHere(file, join(before, basename(path)), root, content);
  } finally {
    file.close();
  }
}

function writeHere(
  file: Deno.FsFile,
  real: string,
  root: string | undefined,
  content: string | Uint8Array,
): void {
  if (!isAt(root, real, file.statSync().ino)) throw folderReplaced(dirname(real));
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let offset = 0;
  while (offset < bytes.length) offset += file.writeSync(bytes.subarray(offset));
  file.truncateSync(bytes.length);
  file.syncSync();
}

/** Whether that is the file at its real path; so it counts where that may not be looked at. */
function isAt(root: string | undefined, real: string, inode: number | null): boolean {
  try {
    return isStillAt(root ?? dirname(real), real, inode, Date.now());
  } catch (error) {
    if (isRefusal(error)) return true;
    if (isNotFound(error)) return false;
    throw error;
  }
}

function realFolder(path: string, root: string | undefined): string {
  const folder = dirname(path);
  let real: string;
  try {
    real = Deno.realPathSync(folder);
  } catch (error) {
    if (isRefusal(error)) return folder;
    throw isNotFound(error) ? folderReplaced(folder) : error;
  }
  if (root !== undefined && !isInside(root, real)) throw folderReplaced(folder);
  return real;
}

/**
 * Removes a folder with everything in it. It first gets a name that no other folder has, and
 * nothing is removed unless it is the one that was there: a folder on the way may have been
 * replaced by a link to where there is another of the same name.
 *
 * @param root The folder that it may not lead out of, real and absolute.
 * @param path The folder, absolute.
 * @throws {RefraktError} `PERMISSION_DENIED` where it does not lie there any more.
 */
export function removeFolder(root: string, path: string): void {
  const real = join(realFolder(path, root), basename(path));
  const { ino } = Deno.lstatSync(real);
  if (!isAt(root, real, ino)) throw folderReplaced(path);
  const aside = temporaryName(real);
  Deno.renameSync(real, aside);
  if (!isAt(root, aside, ino)) {
    bringBack(aside, real);
    throw folderReplaced(path);
  }
  try {
    Deno.removeSync(aside, { recursive: true });
  } catch (error) {
    // What could not be removed is found under its name.
    bringBack(aside, real);
    throw error;
  }
}

/**
 * Undoes a rename. A folder on the path may have been swapped for another: until the path leads to
 * the first one again, the renamed folder is not found, or another of its name is in the way.
 */
function bringBack(aside: string, path: string): void {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return Deno.renameSync(aside, path);
    } catch {
      // It stays under its temporary name where it cannot be brought back.
    }
  }
}

/** The error for a folder that is gone, or has just become a link out of the project. */
export function folderReplaced(folder: string): RefraktError {
  return new RefraktError(
    "PERMISSION_DENIED",
    `Folder is gone, or leads out of the project: ${basename(folder)}`,
    { hint: "Nothing was written. Put the folder itself in its place, and call again." },
  );
}

/**
 * Removes a file of ours. A folder on its path may have been swapped for another: the file is
 * found once the path leads to the first one again.
 */
function removeQuietly(path: string): void {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return Deno.removeSync(path);
    } catch (error) {
      if (!isNotFound(error)) return;
    }
  }
}

/** The status of a path (links followed), or `null` where there is nothing. */
export function statIfExists(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function modeOf(path: string): number | undefined {
  try {
    const mode = Deno.statSync(path).mode;
    return mode === null ? undefined : mode & 0o777;
  } catch {
    return undefined;
  }
}
