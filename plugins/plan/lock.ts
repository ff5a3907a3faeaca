/**
 * One writer at a time, also among servers side by side: two that create an entity
 * at the same moment must not pick the same id. The plan's folder itself is locked,
 * so that no file is left behind; the system frees it when a process dies.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { type LockOutcome, waitForLock } from "../../src/io/lock.ts";

/** How long a call waits for others, in milliseconds. */
const LIST_TIMEOUT_MS = 15_000;

/**
 * Runs work while no other call of any process writes the plan.
 *
 * @param dir The plan's directory; where it does not exist yet, nothing is locked.
 * @param signal Gives up waiting.
 * @param work What to do; it is told whether the plan is locked, which some file systems cannot.
 * @throws {RefraktError} `TIMEOUT` where another process holds the plan for too long.
 */
export async function withPlanLock<Value>(
  dir: string,
  signal: AbortSignal,
  work: (isHeld: boolean) => Value | Promise<Value>,
): Promise<Value> {
  const folder = openFolder(dir);
  if (folder === undefined) return await work(false);
  try {
    return await work(await acquire(folder, signal));
  } finally {
    folder.close();
  }
}

/** The folder as something to lock; `undefined` where it is not there, or the platform opens none. */
function openFolder(dir: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(dir, { read: true });
  } catch {
    return undefined;
  }
}

/** Waits for the lock; `false` where the file system has none. */
async function acquire(folder: Deno.FsFile, signal: AbortSignal): Promise<boolean> {
  let outcome: LockOutcome;
  try {
    outcome = await waitForLock(folder, signal, LIST_TIMEOUT_MS);
  } catch {
    // A file system without locks is no reason to refuse the work.
    return false;
  }
  if (outcome === "held") return true;
  signal.throwIfAborted();
  throw new RefraktError("TIMEOUT", "Another process has been writing the plan for too long", {
    hint: "See whether another server hangs, then call again; nothing was written.",
  });
}
