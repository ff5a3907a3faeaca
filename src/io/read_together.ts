/**
 * Reads many files of one folder.
 *
 * @module
 */

import { join } from "node:path";
import { type FileKind, readInside, SIZE_LIMITS } from "./read.ts";

/** A file of the folder. */
export interface ListedFile {
  /** Its name in the folder. */
  readonly name: string;
  /** Its length in bytes, as `lstat` told. */
  readonly size: number;
}

/**
 * Reads files of a folder.
 *
 * @param root The project's real, absolute path.
 * @param folder The folder, absolute.
 * @param files What a listing of it found.
 * @returns The texts in the order of the files; `undefined` for a file that cannot be read:
 * `readInside` tells why.
 */
export function readTogether(
  root: string,
  folder: string,
  files: readonly ListedFile[],
  kind: FileKind,
): (string | undefined)[] {
  return files.map(({ name, size }) => {
    if (size > SIZE_LIMITS[kind]) return undefined;
    try {
      return readInside(root, join(folder, name), kind);
    } catch {
      return undefined;
    }
  });
}
