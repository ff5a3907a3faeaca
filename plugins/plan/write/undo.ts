/** What the last writes of this process replaced, and how it is given back. */

import { quotedName } from "../../../src/plain_text.ts";
import { RefraktError, settled } from "../../../src/errors.ts";
import {
  noteStep,
  noteWrite,
  recordWrites,
  type UndoStep,
  type WrittenFile,
} from "../../../src/io/journal.ts";
import { isLink, shownPath } from "../../../src/io/paths.ts";
import { writablePath } from "../../../src/io/write_folder.ts";
import {
  type FileWrite,
  type NewFile,
  writeFrom,
  writeTogether,
} from "../../../src/io/write_together.ts";
import { placeAt, type PlanPlace, withPlanLock } from "../store/place.ts";

/** How many writes are kept, and how many characters of theirs. */
const [MOST, MOST_TEXT] = [200, 1 << 25];

/** Runs a tool, and returns its answer with a token that undoes what it has written. */
export async function withUndo(
  tool: string,
  { cwd, dir, plugin: { writes } }: PlanPlace,
  work: () => unknown,
): Promise<object> {
  const { value, files, steps } = await recordWrites(work);
  if (files.length === 0) return Object(value);
  const size = files.reduce(
    (sum, { before, after }) => sum + (before ?? "").length + (after ?? "").length,
    0,
  );
  const token = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
  writes.set(token, { cwd, dir, tool, size, files, steps });
  let total = [...writes.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [oldest, write] of writes) {
    if (oldest === token || writes.size <= MOST && total <= MOST_TEXT) break;
    writes.delete(oldest);
    total -= write.size;
  }
  return { ...Object(value), undo: token };
}

/**
 * Gives the bytes of a write back, in all of its files or in none.
 *
 * @throws {RefraktError} `UNDO_EXPIRED` for an unknown token, `CONFLICT` if a file was changed since.
 */
export async function undoWrite(
  { plugin, context, cwd }: PlanPlace,
  token: string,
  isPreview: boolean,
): Promise<{ tool: string; files: string[] }> {
  const write = plugin.writes.get(token);
  if (write === undefined || write.cwd !== cwd) throw expired();
  const { tool, dir, files, steps } = write;
  const undone = { tool, files: files.map(({ path }) => shownPath(cwd, path)) };
  const { signal, ...place } = placeAt(plugin, context, dir);
  const locked = (work: () => void) => withPlanLock({ ...place, signal }, work);
  if (isPreview) {
    await locked(() => void files.map(restored));
    return undone;
  }
  // No other call may undo it meanwhile.
  plugin.writes.delete(token);
  const again: UndoStep[] = [];
  try {
    if (steps.length > 0) await locked(() => void files.map(restored));
    // Without the lock, because other calls would wait for the network.
    for (const step of steps) again.push(...(await recordWrites(() => step(signal))).steps);
    await locked(() => writeTogether(files.map(restored)));
  } catch (error) {
    plugin.writes.set(token, write);
    for (const step of again) await step(signal).catch(() => {});
    throw error;
  }
  for (const step of again) noteStep(step);
  return undone;
}

/**
 * Runs work that writes several files by itself. If it fails, they get their bytes back.
 *
 * @throws What the work throws; `CONFLICT` if a file cannot be restored, because it was changed since.
 */
export async function allOrNone<Value>(work: () => Promise<Value>): Promise<Value> {
  const { value: done, files } = await recordWrites(() => settled(work));
  try {
    const value = done();
    files.forEach(noteWrite);
    return value;
  } catch (error) {
    writeTogether(files.map(restored));
    throw error;
  }
}

/** The write that restores a file, which must be as it was left. */
function restored(file: WrittenFile): FileWrite | NewFile {
  const { folder, path, before: text, after: old, mode } = file;
  writablePath(folder, path);
  const write = isLink(path) ? undefined : writeFrom(folder, path, { old, text, mode });
  if (write !== undefined) return write;
  const shown = shownPath(folder.root, path);
  throw new RefraktError("CONFLICT", `${quotedName(shown)} was changed since this write`, {
    hint: "Nothing was undone. Read it with plan_get, then change it with plan_update.",
  });
}

function expired(): RefraktError {
  return new RefraktError("UNDO_EXPIRED", "This write cannot be undone any more", {
    hint: `A token works once, in this run of the server, among its last ${MOST} writes. ` +
      "plan_update makes another change, and git has the committed texts.",
  });
}
