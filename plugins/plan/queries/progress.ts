/** How far work has come: of entities by their items and criteria, of the plan by its milestones. */

import { lazily } from "../../../src/io/lazily.ts";
import type { Entity } from "../entity/entity.ts";
import type { ParsedEntity } from "../entity/document.ts";
import { isDone, isFinished, isTask } from "../entity/lifecycle.ts";
import type { Plan } from "../store/plan.ts";

/** How many of all are done. */
export interface Ratio {
  readonly done: number;
  readonly total: number;
}

/** How many criteria of an entity are ticked. */
export function criteriaRatio({ criteria }: Pick<Entity, "criteria">): Ratio {
  return { done: criteria.filter(({ checked }) => checked).length, total: criteria.length };
}

/** How many criteria of an entity are open. */
export function openCount(entity: Entity): number {
  const { done, total } = criteriaRatio(entity);
  return total - done;
}

/** Whether all criteria are ticked, and nothing looks like one that does not count. */
export function areCriteriaMet(entity: Entity): boolean {
  return openCount(entity) === 0 && entity.uncounted.length === 0;
}

/** Such as `2 check boxes that refrakt does not count (lines 8, 9)`; empty without any. */
export function uncountedText({ uncounted }: Pick<ParsedEntity, "uncounted">): string {
  if (uncounted.length === 0) return "";
  const lines = uncounted.map(({ line }) => line);
  const [boxes, word] = lines.length === 1 ? ["box", "line"] : ["boxes", "lines"];
  return `${lines.length} check ${boxes} that refrakt does not count (${word} ${lines.join(", ")})`;
}

/**
 * The work items and bugs of a milestone, or those that implement another entity. What was dropped
 * counts in the total, and not as done.
 */
export function workRatio(plan: Plan, { id, type }: Entity): Ratio {
  return doneRatio(type === "milestone" ? plan.tasksOf(id) : plan.implementing(id));
}

export function doneRatio(items: readonly Entity[]): Ratio {
  return { done: items.filter(({ status }) => isDone(status)).length, total: items.length };
}

/** A ratio such as `1/3`; `undefined` of nothing. */
export function ratioText({ done, total }: Ratio): string | undefined {
  return total === 0 ? undefined : `${done}/${total}`;
}

/** The progress of an entity by its items and its criteria, such as `5/7 items, 1/3 criteria`. */
export function progressText(plan: Plan, entity: Entity): string | undefined {
  if (isTask(entity)) return undefined;
  const parts = { items: workRatio(plan, entity), criteria: criteriaRatio(entity) };
  return Object.entries(parts).flatMap(([name, ratio]) => {
    const text = ratioText(ratio);
    return text === undefined ? [] : `${text} ${name}`;
  }).join(", ") || undefined;
}

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
export function activeMilestones({ entities, tasksOf }: Plan): string[] {
  const open = new Map(
    entities.filter(({ type, status }) => type === "milestone" && status === "active")
      .map(({ attributes: { name = "" } }) => [
        name,
        tasksOf(name).filter(({ type, status }) => !isFinished(type, status, true)).length,
      ]),
  );
  return [...open].filter(([, count]) => count > 0)
    .sort(([a, first], [b, second]) => second - first || byNumber(b, a))
    .map(([name]) => name);
}
