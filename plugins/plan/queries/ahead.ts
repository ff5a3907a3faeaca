/**
 * What becomes available after what: the steps in which items can be done, by what blocks them.
 *
 * @module
 */

import { type Item, type PlanView, rowOf } from "./access.ts";
import { blockersOf } from "./dependencies.ts";
import { isReady } from "./lifecycle.ts";
import { sortItems } from "./select.ts";

/** How many items, cycles and items of a chain are named. */
const MOST = 50;

/**
 * Looks ahead: step 1 is what becomes available when all that blocks it, and is not blocked itself,
 * is finished.
 *
 * @param isAsked Whether an item is asked for. What blocks it counts wherever it is.
 * @param steps How many steps are listed.
 */
export function lookAhead(plan: PlanView, isAsked: (item: Item) => boolean, steps: number) {
  const waiting = new Map<Item, Item[]>();
  for (const item of plan.items) {
    const blockers = blockersOf(plan, item);
    if (blockers.length > 0) waiting.set(item, blockers);
  }
  const asked = [...waiting.keys()].filter(isAsked);
  const stepOf = new Map<Item, number>();
  const reasons = new Map(waiting);
  for (let step = 1;; step++) {
    const freed = [...waiting].filter(([, blockers]) => blockers.every((one) => !waiting.has(one)));
    if (freed.length === 0) break;
    for (const [item] of freed) {
      stepOf.set(item, step);
      waiting.delete(item);
    }
  }
  const found = sortItems(plan, asked, "priority")
    .filter((item) => item.status !== "in-progress" && (stepOf.get(item) ?? Infinity) <= steps)
    .sort((a, b) => stepOf.get(a)! - stepOf.get(b)!);
  const chain = chainTo(asked.reduce<Item | undefined>(later, undefined));
  // What is still waiting is in a cycle, or behind one.
  const stuck = new Set(asked.filter((item) => waiting.has(item)));
  for (const item of stuck) {
    for (const one of waiting.get(item)!) if (waiting.has(one)) stuck.add(one);
  }
  const inCycle = new Set<Item>();
  const cycles: Item[][] = [];
  for (const item of stuck) {
    const cycle = inCycle.has(item) ? [] : cycleOf(item);
    if (cycle.length > 0) cycles.push(cycle);
    for (const one of cycle) inCycle.add(one);
  }
  const behind = asked.filter((item) => stuck.has(item) && !inCycle.has(item));
  const leftOut: string[] = [];
  const few = <Value>(what: string, all: readonly Value[]) => {
    if (all.length > MOST) leftOut.push(`${what}: ${all.length - MOST} more`);
    return all.slice(0, MOST);
  };
  const ids = (items: readonly Item[]) => items.map(({ id }) => id);
  const answer = {
    ahead: few("ahead", found).map((item) => {
      const after = ids(reasons.get(item)!);
      const then = isReady(item.type, item.status)
        ? ""
        : `; it is ${item.status || "without status"}, and is offered once it is ready`;
      const reason = `Available after ${after.join(", ")}${then}`;
      return { ...rowOf(item), step: stepOf.get(item)!, after, reason };
    }),
    longestChain: few("longestChain", chain).map(rowOf),
    ...(cycles.length === 0
      ? {}
      : { cycles: few("cycles", cycles).map((cycle) => few("a cycle", ids(cycle))) }),
    ...(behind.length === 0 ? {} : { behindCycles: few("behindCycles", ids(behind)) }),
  };
  return leftOut.length === 0 ? answer : { ...answer, leftOut };

  function later(one: Item | undefined, other: Item): Item {
    return one === undefined || (stepOf.get(other) ?? 0) > (stepOf.get(one) ?? 0) ? other : one;
  }

  /** What has to be done one after the other, up to an item. */
  function chainTo(last: Item | undefined): Item[] {
    const chain: Item[] = [];
    for (let item = last; item !== undefined && !waiting.has(item);) {
      chain.push(item);
      item = reasons.get(item)?.reduce<Item | undefined>(later, undefined);
    }
    return chain.reverse();
  }

  /** The shortest way from an item that is never free back to itself. */
  function cycleOf(item: Item): Item[] {
    const from = new Map<Item, Item>();
    const queue = [item];
    for (const one of queue) {
      for (const next of waiting.get(one)!) {
        if (next === item) {
          const path = [one];
          while (path[0] !== item) path.unshift(from.get(path[0]!)!);
          return path;
        }
        if (!waiting.has(next) || from.has(next)) continue;
        from.set(next, one);
        queue.push(next);
      }
    }
    return [];
  }
}
