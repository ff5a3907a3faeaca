/** The meaning of types and statuses. */

/** Whether an entity is work to take up: a work item or a bug. */
export const isTask = ({ type }: { readonly type: string }): boolean =>
  type === "work" || type === "bug";

/** The final statuses by type in all versions of the plugin, which does not export them. */
const FINISHED: Readonly<Record<string, readonly string[]>> = {
  work: ["done", "cancelled", "superseded"],
  bug: ["fixed", "wontfix", "duplicate"],
  spec: ["implemented", "shipped", "superseded", "deprecated"],
  decision: ["accepted", "rejected", "superseded", "deprecated"],
  milestone: ["complete"],
};

/** The status of what is done. */
export const doneStatus = (type: string): string => FINISHED[type]?.[0] ?? "";

/**
 * Whether a status is final for a type.
 *
 * @param specsGoOn Whether an accepted spec still has to be implemented: newer versions of the
 * plugin have a status for that; in older ones, accepted is final.
 */
export function isFinished(type: string, status: string, specsGoOn: boolean): boolean {
  if (type === "spec" && status === "accepted") return !specsGoOn;
  return FINISHED[type]?.includes(status) ?? false;
}

/** Whether dependents of a work item or bug with this status can begin; the plugin's own rule. */
export function isDone(status: string): boolean {
  return status === "done" || status === "fixed";
}

const DROPPED = ["cancelled", "superseded", "wontfix", "duplicate", "rejected", "deprecated"];

/** Whether an entity was abandoned or replaced, so that nothing waits for it. */
export const isDropped = (status: string) => DROPPED.includes(status);

/** The status in which the plugin offers items of a type as next. */
const READY: Readonly<Record<string, string>> = { work: "ready", bug: "confirmed" };

/** The status of an item that somebody works on. */
export const CLAIMED = "in-progress";

/** Whether somebody works on an item with this status, or has finished it. */
export const isTakenUp = (type: string, status: string): boolean =>
  status === CLAIMED || status === "review" || isFinished(type, status, true);

export const readyStatus = (type: string) => READY[type] ?? "";

/** Whether the plugin offers an item with this type and status as next. */
export function isReady(type: string, status: string): boolean {
  return status !== "" && READY[type] === status;
}

/** The statuses of items that are still being written or confirmed. */
const UNREADY: Readonly<Record<string, readonly string[]>> = {
  work: ["draft", "pending"],
  bug: ["reported"],
};

export const isUnready = (type: string, status: string): boolean =>
  UNREADY[type]?.includes(status) ?? false;

/** The statuses of all types in lifecycle order: waiting, those of work, and final ones. */
const WAITING = ["draft", "proposed", "reported", "pending", "planning", "confirmed", "active"];
export const ACTIVE = ["ready", CLAIMED, "review", "blocked"];
const FINAL = [
  ...["accepted", "implemented", "shipped", "done", "fixed", "complete"],
  ...["cancelled", "rejected", "wontfix", "duplicate", "superseded", "deprecated"],
];

/** Statuses in lifecycle order; unknown ones come before the final ones. */
export function sortStatuses(statuses: Iterable<string>): string[] {
  const order = [...WAITING, ...ACTIVE, "", ...FINAL];
  const place = (status: string) =>
    order.includes(status) ? order.indexOf(status) : order.indexOf("");
  return [...new Set(statuses)].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}
