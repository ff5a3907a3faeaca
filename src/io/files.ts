/**
 * Files that are there whole or not at all.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { RefraktError } from "../errors.ts";
import { isInside, isNotFound } from "./paths.ts";
import { isRefusal, mayWrite } from "./permissions.ts";

/** A short random suffix for temporary names. */
function randomSuffix(): string {
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
 * Writes a file by way of a temporary file beside it and a rename, so that a reader or a crash
 * finds the old text or the new one. Where the grant covers the file alone and not its folder, it
 * is written in place.
 *
 * @param path The absolute path; its folder must exist.
 * @param text The whole new content.
 * @throws {RefraktError} `PERMISSION_DENIED` where its folder is gone, or leads out of `root`.
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
    removeIfThere(temporary);
    throw error;
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
 * Writes a new file beside another, for a rename or a link to follow.
 *
 * @param path The absolute path of the file that it is to become.
 * @returns The absolute path of the new file.
 * @throws {RefraktError} `PERMISSION_DENIED` where its folder is gone, or leads out of `root`.
 */
export function writeBeside(
  path: string,
  content: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): string {
  requireFolder(path, root);
  const temporary = temporaryName(path);
  const file = Deno.openSync(temporary, {
    write: true,
    createNew: true,
    ...(mode === undefined ? {} : { mode }),
  });
  try {
    fill(file, content);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  } finally {
    file.close();
  }
  return temporary;
}

/** Creates or overwrites a file in a directory without write permission. */
export function writeInPlace(
  path: string,
  content: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): void {
  requireFolder(path, root);
  const file = Deno.openSync(path, {
    write: true,
    create: true,
    ...(mode === undefined ? {} : { mode }),
  });
  try {
    fill(file, content);
  } finally {
    file.close();
  }
}

/** Makes a text the whole content of an open file, and waits until the disk has it. */
function fill(file: Deno.FsFile, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let offset = 0;
  while (offset < bytes.length) offset += file.writeSync(bytes.subarray(offset));
  file.truncateSync(bytes.length);
  file.syncSync();
}

/** Makes sure that the folder of a file is there, and really lies in `root`. */
function requireFolder(path: string, root: string | undefined): void {
  try {
    if (root === undefined || isInside(root, Deno.realPathSync(dirname(path)))) return;
  } catch (error) {
    if (isRefusal(error)) return;
    if (!isNotFound(error)) throw error;
  }
  throw folderGone(dirname(path));
}

/**
 * Removes a folder with everything in it.
 *
 * @param root The folder that it may not lead out of, real and absolute.
 * @param path The folder, absolute.
 * @throws {RefraktError} `PERMISSION_DENIED` where it leads out of `root`.
 */
export function removeFolder(root: string, path: string): void {
  requireFolder(path, root);
  Deno.removeSync(path, { recursive: true });
}

/** The error for a folder that is gone, or leads out of the project. */
export function folderGone(folder: string): RefraktError {
  return new RefraktError(
    "PERMISSION_DENIED",
    `Folder is gone, or leads out of the project: ${basename(folder)}`,
    { hint: "Nothing was written. Put the folder itself in its place, and call again." },
  );
}

/** Removes a file, if it is there. */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
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
