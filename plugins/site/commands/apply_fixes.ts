/** Writes the pages that a check has corrected. */

import { resolve } from "node:path";
import { withoutMark } from "../../../src/io/read.ts";
import { isInside } from "../../../src/io/paths.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import type { CorrectedPage } from "../engine/methods/other_texts.ts";
import { linesOf } from "../../../src/markdoc/lines.ts";

/**
 * Writes each page behind its byte order mark, unless an editor has saved it since.
 *
 * @param folders The content folders, real and absolute: only pages in them are written.
 * @returns The number of corrections, and why pages were skipped.
 */
export function writeCorrected(
  cwd: string,
  folders: readonly string[],
  corrected: readonly CorrectedPage[],
): { readonly applied: number; readonly notes: readonly string[] } {
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
    const bare = withoutMark(seen?.text ?? "");
    const isWritten = seen !== undefined && bare === source && writeUnlessChanged([
          { seen, text: seen.text.slice(0, seen.text.length - bare.length) + text },
        ]) === undefined;
    if (isWritten) applied += count;
    else notes.push(`${path} changed during the check and was skipped`);
  }
  return { applied, notes };
}

/** The lines that a correction changes, as a patch. */
export function differenceOf({ path, source, text }: CorrectedPage): string {
  const after = linesOf(text);
  const changes = linesOf(source).flatMap((line, index) =>
    line === after[index] ? [] : [`@@ -${index + 1} +${index + 1} @@\n-${line}\n+${after[index]}\n`]
  );
  return changes.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${changes.join("")}`;
}
