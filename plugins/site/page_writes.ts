/** Writes pages that were changed in memory, unless another program has changed them since. */

import { resolve } from "node:path";
import { isInside } from "../../src/io/paths.ts";
import { withoutMark } from "../../src/io/read.ts";
import { readForChange, type SeenFile } from "../../src/io/shared_files.ts";
import { type WriteFolder, writeFolder } from "../../src/io/write_folder.ts";
import {
  changedMeanwhile,
  type FileWrite,
  readIfThere,
  writeUnlessChanged,
} from "../../src/io/write_together.ts";
import type { CorrectedPage } from "./engine/methods/other_texts.ts";

/**
 * @param pages With absolute paths, and texts without a byte order mark.
 * @throws {RefraktError} `CONFLICT` if another program has changed one since.
 */
export function pageWrites(
  folder: WriteFolder,
  pages: readonly Readonly<Record<"path" | "source" | "text", string>>[],
): FileWrite[] {
  return pages.map(({ path, source, text }) => {
    const write = writeOf(readForChange(folder, path, { kind: "page" }), source, text);
    if (write === undefined) throw changedMeanwhile(folder.root, path);
    return write;
  });
}

/** The write of a file, with its byte order mark; `undefined` if the file has changed. */
function writeOf(seen: SeenFile, source: string, text: string): FileWrite | undefined {
  const bare = withoutMark(seen.text);
  if (bare !== source) return undefined;
  return { seen, text: seen.text.slice(0, seen.text.length - bare.length) + text };
}

/**
 * Writes each page that a check has corrected, unless an editor has saved it since.
 *
 * @param folders The content folders, real and absolute: only pages in them are written.
 * @returns The number of corrections, and why pages were skipped.
 */
export function writeCorrected(
  cwd: string,
  folders: readonly string[],
  corrected: readonly CorrectedPage[],
) {
  const notes: string[] = [];
  let applied = 0;
  for (const { path, source, text, count } of corrected) {
    const file = resolve(cwd, path);
    const folder = folders.find((each) => isInside(each, file));
    if (folder === undefined) {
      notes.push(`${path} is in no content folder and was skipped`);
      continue;
    }
    const seen = readIfThere(writeFolder(cwd, folder), file, { kind: "page" });
    const write = seen && writeOf(seen, source, text);
    if (write !== undefined && writeUnlessChanged([write]) === undefined) applied += count;
    else notes.push(`${path} changed during the check and was skipped`);
  }
  return { applied, notes };
}
