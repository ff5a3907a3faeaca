/**
 * What a status means: finished for its type, done for those that wait for it.
 *
 * @module
 */

/**
 * The final statuses by type, over all versions of the plugin.
 * The plugin has such a list for its site, but does not export it.
 */
const FINISHED: Readonly<Record<string, readonly string[]>> = {
  work: ["done", "cancelled", "superseded"],
  bug: ["fixed", "wontfix", "duplicate"],
  spec: ["implemented", "shipped", "superseded", "deprecated"],
  decision: ["accepted", "rejected", "superseded", "deprecated"],
  milestone: ["complete"],
};

/**
 * Whether a type counts a status as finished.
 *
 * @param specsGoOn Whether an accepted spec still has to be implemented: newer versions of the
 * plugin have a status for that, in older ones acceptance is the end.
 */
export function isFinished(type: string, status: string, specsGoOn: boolean): boolean {
  if (type === "spec" && status === "accepted") return !specsGoOn;
  return FINISHED[type]?.includes(status) ?? false;
}

/** Whether what depends on a work item or bug of this status can begin; the plugin's own rule. */
export function isDone(status: string): boolean {
  return status === "done" || status === "fixed";
}

/** The statuses that end an entity without its work being done. */
const DROPPED = ["cancelled", "superseded", "wontfix", "duplicate", "rejected", "deprecated"];

/** Whether an entity was given up, or replaced by another: nothing waits for it any more. */
export function isDropped(status: string): boolean {
  return DROPPED.includes(status);
}

/** The statuses in which the plugin offers an item as next. */
const READY: Readonly<Record<string, string>> = { work: "ready", bug: "confirmed" };

/** The status of an item that somebody works on. */
export const CLAIMED = "in-progress";

/** Whether somebody works on an item of this status. */
export function isClaimed(status: string): boolean {
  return status === CLAIMED;
}

/** The status in which the plugin offers items of a type. */
export function readyStatus(type: string): string {
  return READY[type] ?? "";
}

/** Whether an item of this type and status is waiting to be taken up. */
export function isReady(type: string, status: string): boolean {
  return READY[type] === status && status !== "";
}
