/**
 * The texts of many files of a plan: those of one folder are read together.
 *
 * @module
 */

import { basename, dirname } from "node:path";
import { readTogether } from "../../../src/io/read_together.ts";
import type { FileRow } from "./file_rows.ts";

/** How many files are read in one step. */
export const STEP_READS = 32;

/** A file, and how large it was when it was looked at. */
type ListedRow = Pick<FileRow, "path" | "stamp">;

/**
 * The texts of files, in the order in which they are given; `undefined` for one that has to be
 * read alone.
 *
 * @param root The project, which no file may lead out of.
 */
export function* textsOf<File extends ListedRow>(
  root: string,
  files: readonly File[],
): Generator<{ readonly file: File; readonly text: string | undefined }, void> {
  for (let first = 0; first < files.length;) {
    const folder = dirname(files[first]!.path);
    const some: File[] = [];
    while (some.length < STEP_READS && first < files.length) {
      const file = files[first]!;
      if (dirname(file.path) !== folder) break;
      some.push(file);
      first++;
    }
    const texts = textsIn(root, folder, some);
    for (const [index, file] of some.entries()) yield { file, text: texts[index] };
  }
}

/** The same for some files of one folder; see {@linkcode readTogether}. */
export function textsIn(
  root: string,
  folder: string,
  files: readonly ListedRow[],
): (string | undefined)[] {
  const listed = files.map(({ path, stamp }) => ({
    name: basename(path),
    size: stamp?.size ?? Infinity,
  }));
  return readTogether(root, folder, listed, "plan");
}
