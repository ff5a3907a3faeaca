/** Writes of pages as they were read for a change. */

import { withoutMark } from "../../src/io/read.ts";
import { readForChange } from "../../src/io/shared_files.ts";
import type { WriteFolder } from "../../src/io/write_folder.ts";
import { changedMeanwhile, type FileWrite } from "../../src/io/write_together.ts";

/**
 * @param pages With absolute paths, and texts without a byte order mark.
 * @throws {RefraktError} `CONFLICT` if another program has changed one since.
 */
export function pageWrites(
  folder: WriteFolder,
  pages: readonly Readonly<Record<"path" | "source" | "text", string>>[],
): FileWrite[] {
  return pages.map(({ path, source, text }) => {
    const seen = readForChange(folder, path, { kind: "page" });
    const bare = withoutMark(seen.text);
    if (bare !== source) throw changedMeanwhile(folder.root, path);
    return { seen, text: seen.text.slice(0, seen.text.length - bare.length) + text };
  });
}
