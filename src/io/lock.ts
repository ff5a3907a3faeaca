/**
 * A lock on a folder, across processes. It locks the folder itself, so it leaves no lock file, and
 * the operating system releases it when a process dies.
 */

import { RefraktError } from "../errors.ts";

/** How long a call waits for the lock, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Options for locking a folder. */
export interface FolderLock {
  /** The folder's content, for the error message: "the plan". */
  readonly what: string;
  /** What to do after a timeout. */
  readonly hint: string;
  readonly signal: AbortSignal;
}

/**
 * Runs work while holding an exclusive lock on a folder.
 *
 * @param dir The folder; if it does not exist, nothing is locked.
 * @param work Receives whether the lock is held; some file systems do not support locks.
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

/** Returns `undefined` if the folder does not exist or the platform cannot open folders. */
function openFolder(dir: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(dir, { read: true });
  } catch {
    return undefined;
  }
}

/** Waits for the lock; returns `false` if the file system does not support locks. */
async function acquire(folder: Deno.FsFile, { what, hint, signal }: FolderLock): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let pause = 1;; pause = Math.min(pause * 2, 20)) {
    signal.throwIfAborted();
    try {
      if (folder.tryLockSync(true)) return true;
    } catch {
      return false;
    }
    if (performance.now() > deadline) {
      const message = `Timed out waiting for another process that is writing ${what}`;
      throw new RefraktError("TIMEOUT", message, { hint });
    }
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
}
