/** The steps in which items become available, by what blocks them. */

import type { Entity } from "../entity/entity.ts";
import { type PlanView, rowOf, unlessEmpty } from "./access.ts";
import { blockersOf, mayWithhold, mentionsThatWithhold } from "./dependencies.ts";
import { isReady, isTask } from "../entity/lifecycle.ts";
import { sortItems } from "./select.ts";

/** How many items, cycles, and items of a chain are listed. */
const MOST = 50;
/** How many cycles are looked for, and the depth of that recursive search. */
const [MOST_CYCLES, MOST_DEPTH] = [1000, 1000];

/** The statuses of items that somebody has taken up already. */
const STARTED = ["in-progress", "review"];

/**
 * Looks ahead: step 1 is available once its blockers are finished, all of which can start now, or
 * once it is ready. Leaves out only what waits for itself.
 *
 * @param isAsked Selects items. Blockers count even if they are not selected.
 */
export function lookAhead(plan: PlanView, isAsked: (item: Entity) => boolean, steps: number) {
  const blockers = new Map(
    plan.entities.filter((item) => isTask(item) && !item.finished).map((item) =>
      [item, [...blockersOf(plan, item), ...mayWithhold(plan, item)]] as const
    ).filter(([item, { length }]) => length > 0 || !isReady(item.type, item.status)),
  );
  const waiting = new Set([...blockers].flatMap(([item, { length }]) => length > 0 ? item : []));
  const asked = [...blockers.keys()].filter(isAsked);
  const stepOf = new Map<Entity, number>();
  for (let step = 1;; step++) {
    const freed = [...waiting].filter((item) =>
      !blockers.get(item)!.some((one) => waiting.has(one))
    );
    if (freed.length === 0) break;
    for (const item of freed) {
      stepOf.set(item, step);
      waiting.delete(item);
    }
  }
  const chainStart = asked.filter((item) => stepOf.has(item));
  for (const item of asked) if (blockers.get(item)!.length === 0) stepOf.set(item, 1);
  const found = sortItems(plan, asked, "priority")
    .filter((item) => !STARTED.includes(item.status) && (stepOf.get(item) ?? Infinity) <= steps)
    .sort((a, b) => stepOf.get(a)! - stepOf.get(b)!);
  const chain: Entity[] = [];
  for (let last = latest(chainStart); last !== undefined; last = latest(blockers.get(last) ?? [])) {
    chain.unshift(last);
  }
  const cycles: Entity[][] = [];
  const visited = new Set<Entity>();
  for (const item of asked) visit(item, []);
  const leftOut: string[] = [];
  const few = <Value>(what: string, all: readonly Value[]) => {
    if (all.length > MOST) leftOut.push(`${what}: ${all.length - MOST} more`);
    return all.slice(0, MOST);
  };
  const answer = {
    ahead: few("ahead", found).map((item) => {
      const mentioned = mentionsThatWithhold(plan, item).map(({ id }) => id).join(", ");
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

  /** Collects the cycles that an item is in, or waits for. */
  function visit(item: Entity, path: readonly Entity[]): void {
    if (!waiting.has(item) || cycles.length === MOST_CYCLES) return;
    if (path.includes(item)) cycles.push(path.slice(path.indexOf(item)));
    if (visited.has(item) || path.length > MOST_DEPTH) return;
    visited.add(item);
    for (const one of blockers.get(item)!) visit(one, [...path, item]);
  }
}
