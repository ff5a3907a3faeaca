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
  const cycles = cyclesFrom(asked);
  const behind = asked.filter((item) => waiting.has(item) && !cycles.flat().includes(item));
  const ids = (items: readonly Item[]) => items.slice(0, MOST).map(({ id }) => id);
  return {
    ahead: found.slice(0, MOST).map((item) => {
      const after = reasons.get(item)!.map(({ id }) => id);
      const then = isReady(item.type, item.status)
        ? ""
        : `; it is ${item.status || "without status"}, and is offered once it is ready`;
      const reason = `Available after ${after.join(", ")}${then}`;
      return { ...rowOf(item), step: stepOf.get(item)!, after, reason };
    }),
    ...(found.length > MOST ? { aheadTotal: found.length } : {}),
    longestChain: chain.slice(0, MOST).map(rowOf),
    ...(chain.length > MOST ? { longestChainTotal: chain.length } : {}),
    ...(cycles.length === 0 ? {} : { cycles: cycles.slice(0, MOST).map(ids) }),
    ...(behind.length === 0 ? {} : { behindCycles: ids(behind) }),
  };

  function later(one: Item | undefined, other: Item): Item {
    return one === undefined || (stepOf.get(other) ?? 0) > (stepOf.get(one) ?? 0) ? other : one;
  }

  /** What has to be done one after the other, up to an item. */
  function chainTo(last: Item | undefined): Item[] {
    const chain: Item[] = [];
    for (let item = last; item !== undefined && !waiting.has(item);) {
      chain.unshift(item);
      item = reasons.get(item)?.reduce<Item | undefined>(later, undefined);
    }
    return chain;
  }

  /** The cycles that items are in, or wait for. */
  function cyclesFrom(items: readonly Item[]): Item[][] {
    const seen = new Set<Item>();
    return items.flatMap((start) => {
      const path: Item[] = [];
      let item: Item | undefined = start;
      while (item !== undefined && waiting.has(item) && !seen.has(item)) {
        seen.add(item);
        path.push(item);
        item = waiting.get(item)!.find((one) => waiting.has(one));
      }
      const at = item === undefined ? -1 : path.indexOf(item);
      return at === -1 ? [] : [path.slice(at)];
    });
  }
}
