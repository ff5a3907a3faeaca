/**
 * One writer of a plan at a time: two calls that create an entity at the same moment must not
 * choose the same id.
 *
 * @module
 */

import { withFolderLock } from "../../src/io/lock.ts";

/**
 * Runs work while no other call of any process writes the plan.
 *
 * @param dir The plan's directory; if it does not exist yet, nothing is locked.
 * @param signal Gives up waiting.
 * @param work What to do; it is told whether the plan is locked, which some file systems cannot.
 * @throws {RefraktError} `TIMEOUT` if another process holds the plan for too long.
 */
export async function withPlanLock<Value>(
  dir: string,
  signal: AbortSignal,
  work: (isHeld: boolean) => Value | Promise<Value>,
): Promise<Value> {
  const hint = "See whether another server hangs, then call again; nothing was written.";
  return await withFolderLock(dir, { what: "the plan", hint, signal }, work);
}
