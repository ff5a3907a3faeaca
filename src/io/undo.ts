/** Undoes what the last calls of this process wrote. */

import { quotedName } from "../plain_text.ts";
import { RefraktError, settled } from "../errors.ts";
import {
  type Journal,
  noteStep,
  noteWrite,
  recordWrites,
  type UndoStep,
  type WrittenFile,
} from "./journal.ts";
import { withFolderLock } from "./lock.ts";
import type { Memo } from "./memo.ts";
import { isLink, shownPath } from "./paths.ts";
import { writablePath } from "./write_folder.ts";
import { type FileWrite, type NewFile, writeFrom, writeInFolders } from "./write_together.ts";

/** How many writes are kept, and how many characters of theirs. */
const [MOST_WRITES, MOST_UNDO_TEXT] = [200, 1 << 25];

/** A project whose writes can be taken back. */
interface UndoPlace {
  readonly cwd: string;
  readonly memo: Memo;
}

/** The writes of a project by their tokens, the oldest first. */
function writesOf({ memo }: UndoPlace) {
  return memo("undo", () => new Map<string, Journal & { readonly tool: string }>());
}

/** Runs a tool, and returns its value with a token that takes back what it has written. */
export async function withUndo<Value>(
  place: UndoPlace,
  tool: string,
  work: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly undo: string | undefined }> {
  const { value, ...journal } = await recordWrites(work);
  if (journal.files.length === 0) return { value, undo: undefined };
  const undo = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
  const writes = writesOf(place);
  writes.set(undo, { ...journal, tool });
  let size = 0;
  for (const [index, [token, { files }]] of [...writes].reverse().entries()) {
    for (const { before, after } of files) size += (before ?? "").length + (after ?? "").length;
    if (index > 0 && (index >= MOST_WRITES || size > MOST_UNDO_TEXT)) writes.delete(token);
  }
  return { value, undo };
}

/**
 * Restores the files of a write, all or none.
 *
 * @returns The tool, and the files relative to the project.
 * @throws {RefraktError} `UNDO_EXPIRED` for an unknown token, `CONFLICT` if a file was changed since.
 */
export async function undoWrite(
  place: UndoPlace,
  token: string,
  isPreview: boolean,
  signal: AbortSignal,
): Promise<{ readonly tool: string; readonly files: string[] }> {
  const writes = writesOf(place);
  const write = writes.get(token);
  if (write === undefined) {
    throw new RefraktError("UNDO_EXPIRED", "This write cannot be undone any more", {
      hint:
        `A token works once, in this run of the server, among its last ${MOST_WRITES} writes. ` +
        "git has the committed texts; a tool that writes makes another change.",
    });
  }
  const { tool, files, steps, locks } = write;
  const locked = locks.reduce<(work: () => void) => Promise<void>>(
    (inner, { folder, ...lock }) => (work) =>
      withFolderLock(folder, { ...lock, signal }, () => inner(work)),
    async (work) => await work(),
  );
  const undone = { tool, files: files.map(({ path }) => shownPath(place.cwd, path)) };
  const check = () => locked(() => void files.map(restored));
  if (isPreview) {
    await check();
    return undone;
  }
  // A second call with the same token must fail.
  writes.delete(token);
  const redoSteps: UndoStep[] = [];
  try {
    if (steps.length > 0) await check();
    // Without the lock, because other calls would wait for the network.
    for (const step of steps) redoSteps.push(...(await recordWrites(() => step(signal))).steps);
    await locked(() => writeInFolders(files.map(restored)));
  } catch (error) {
    writes.set(token, write);
    for (const step of redoSteps) await step(signal).catch(() => {});
    throw error;
  }
  for (const step of redoSteps) noteStep(step);
  return undone;
}

/**
 * Runs work that writes several files by itself; restores them if it fails.
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
    writeInFolders(files.map(restored));
    throw error;
  }
}

/** The write that restores a file, which must be as it was left. */
function restored(file: WrittenFile): FileWrite | NewFile {
  const { folder, path, before: text, after: old, mode } = file;
  writablePath(folder, path);
  // The files of all tools have the size limit of texts.
  const kind = "text";
  const write = isLink(path) ? undefined : writeFrom(folder, path, { old, text, mode }, { kind });
  if (write !== undefined) return write;
  const name = quotedName(shownPath(folder.root, path));
  throw new RefraktError("CONFLICT", `${name} was changed since this write`, {
    hint: "Nothing was undone. Read it, then change what is to change.",
  });
}
