/**
 * Which milestones of a plan are active. The server's instructions use it, too, so it imports nothing
 * that a start would wait for.
 */

import { lazily } from "../../../src/io/lazily.ts";
import type { Entity } from "../entity/entity.ts";
import { isFinished, isTask } from "../entity/lifecycle.ts";

/** The first collator of a process takes 10 ms. */
const collator = lazily(() => new Intl.Collator("en", { numeric: true }));

/** Natural order: `v0.9.0` before `v0.10.0`. */
export function byNumber(a: string, b: string): number {
  return collator().compare(a, b);
}

/**
 * Returns the names of the active milestones: those that are marked so and have open work items or
 * bugs, the one with most of them first.
 */
export function activeMilestones(
  entities: readonly Pick<Entity, "type" | "attributes">[],
): string[] {
  const open = new Map<string, number>();
  for (const { type, attributes: { milestone = "", status = "" } } of entities) {
    const isOpen = isTask({ type }) && !isFinished(type, status, true);
    if (isOpen) open.set(milestone, (open.get(milestone) ?? 0) + 1);
  }
  return entities.flatMap(({ type, attributes: { name = "", status } }) =>
    type === "milestone" && status === "active" && open.has(name) ? name : []
  ).sort((a, b) => open.get(b)! - open.get(a)! || byNumber(b, a));
}
