/** Items that are offered as next, and why others are not, as answers show them. */

import { quotedName, word } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { isReady, isStarted, isTask, readyStatus } from "../entity/lifecycle.ts";
import { type Named, pathOf, type PlanView, rowOf, rowsOf, uriOf } from "./access.ts";
import { type Availability, rankOf, whyNotOffered } from "./availability.ts";
import {
  blockersOf,
  conflictNote,
  duplicateNote,
  idAndStatus,
  isSound,
  mentionsThatWithhold,
  searchCycles,
  withheldBy,
} from "./waits.ts";
import { sortItems } from "./select.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** How many drafts are named where nothing is ready. */
const DRAFTS = 5;

/** The plugin's rule for references, stated once for all items. */
const NOTE = "Without a Dependencies section, mentions count as dependencies";

/** Why nothing more is offered; where nothing is ready, also how a draft becomes so. */
export function offerNotes(
  plan: PlanView,
  available: Availability,
  explain: boolean,
): { drafts?: Named[]; note?: string } {
  const { offered, withheld, unready } = available;
  const why = whyNotOffered(plan, available);
  const [first] = unready;
  const isNothing = offered.length === 0;
  if (isNothing && withheld.length === 0 && first !== undefined) {
    const status = readyStatus(first.type);
    const call = `plan_update { id: ${quotedName(first.id)}, status: "${status}" }`;
    return {
      drafts: unready.slice(0, DRAFTS).map(rowOf),
      note: `Nothing is ready: ${why}. Once the criteria are settled, ${call} offers it.`,
    };
  }
  // Where much is offered, the number of withheld items is enough.
  const isClear = withheld.every((item) => isSound(plan, item));
  if (offered.length > withheld.length && !explain && isClear) return {};
  if (why === "") return isNothing ? { note: "Nothing is ready or waits to become so" } : {};
  const mentions = (isNothing || explain) &&
      withheld.some((item) => mentionsThatWithhold(plan, item).length > 0)
    ? `. ${NOTE}: plan_validate { type: "mention-blocks" } has the corrections`
    : "";
  const start = isNothing ? "Nothing is offered" : `${offered.length} offered`;
  return { note: `${start}: ${why}${mentions}` };
}

/** The fields of an item that every list of ready items has. */
export function readyRow(item: Entity) {
  return { id: item.id, title: item.title || undefined, type: item.type, ...rankOf(item) };
}

/** An item with its other attributes and the titles of its references. */
export function offeredRow(plan: PlanView, item: Entity) {
  const others = Object.entries(item.attributes).filter(([name, value]) =>
    value !== "" && !["id", "status", "priority", "complexity"].includes(name)
  );
  return {
    ...readyRow(item),
    criteria: item.criteria.map(({ text, checked }) => ({ text, checked: checked || undefined })),
    attributes: others.length === 0 ? undefined : Object.fromEntries(others),
    references: unlessEmpty(rowsOf(plan, item.refs)),
    path: pathOf(plan, item),
    uri: uriOf(item),
  };
}

/** Explains why a ready item is withheld. */
export function withheldRow(plan: PlanView, item: Entity, taken: string | undefined) {
  const blockers = blockersOf(plan, item);
  const others = withheldBy(plan, item);
  const listOf = (items: readonly Entity[]) => items.map(idAndStatus).join(", ");
  const reasons = taken === undefined ? [] : [`Taken elsewhere: ${taken}`];
  if (blockers.length > 0) reasons.push(`Unfinished dependencies: ${listOf(blockers)}`);
  if (others.some(({ id }) => item.dependencies?.some((dependency) => dependency.id === id))) {
    reasons.push(`The plan plugin counts only done and fixed: ${listOf(others)}`);
  } else if (others.length > 0) {
    reasons.push(`References: ${listOf(others)}`);
  }
  reasons.push(duplicateNote(plan, item) ?? "", conflictNote(item) ?? "");
  const reason = reasons.filter(Boolean).join("; ") || "It has no id";
  return { id: item.id, title: item.title || undefined, reason };
}

/** How many items ahead, cycles, and items of a chain are listed. */
const MOST_AHEAD = 50;
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
    // An item that is in a cycle, or waits for one, has no step.
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
  const few = <Value>(name: string, all: readonly Value[]) => {
    if (all.length > MOST_AHEAD) leftOut.push(`${name}: ${all.length - MOST_AHEAD} more`);
    return all.slice(0, MOST_AHEAD);
  };
  const ahead = few("ahead", listed).map((item) => {
    const mentioned = mentionsThatWithhold(plan, item).map(({ id }) => word(id)).join(", ");
    return {
      ...rowOf(item),
      step: stepOf.get(item)!,
      after: unlessEmpty(blockersOf(item).map(({ id }) => id)),
      reason: mentioned === "" ? undefined : `Only mentioned: ${mentioned}`,
    };
  });
  const longestChain = few("longestChain", chain).map(rowOf);
  const circles = few("cycles", cycles).map((cycle) => few("a cycle", cycle).map(({ id }) => id));
  return { ahead, longestChain, cycles: unlessEmpty(circles), leftOut: unlessEmpty(leftOut) };

  function latest(items: readonly Entity[]): Entity | undefined {
    const step = (item: Entity) => stepOf.get(item) ?? 0;
    return items.toSorted((a, b) => step(b) - step(a))[0];
  }
}
