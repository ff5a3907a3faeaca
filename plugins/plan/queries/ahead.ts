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
  const waiting = new Set([...blockers].flatMap(([item, { length }]) => length > 0 ? item : []));
  const asked = [...blockers.keys()].filter(isAsked);
  const stepOf = new Map<Entity, number>();
  const waitsFor = (item: Entity) => blockers.get(item)!.filter((other) => waiting.has(other));
  const counts = new Map(Array.from(waiting, (item) => [item, waitsFor(item).length]));
  const waiters = new Map<Entity, Entity[]>();
  for (const item of waiting) {
    for (const other of waitsFor(item)) waiters.getOrInsert(other, []).push(item);
  }
  let freed = [...waiting].filter((item) => counts.get(item) === 0);
  for (let step = 1; freed.length > 0; step++) {
    for (const item of freed) {
      stepOf.set(item, step);
      waiting.delete(item);
    }
    freed = freed.flatMap((item) => waiters.get(item) ?? []).filter((item) => {
      const count = counts.get(item)! - 1;
      counts.set(item, count);
      return count === 0;
    });
  }
  const chainStart = asked.filter((item) => stepOf.has(item));
  for (const item of asked) if (blockers.get(item)!.length === 0) stepOf.set(item, 1);
  const listed = sortItems(plan, asked, "priority")
    .filter((item) => !isStarted(item.status) && (stepOf.get(item) ?? Infinity) <= steps)
    .sort((a, b) => stepOf.get(a)! - stepOf.get(b)!);
  const chain: Entity[] = [];
  for (let last = latest(chainStart); last !== undefined; last = latest(blockers.get(last) ?? [])) {
    chain.unshift(last);
  }
  const cycles: Entity[][] = [];
  // The cycles that items are in, or wait for.
  searchCycles(asked.filter((item) => waiting.has(item)), waitsFor, (path, start) => {
    if (cycles.length < MOST_CYCLES) cycles.push(path.slice(start));
  });
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
        after: unlessEmpty(blockers.get(item)!.map(({ id }) => id)),
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
