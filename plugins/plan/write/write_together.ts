/** Writes several files, all or none. */

import { RefraktError } from "../../../src/errors.ts";
import { renameFile, statIfExists } from "../../../src/io/files.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { readForChange, replaceFile, type SeenFile } from "../../../src/io/shared_files.ts";

/** A file to write. */
export interface FileWrite {
  /** The file as read. */
  readonly seen: SeenFile;
  readonly text: string;
  /** The new absolute path in the same folder, to rename the file too. */
  readonly to?: string;
  /** The id of its entity, for errors. */
  readonly name?: string;
}

/**
 * Writes files that still hold what was read. A failure restores the files written before.
 *
 * @throws {RefraktError} `CONFLICT` if another program has changed one of them.
 */
export function writeTogether(writes: readonly FileWrite[]): void {
  const undo: (() => void)[] = [];
  try {
    for (const { seen, text, to } of writes) {
      if (to !== undefined && statIfExists(to) !== null) throw conflict(seen, to);
      const replaced = replaceFile(seen, text);
      if (replaced.kind !== "changed") {
        const before = replaced.kind === "overtaken" ? replaced.text : seen.text;
        undo.push(() => restore(seen, text, before));
      }
      if (replaced.kind !== "written") throw conflict(seen, seen.path);
      if (to === undefined) continue;
      renameFile(seen.path, to);
      undo.push(() => renameFile(to, seen.path));
    }
  } catch (error) {
    for (const step of undo.toReversed()) {
      try {
        step();
      } catch {
        // Restore the other files anyway.
      }
    }
    throw error;
  }
}

/** Restores a text, unless another program has changed the file since. */
function restore({ root, path }: SeenFile, ours: string, before: string): void {
  const now = readForChange(root, path);
  if (now.text === ours) replaceFile(now, before);
}

function conflict({ root }: SeenFile, path: string): RefraktError {
  return new RefraktError("CONFLICT", `Another program has changed ${shownPath(root, path)}`, {
    hint: "Nothing was changed. Repeat the call when the other program has finished.",
  });
}
