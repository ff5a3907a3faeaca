/**
 * Reads many files of one folder, and resolves the folder once for all of them; `readInside`
 * resolves each file.
 *
 * @module
 */

import { join } from "node:path";
import { isInside } from "./paths.ts";
import { type FileKind, readPlainFile, SIZE_LIMITS } from "./read.ts";

/** A file of the folder. */
export interface ListedFile {
  /** Its name in the folder. */
  readonly name: string;
  /** Its length in bytes, as `lstat` told; it was no link. */
  readonly size: number;
}

/**
 * Reads files of a folder.
 *
 * @param root The project's real, absolute path.
 * @param folder The folder, absolute.
 * @param files What a listing of it found.
 * @returns The texts in the order of the files; `undefined` for a file that `readInside` has to
 * read, because its folder is reached by a link, or because it is not as it was listed.
 */
export function readTogether(
  root: string,
  folder: string,
  files: readonly ListedFile[],
  kind: FileKind,
): (string | undefined)[] {
  const limit = SIZE_LIMITS[kind];
  try {
    if (isInside(root, folder) && Deno.realPathSync(folder) === folder) {
      return files.map(({ name, size }) =>
        size > limit ? undefined : readPlainFile(join(folder, name), limit)
      );
    }
  } catch {
    // The folder is gone, or may not be looked at: the files tell.
  }
  return files.map(() => undefined);
}
