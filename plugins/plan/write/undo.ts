/** What the last writes of this process replaced, and how it is given back. */

import { RefraktError } from "../../../src/errors.ts";
import {
  type Journal,
  noteStep,
  recordWrites,
  type UndoStep,
  type WrittenFile,
} from "../../../src/io/journal.ts";
import { isNotFound, shownPath } from "../../../src/io/paths.ts";
import { type FileWrite, type NewFile, writeTogether } from "../../../src/io/write_together.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import { placeAt, type PlanPlace, withPlanLock } from "../store/place.ts";

/** How many writes are kept, and how many characters of theirs. */
const [MOST, MOST_TEXT] = [200, 1 << 25];

/** A write of a tool in a plan. */
interface Write extends Journal {
  readonly cwd: string;
  readonly dir: string;
  /** The tool. */
  readonly tool: string;
  readonly size: number;
}

/** The last writes by token, of all connections of this process; the oldest first. */
const kept = new Map<string, Write>();

/** Runs a tool, and returns its answer with a token that undoes what it has written. */
export async function withUndo(
  tool: string,
  { cwd, dir }: Pick<PlanPlace, "cwd" | "dir">,
  work: () => unknown,
): Promise<object> {
  const { value, files, steps } = await recordWrites(work);
  if (files.length === 0) return Object(value);
  const size = files.reduce(
    (sum, { before, after }) => sum + (before ?? "").length + (after ?? "").length,
    0,
  );
  const token = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
  kept.set(token, { cwd, dir, tool, size, files, steps });
  let total = [...kept.values()].reduce((sum, one) => sum + one.size, 0);
  for (const [oldest, write] of kept) {
    if (oldest === token || kept.size <= MOST && total <= MOST_TEXT) break;
    kept.delete(oldest);
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
  const write = kept.get(token);
  if (write === undefined || write.cwd !== cwd) throw expired();
  const { tool, dir, files, steps } = write;
  const { signal, ...place } = placeAt(plugin, context, dir);
  return await withPlanLock({ ...place, signal }, async () => {
    // Another call may have undone it while this one waited.
    if (!kept.has(token)) throw expired();
    const writes = files.map((file) => restored(cwd, file));
    if (!isPreview) {
      const again: UndoStep[] = [];
      for (const step of steps) again.push(...(await recordWrites(() => step(signal))).steps);
      try {
        writeTogether(writes);
      } catch (error) {
        for (const step of again) await step(signal).catch(() => {});
        throw error;
      }
      for (const step of again) noteStep(step);
      kept.delete(token);
    }
    return { tool, files: files.map(({ path }) => shownPath(cwd, path)) };
  });
}

/** The write that restores a file, which must be as it was left. */
function restored(root: string, { path, before, after, mode }: WrittenFile): FileWrite | NewFile {
  const isLink = infoOf(path)?.isSymlink;
  const isThere = isLink !== undefined;
  if (isThere === (after === null) || isLink === true) throw changed(root, path);
  if (after === null) return { root, to: path, text: before ?? "", mode };
  const seen = readForChange(root, path);
  if (seen.text !== after) throw changed(root, path);
  return { seen, text: before };
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function expired(): RefraktError {
  return new RefraktError("UNDO_EXPIRED", "This write cannot be undone any more", {
    hint: `A token works once, in this run of the server, among its last ${MOST} writes. ` +
      "plan.update makes another change, and git has the committed texts.",
  });
}

function changed(root: string, path: string): RefraktError {
  return new RefraktError("CONFLICT", `${shownPath(root, path)} was changed since this write`, {
    hint: "Nothing was undone. Read it with plan.get, then change it with plan.update.",
  });
}
