/**
 * Reads many files of one folder, and checks the folders on the way once for all of them.
 * `readInside` checks them for each file.
 *
 * @module
 */

import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "./paths.ts";
import { type FileKind, foldersChanged, OPEN_FLAGS, SIZE_LIMITS } from "./read.ts";
import { fileStamp } from "./stamp.ts";

/** Larger files are read alone. */
const BUFFER_BYTES = 128 * 1024;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
let buffer: Uint8Array | undefined;

/** A file of the folder. */
export interface ListedFile {
  /** Its name in the folder. */
  readonly name: string;
  /** Its length in bytes, as `lstat` told; it was no link. */
  readonly size: number;
}

/**
 * Reads files of a folder, without following a link at any place of the way.
 *
 * @param root The project's real, absolute path.
 * @param folder The folder, absolute.
 * @param files What a listing of it found.
 * @returns The texts in the order of the files; `undefined` for a file that `readInside` has
 * to read: where a folder on the way has changed lately, so that it may have been replaced, and
 * where the file is not as it was listed.
 */
export function readTogether(
  root: string,
  folder: string,
  files: readonly ListedFile[],
  kind: FileKind,
): (string | undefined)[] {
  const started = Date.now();
  try {
    const way = settledWay(root, folder, started);
    if (way !== undefined) {
      const texts = files.map((file) => readListed(folder, file, SIZE_LIMITS[kind]));
      // Nothing was put into the place of anything: the names have led to where they led before.
      if (settledWay(root, folder, started) === way) return texts;
    }
  } catch {
    // The folder is gone, or may not be looked at: the files tell.
  }
  return files.map(() => undefined);
}

/** The stamps of a folder and of those above it; `undefined` where a link or a new one is among them. */
function settledWay(root: string, folder: string, started: number): string | undefined {
  if (!isInside(root, folder) || Deno.realPathSync(folder) !== folder) return undefined;
  if (foldersChanged(root, folder, started)) return undefined;
  const stamps: string[] = [];
  for (let above = folder; isInside(root, above); above = dirname(above)) {
    // A clock of the file system's own may be slow; what it says before and after is the same.
    stamps.push(fileStamp(above, { link: true }));
    if (above === root) break;
  }
  return stamps.join();
}

function readListed(folder: string, { name, size }: ListedFile, limit: number): string | undefined {
  if (size > limit || size >= BUFFER_BYTES) return undefined;
  buffer ??= new Uint8Array(BUFFER_BYTES);
  try {
    const fd = fs.openSync(join(folder, name), OPEN_FLAGS);
    try {
      const count = fs.readSync(fd, buffer, 0, BUFFER_BYTES, null);
      return count === size ? decoder.decode(buffer.subarray(0, count)) : undefined;
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
