/**
 * A lock on a folder. Within the process, work waits in a queue. Across processes, the lock is the
 * operating system's on the folder itself, which leaves no file behind; where folders cannot be
 * locked, as on Windows, it is one on a file in the folder. The system releases both when a process
 * dies.
 */

import { messageOf, orElse, RefraktError } from "../errors.ts";
import { type HeldLock, noteLock } from "./journal.ts";
import { exists, isLink, realPathOf } from "./paths.ts";
import { isBusy } from "./permissions.ts";
import { unlessAborted } from "./turns.ts";
import { writablePath, type WriteFolder } from "./write_folder.ts";

/** How long a call waits, in milliseconds from the call: those in a queue fail together. */
const WAIT_MS = 15_000;
/** How long errors are taken for another process's work, in milliseconds. */
const BUSY_MS = 1000;

/** The lock file, for folders that cannot be locked; it exists only while a call holds it. */
const LOCKED_FILE = ".refrakt-mcp.lock";

interface FolderLock extends Omit<HeldLock, "folder"> {
  readonly signal: AbortSignal;
}

type Release = () => void;
/** The result of a try; `undefined` if this kind of lock does not exist here. */
type Attempt = Release | "busy" | undefined;

/** The last work in each folder's queue, by real path. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs work while no other work, of this or another process, holds the lock on the folder.
 *
 * @param folder The folder; if it does not exist, work of other processes is not excluded.
 * @throws {RefraktError} `TIMEOUT` if another process holds the lock for too long,
 * `FILE_OPERATION_FAILED` if the folder cannot be locked at all.
 */
export async function withFolderLock<Value>(
  folder: WriteFolder,
  lock: FolderLock,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const deadline = performance.now() + WAIT_MS;
  const key = realPathOf(folder.path);
  const before = queues.get(key) ?? Promise.resolve();
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  const last = before.then(() => promise);
  queues.set(key, last);
  // An aborted call leaves the queue while others before it still work.
  void last.then(() => queues.get(key) === last && queues.delete(key));
  let release: Release | undefined;
  try {
    await unlessAborted(before, lock.signal);
    release = await acquire(folder, lock, deadline);
    noteLock({ folder, what: lock.what, hint: lock.hint });
    return await work();
  } finally {
    release?.();
    leave();
  }
}

/** Waits for the lock until a deadline, with one try at least; `undefined` without the folder. */
async function acquire(
  folder: WriteFolder,
  lock: FolderLock,
  deadline: number,
): Promise<Release | undefined> {
  const start = performance.now();
  for (let pause = 1;; pause = Math.min(pause * 2, 20)) {
    lock.signal.throwIfAborted();
    if (!exists(folder.path)) return undefined;
    const now = performance.now();
    try {
      const attempt = lockFolder(folder.path) ?? lockFile(folder);
      if (attempt === undefined) throw notLocked(lock, new Error("its disk has no locks"));
      if (attempt !== "busy") return attempt;
    } catch (error) {
      // While another process deletes the file, Windows refuses to open it.
      if (!isBusy(error) || now - start > BUSY_MS) throw notLocked(lock, error);
    }
    if (now > deadline) {
      const message = `Timed out waiting for another process that is writing ${lock.what}`;
      throw new RefraktError("TIMEOUT", message, { hint: lock.hint });
    }
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
}

function lockFolder(dir: string): Attempt {
  const folder = orElse(() => Deno.openSync(dir, { read: true }), undefined);
  if (folder === undefined) return undefined;
  const isLocked = tryLock(folder);
  if (isLocked === true) return () => folder.close();
  folder.close();
  return isLocked === false ? "busy" : undefined;
}

/** Locks a file, which is deleted on release: the lock counts only if the path still has it. */
function lockFile(folder: WriteFolder): Attempt {
  const path = writablePath(folder, LOCKED_FILE);
  if (isLink(path)) throw new Error(`${LOCKED_FILE} in it is a link`);
  const file = Deno.openSync(path, { write: true, create: true });
  const { ino } = file.statSync();
  const isLocked = tryLock(file);
  const isNamed = () => orElse(() => Deno.lstatSync(path).ino === ino, false);
  // Without inode numbers, a deleted file could not be told from its successor.
  const isRemoved = isLocked === undefined || ino !== null && ino !== 0;
  const release = () => {
    // While a virus scanner has the file open, it stays, and the next holder removes it.
    if (isRemoved) orElse(() => Deno.removeSync(path), undefined);
    file.close();
  };
  if (isLocked === true && (!isRemoved || isNamed())) return release;
  if (isLocked === undefined) release();
  else file.close();
  return isLocked === undefined ? undefined : "busy";
}

/** Returns `undefined` if the system cannot lock such a file. */
function tryLock(file: Deno.FsFile): boolean | undefined {
  return orElse(() => file.tryLockSync(true), undefined);
}

function notLocked({ what }: FolderLock, error: unknown): unknown {
  if (error instanceof RefraktError || error instanceof Deno.errors.NotCapable) return error;
  const message = `Cannot lock ${what}: ${messageOf(error)}`;
  return new RefraktError("FILE_OPERATION_FAILED", message, {
    hint:
      "Nothing was written. Make the folder writable, and keep the project on a disk with locks.",
    cause: error,
  });
}
