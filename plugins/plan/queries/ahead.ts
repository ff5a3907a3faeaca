/** The steps in which items become available, by what blocks them. */

import { word } from "../../../src/plain_text.ts";
import { mentionsThatWithhold } from "./waits.ts";
import type { Entity } from "../entity/entity.ts";
import { type PlanView, rowOf, unlessEmpty } from "./access.ts";
import { searchCycles } from "./cycles.ts";
import { isReady, isStarted, isTask } from "../entity/lifecycle.ts";
import { sortItems } from "./select.ts";

/** How many items, cycles, and items of a chain are listed. */
const MOST = 50;
/** How many cycles are counted. */
const MOST_CYCLES = 1000;

/**
 * Looks ahead: step 1 is available once its blockers are finished, all of which can start now, or
 * once it is ready. Leaves out only what waits for itself.
 *
 * @param isAsked Selects items. Blockers count even if they are not selected.
 */
export function lookAhead(plan: PlanView, isAsked: (item: Entity) => boolean, steps: number) {
  const blockers = new Map(
    plan.entities.filter((item) => isTask(item) && !item.finished).map((item) =>
      [item, plan.waits(item).map((wait) => wait.for)] as const
    ).filter(([item, { length }]) => length > 0 || !isReady(item.type, item.status)),
  );
  const asked = [...blockers.keys()].filter(isAsked);
  const blockersOf = (item: Entity) => blockers.get(item) ?? [];
  const isWaiting = (item: Entity) => blockersOf(item).length > 0;
  const stepOf = new Map<Entity, number>();
  const cycles: Entity[][] = [];
  const addStep = (item: Entity) => {
    const before = blockersOf(item).filter(isWaiting);
    // What is in a cycle, or waits for one, has no step.
    if (!before.every((other) => stepOf.has(other))) return;
    stepOf.set(item, 1 + Math.max(0, ...before.map((other) => stepOf.get(other)!)));
  };
  const addCycle = (path: readonly Entity[], start: number) => {
    if (cycles.length < MOST_CYCLES) cycles.push(path.slice(start));
  };
  const waiting = asked.filter(isWaiting);
  searchCycles(waiting, (item) => blockersOf(item).filter(isWaiting), addCycle, addStep);
  const chainStart = waiting.filter((item) => stepOf.has(item));
  for (const item of asked) if (!isWaiting(item)) stepOf.set(item, 1);
  const chain: Entity[] = [];
  for (let last = latest(chainStart); last !== undefined; last = latest(blockersOf(last))) {
    chain.unshift(last);
  }
  const listed = sortItems(plan, asked, "priority")
    .filter((item) => !isStarted(item.status) && (stepOf.get(item) ?? Infinity) <= steps)
    .sort((a, b) => stepOf.get(a)! - stepOf.get(b)!);
  const leftOut: string[] = [];
  const few = <Value>(what: string, all: readonly Value[]) => {
    if (all.length > MOST) leftOut.push(`${what}: ${all.length - MOST} more`);
    return all.slice(0, MOST);
  };
  const answer = {
    ahead: few("ahead", listed).map((item) => {
      const mentioned = mentionsThatWithhold(plan, item).map(({ id }) => word(id)).join(", ");
      return {
        ...rowOf(item),
        step: stepOf.get(item)!,
        after: unlessEmpty(blockersOf(item).map(({ id }) => id)),
        reason: mentioned === "" ? undefined : `Only mentioned: ${mentioned}`,
      };
    }),
    longestChain: few("longestChain", chain).map(rowOf),
    cycles: unlessEmpty(
      few("cycles", cycles).map((cycle) => few("a cycle", cycle).map(({ id }) => id)),
    ),
  };
  return { ...answer, leftOut: unlessEmpty(leftOut) };

  function latest(items: readonly Entity[]): Entity | undefined {
    const step = (item: Entity) => stepOf.get(item) ?? 0;
    return items.toSorted((a, b) => step(b) - step(a))[0];
  }
}
