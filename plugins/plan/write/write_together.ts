/** Writes several files, all or none. */

import { RefraktError } from "../../../src/errors.ts";
import { renameFile, statIfExists } from "../../../src/io/files.ts";
import { isNotFound, shownPath } from "../../../src/io/paths.ts";
import { readForChange, replaceFile, type SeenFile } from "../../../src/io/shared_files.ts";

/** How often a file is restored that another program writes at the same time. */
const MAX_TRIES = 12;

/** A file to write. */
export interface FileWrite {
  /** The file as read. */
  readonly seen: SeenFile;
  readonly text: string;
  /** The new absolute path in the same folder, to rename the file too. */
  readonly to?: string;
  /** The id of its entity, for errors. */
  readonly name?: string;
  /** Whether a text is complete, if that can be told. */
  readonly isWhole?: ((text: string) => boolean) | undefined;
}

/**
 * Writes files that still hold what was read. A failure restores the files written before.
 *
 * @throws {RefraktError} `CONFLICT` if another program has changed one of them.
 */
export function writeTogether(writes: readonly FileWrite[]): void {
  const path = writeUnlessChanged(writes);
  if (path === undefined) return;
  const shown = shownPath(writes[0]!.seen.root, path);
  throw new RefraktError("CONFLICT", `Another program has changed ${shown}`, {
    hint: "Nothing was changed. Repeat the call when the other program has finished.",
  });
}

/** The same, but returns the path of a file that another program has changed. */
export function writeUnlessChanged(writes: readonly FileWrite[]): string | undefined {
  const undo: (() => void)[] = [];
  let isWritten = false;
  try {
    for (const { seen, text, to, isWhole } of writes) {
      if (to !== undefined && statIfExists(to) !== null) return to;
      const replaced = replaceFile(seen, text, isWhole);
      if (replaced.kind !== "changed") {
        const before = replaced.kind === "overtaken" ? replaced.text : seen.text;
        undo.push(() => restore(seen, text, before));
      }
      if (replaced.kind !== "written") return seen.path;
      if (to === undefined) continue;
      renameFile(seen.path, to);
      undo.push(() => renameFile(to, seen.path));
    }
    isWritten = true;
    return undefined;
  } finally {
    for (const step of isWritten ? [] : undo.toReversed()) {
      try {
        step();
      } catch {
        // Restore the other files anyway.
      }
    }
  }
}

/** Replaces our text, unless somebody has saved a newer one. */
function restore({ root, path }: SeenFile, ours: string, theirs: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = readIfThere(root, path);
    // A later save exists, which is newer.
    if (seen?.text !== ours) return;
    const replaced = replaceFile(seen, theirs);
    if (replaced.kind !== "overtaken") return;
    [ours, theirs] = [theirs, replaced.text];
  }
}

/** Returns `undefined` while an editor that saves by renaming has moved the file. */
export function readIfThere(root: string, path: string): SeenFile | undefined {
  try {
    return readForChange(root, path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
