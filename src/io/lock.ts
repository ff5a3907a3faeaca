/**
 * One writer at a time in a folder, also among servers side by side. The folder itself is
 * locked, so no file is left behind; the operating system frees it when a process dies.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";

/** How long a call waits for others, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** How a folder is locked. */
export interface FolderLock {
  /** What is in the folder, for the error: "the plan". */
  readonly what: string;
  /** What to do after a timeout. */
  readonly hint: string;
  /** Gives up waiting. */
  readonly signal: AbortSignal;
}

/**
 * Runs work while no other call of any process has the folder locked.
 *
 * @param dir The folder; if it does not exist, nothing is locked.
 * @param work What to do; it is told whether the folder is locked, which some file systems cannot.
 * @throws {RefraktError} `TIMEOUT` if another process holds the lock for too long.
 */
export async function withFolderLock<Value>(
  dir: string,
  lock: FolderLock,
  work: (isHeld: boolean) => Value | Promise<Value>,
): Promise<Value> {
  const folder = openFolder(dir);
  if (folder === undefined) return await work(false);
  try {
    return await work(await acquire(folder, lock));
  } finally {
    folder.close();
  }
}

/** The open folder; `undefined` if it does not exist, or the platform cannot open folders. */
function openFolder(dir: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(dir, { read: true });
  } catch {
    return undefined;
  }
}

/** Waits for the lock; `false` if the file system has none. */
async function acquire(folder: Deno.FsFile, { what, hint, signal }: FolderLock): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let pause = 1;; pause = Math.min(pause * 2, 20)) {
    signal.throwIfAborted();
    try {
      if (folder.tryLockSync(true)) return true;
    } catch {
      // A file system without locks is no reason to refuse the work.
      return false;
    }
    if (performance.now() > deadline) {
      throw new RefraktError("TIMEOUT", `Another process has been writing ${what} for too long`, {
        hint,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
}
