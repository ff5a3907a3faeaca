/** The milestones of a plan, and which one is active. */

import type { Item, PlanView } from "./access.ts";
import { isDone } from "./lifecycle.ts";
import { byNumber } from "./values.ts";

export interface MilestoneProgress {
  name: string;
  status: string;
  target?: string;
  /** Of its work items and bugs. */
  done: number;
  total: number;
}

/**
 * Returns the active milestone: one that is marked so and has open work items or bugs; of several,
 * the one with most of them. The board chooses the same.
 */
export function activeMilestone(plan: PlanView): MilestoneProgress | undefined {
  const openIn = (item: Item) => tasksOf(plan, item.id).filter(({ finished }) => !finished).length;
  const [first] = plan.items
    .filter(({ type, status }) => type === "milestone" && status === "active")
    .map((item) => ({ item, open: openIn(item) }))
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open || byNumber(b.item.id, a.item.id));
  return first && progressIn(plan, first.item);
}

function progressIn(plan: PlanView, { id, status, entity }: Item): MilestoneProgress {
  const tasks = tasksOf(plan, id);
  const { target } = entity.attributes;
  return {
    name: id,
    status: status || "planning",
    ...(target ? { target } : {}),
    done: tasks.filter((task) => isDone(task.status)).length,
    total: tasks.length,
  };
}

function tasksOf({ items }: PlanView, milestone: string): Item[] {
  return items.filter(({ type, entity }) =>
    (type === "work" || type === "bug") && entity.attributes["milestone"] === milestone
  );
}
