/** Applies the fixes of a check to files with write permission. */

import { resolve } from "node:path";
import { withoutMark } from "../../../src/io/decode.ts";
import { isInside } from "../../../src/io/paths.ts";
import { mayWrite } from "../../../src/io/permissions.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import { type FileWrite, readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import type { Finding } from "../engine/methods/check_pages.ts";
import { linesOf } from "../engine/pages/read/lines.ts";
import { applyEdits, editsOf } from "../engine/pages/read/edits.ts";

export interface FixReport {
  /** The number of fixes applied, or that a dry run would apply. */
  readonly applied: number;
  readonly diff: string;
  /** Why files were skipped. */
  readonly notes: readonly string[];
}

/** @param folders The content folders, real and absolute: only pages in them are written. */
export function applyFixes(
  cwd: string,
  folders: readonly string[],
  findings: readonly Finding[],
  isDryRun: boolean,
): FixReport {
  const byPath = Map.groupBy(
    findings.filter((finding) => editsOf(finding).length > 0),
    ({ path }) => path,
  );
  const notes: string[] = [];
  const diffs: string[] = [];
  let applied = 0;
  for (const [path, onPage] of byPath) {
    const file = resolve(cwd, path);
    const folder = folders.find((each) => isInside(each, file));
    if (folder === undefined) {
      notes.push(`${path} is in no content folder and was skipped`);
      continue;
    }
    if (!isDryRun && !mayWrite(file)) {
      notes.push(`No permission to write ${path}: start with --allow-write=${path}`);
      continue;
    }
    const read = { kind: "page", isOnlyRead: isDryRun } as const;
    const seen = readIfThere(writeFolder(cwd, folder), file, read);
    // The columns of findings do not count a byte order mark.
    const bare = withoutMark(seen?.text ?? "");
    const edited = applyEdits(bare, onPage.map(editsOf));
    const isChanged = seen === undefined || edited === undefined ||
      !isDryRun && !write(seen, bare, edited.text);
    if (isChanged) {
      notes.push(`${path} changed during the check and was skipped`);
      continue;
    }
    applied += edited.count;
    diffs.push(differenceOf(path, linesOf(bare), linesOf(edited.text)));
  }
  return { applied, diff: diffs.join(""), notes };
}

/** Writes a page behind its byte order mark; `false` if an editor has saved it since. */
function write(seen: FileWrite["seen"], bare: string, edited: string): boolean {
  const text = seen.text.slice(0, seen.text.length - bare.length) + edited;
  return writeUnlessChanged([{ seen, text }]) === undefined;
}

function differenceOf(path: string, before: readonly string[], after: readonly string[]): string {
  const changes = before.flatMap((line, index) =>
    line === after[index] ? [] : [`@@ -${index + 1} +${index + 1} @@\n-${line}\n+${after[index]}\n`]
  );
  return changes.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${changes.join("")}`;
}
