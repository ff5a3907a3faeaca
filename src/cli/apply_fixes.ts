/** Applies the fixes of a check to files with write permission. */

import { resolve } from "node:path";
import { withoutMark } from "../io/decode.ts";
import { mayWrite } from "../io/permissions.ts";
import { readForChange, replaceFile } from "../io/shared_files.ts";
import type { Finding } from "../site/engine/methods/check_pages.ts";
import { applyEdits, editsOf } from "../site/engine/pages/read/edits.ts";

export interface FixReport {
  /** The number of fixes applied, or that a dry run would apply. */
  readonly applied: number;
  readonly diff: string;
  /** Why files were skipped. */
  readonly notes: readonly string[];
}

export function applyFixes(
  cwd: string,
  findings: readonly Finding[],
  isDryRun: boolean,
): FixReport {
  const byPath = Map.groupBy(
    findings.filter((finding) => editsOf(finding).length > 0),
    ({ path }) => path,
  );
  const notes: string[] = [];
  let applied = 0;
  let diff = "";
  for (const [path, found] of byPath) {
    const file = resolve(cwd, path);
    if (!isDryRun && !mayWrite(file)) {
      notes.push(`No permission to write ${path}: start with --allow-write=${path}`);
      continue;
    }
    const seen = readForChange(cwd, file, { kind: "page", isOnlyRead: isDryRun });
    // The columns of findings do not count a byte order mark.
    const bare = withoutMark(seen.text);
    const mark = seen.text.slice(0, seen.text.length - bare.length);
    const before = bare.split("\n");
    const { lines, count } = applyEdits(before, found.map(editsOf));
    if (!isDryRun && replaceFile(seen, mark + lines.join("\n")).kind !== "written") {
      notes.push(`${path} changed during the check and was skipped`);
      continue;
    }
    applied += count;
    diff += differenceOf(path, before, lines);
  }
  return { applied, diff, notes };
}

function differenceOf(path: string, before: readonly string[], after: readonly string[]): string {
  const changes = before.flatMap((line, index) =>
    line === after[index] ? [] : [`@@ -${index + 1} +${index + 1} @@\n-${line}\n+${after[index]}\n`]
  );
  return changes.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${changes.join("")}`;
}
