/**
 * What a status means: finished for its type, done for those that wait for it.
 *
 * @module
 */

/** The final statuses by type, over all versions of the plugin, which does not export them. */
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

const DROPPED = ["cancelled", "superseded", "wontfix", "duplicate", "rejected", "deprecated"];

/** Whether an entity was given up, or replaced by another: nothing waits for it any more. */
export const isDropped = (status: string) => DROPPED.includes(status);

/** The status in which the plugin offers items of a type as next. */
const READY: Readonly<Record<string, string>> = { work: "ready", bug: "confirmed" };

/** The status of an item that somebody works on. */
export const CLAIMED = "in-progress";

/** Returns the status in which the plugin offers items of a type. */
export const readyStatus = (type: string) => READY[type] ?? "";

/** Whether the plugin offers an item of this type and status as next. */
export function isReady(type: string, status: string): boolean {
  return status !== "" && READY[type] === status;
}
