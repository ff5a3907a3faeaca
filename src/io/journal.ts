/** Records what a call writes, so that it can be undone. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { WriteFolder } from "./write_folder.ts";

/** A file that a call has changed. */
export interface WrittenFile {
  /** The folder that the call may write in. */
  readonly folder: WriteFolder;
  /** The absolute path. */
  readonly path: string;
  /** The text before; `null` if the file did not exist. */
  readonly before: string | null;
  /** The text after; `null` if the file does not exist. */
  readonly after: string | null;
  /** The mode before, which a file that is created again gets. */
  readonly mode?: number | undefined;
}

/** What a call has written. */
export interface Journal {
  /** The changed files, without those that have their old text again. */
  readonly files: readonly WrittenFile[];
  /** Undo what the call changed elsewhere, such as on a remote; they run before the files. */
  readonly steps: readonly UndoStep[];
  /** The locks that the call held. */
  readonly locks: readonly HeldLock[];
}

/** A lock that a call held: an undo takes it again. */
export interface HeldLock {
  readonly folder: WriteFolder;
  /** The folder's content, for the error message: "the plan". */
  readonly what: string;
  /** What to do after a timeout. */
  readonly hint: string;
}

/** @throws {RefraktError} If it was changed since. It notes how it is done again. */
export type UndoStep = (signal: AbortSignal) => Promise<void>;

interface Recording {
  readonly files: Map<string, WrittenFile>;
  readonly steps: UndoStep[];
  readonly locks: Map<string, HeldLock>;
}

const recordings = new AsyncLocalStorage<Recording>();

/** Runs work, and returns its value with what it has written. */
export async function recordWrites<Value>(
  work: () => Value | Promise<Value>,
): Promise<Journal & { readonly value: Value }> {
  const recording: Recording = { files: new Map(), steps: [], locks: new Map() };
  const value = await recordings.run(recording, async () => await work());
  const locks = [...recording.locks.values()];
  return { value, steps: recording.steps, locks, files: changedIn(recording) };
}

/** The files that the running call has changed so far. */
export function writtenFiles(): WrittenFile[] {
  const recording = recordings.getStore();
  return recording === undefined ? [] : changedIn(recording);
}

function changedIn({ files }: Recording): WrittenFile[] {
  return [...files.values()].filter(({ before, after }) => before !== after);
}

type Unwritten = Omit<WrittenFile, "before" | "after"> & {
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
};

/** Records a change of a file, unless a text is `undefined`: such a file cannot be restored. */
export function noteWrite({ folder, path, before, after, mode }: Unwritten): void {
  if (before === undefined || after === undefined) return;
  const files = recordings.getStore()?.files;
  const earlier = files?.get(path);
  const write = { folder, path, before: asReadBack(before), after: asReadBack(after), mode };
  // Somebody else may have written in between.
  const isNext = earlier !== undefined && earlier.after === write.before;
  files?.set(path, isNext ? { ...earlier, after: write.after } : write);
}

export function noteStep(step: UndoStep): void {
  recordings.getStore()?.steps.push(step);
}

export function noteLock(lock: HeldLock): void {
  recordings.getStore()?.locks.set(lock.folder.path, lock);
}

/** The text as a later read returns it: writing replaces lone surrogates. */
function asReadBack(text: string | null): string | null {
  return text === null ? null : text.toWellFormed();
}
