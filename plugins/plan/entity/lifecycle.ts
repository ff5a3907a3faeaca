/** The lifecycle of entities: one table of what each status means, by type. */

import { ENTITY_TYPES, type EntityType } from "./types.ts";

/**
 * What a status means: still being written or confirmed (`new`, `pending`), what the plugin offers
 * as next (`ready`), what somebody works on (`started`), a spec that is accepted (`agreed`), what
 * was abandoned or replaced (`dropped`). Everything else is `open`.
 */
type Stage =
  | "new"
  | "pending"
  | "ready"
  | "started"
  | "blocked"
  | "agreed"
  | "done"
  | "dropped"
  | "open";

/** The status of an item that somebody works on. */
export const CLAIMED = "in-progress";

/** The statuses of all types and versions of the plugin, in lifecycle order. */
const STATUSES = new Map<string, Stage | Readonly<Partial<Record<EntityType, Stage>>>>([
  ["draft", { work: "new", spec: "new" }],
  ["proposed", "open"],
  ["reported", { bug: "new" }],
  ["pending", { work: "pending" }],
  ["planning", "open"],
  ["confirmed", { bug: "ready" }],
  ["active", "open"],
  ["ready", { work: "ready" }],
  [CLAIMED, "started"],
  ["review", "started"],
  ["blocked", "blocked"],
  // Statuses that the table does not have are here.
  ["", "open"],
  ["accepted", { spec: "agreed", decision: "done" }],
  ["implemented", { spec: "done" }],
  ["shipped", { spec: "done" }],
  ["done", { work: "done" }],
  ["fixed", { bug: "done" }],
  ["complete", { milestone: "done" }],
  ["cancelled", { work: "dropped" }],
  ["rejected", { decision: "dropped" }],
  ["wontfix", { bug: "dropped" }],
  ["duplicate", { bug: "dropped" }],
  ["superseded", { work: "dropped", spec: "dropped", decision: "dropped" }],
  ["deprecated", { spec: "dropped", decision: "dropped" }],
]);

function stageOf(type: string, status: string): Stage {
  const meaning = STATUSES.get(status) ?? "open";
  if (typeof meaning === "string") return meaning;
  return meaning[type as EntityType] ?? "open";
}

function isInAnyType(status: string, stage: Stage): boolean {
  return ENTITY_TYPES.some((type) => stageOf(type, status) === stage);
}

/** The first status of a type with a meaning; empty if it has none. */
function firstStatus(type: string, stage: Stage): string {
  return STATUSES.keys().find((status) => stageOf(type, status) === stage) ?? "";
}

/** Whether an entity is work to take up: a work item or a bug. */
export const isTask = ({ type }: { readonly type: string }): boolean =>
  type === "work" || type === "bug";

/** The first status of a type that means done. */
export const doneStatus = (type: string): string => firstStatus(type, "done");

/** The status in which the plugin offers items of a type as next. */
export const readyStatus = (type: string): string => firstStatus(type, "ready");

/**
 * Whether a status is final for a type.
 *
 * @param specsGoOn Whether an accepted spec still has to be implemented: newer versions of the
 * plugin have a status for that; in older ones, accepted is final.
 */
export function isFinished(type: string, status: string, specsGoOn: boolean): boolean {
  const stage = stageOf(type, status);
  return stage === "done" || stage === "dropped" || stage === "agreed" && !specsGoOn;
}

/** Whether dependents of a work item or bug with this status can begin; the plugin's own rule. */
export const isDone = (status: string): boolean =>
  stageOf("work", status) === "done" || stageOf("bug", status) === "done";

/** Whether an entity was abandoned or replaced, so that nothing waits for it. */
export const isDropped = (status: string): boolean => isInAnyType(status, "dropped");

/** Whether the plugin offers an item with this type and status as next. */
export const isReady = (type: string, status: string): boolean => stageOf(type, status) === "ready";

/** Whether a status means that an item is new: its scope is not settled yet. */
export const isNew = (status: string): boolean => isInAnyType(status, "new");

/** Whether an item is still being written or confirmed. */
export const isUnready = (type: string, status: string): boolean =>
  ["new", "pending"].includes(stageOf(type, status));

/** Whether somebody has begun to work on an entity with this status. */
export const isStarted = (status: string): boolean => isInAnyType(status, "started");

/** Whether somebody works on an item with this status, or has finished it. */
export const isTakenUp = (type: string, status: string): boolean =>
  isStarted(status) || isFinished(type, status, true);

/** The statuses of active work. */
export const ACTIVE: readonly string[] = [...STATUSES.keys()]
  .filter((status) => ["ready", "started", "blocked"].includes(stageOf("work", status)));

/** The statuses that end a review: of accepted work, and of work that goes back. */
export function reviewStatuses(type: string, statuses: readonly string[]) {
  return {
    accept: statuses.find((status) => ["agreed", "done"].includes(stageOf(type, status))),
    back: statuses.find((status) => status === CLAIMED) ??
      statuses.find((status) => stageOf(type, status) === "new"),
  };
}

/** Statuses in lifecycle order; unknown ones come before the final ones. */
export function sortStatuses(statuses: Iterable<string>): string[] {
  const order = [...STATUSES.keys()];
  const rank = (status: string) => order.indexOf(STATUSES.has(status) ? status : "");
  return [...new Set(statuses)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
