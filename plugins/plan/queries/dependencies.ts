/**
 * What an item waits for, what waits for it, and who mentions it.
 *
 * @module
 */

import type { Item, PlanView } from "./access.ts";
import { isDone, isDropped, isReady } from "./lifecycle.ts";

/** Whether the item says what it depends on. */
function saysDependencies({ entity }: Item): boolean {
  return entity.dependencies !== undefined || entity.knownSectionsPresent.includes("Dependencies");
}

/** The ids that an item names as what it waits for. */
export function dependenciesOf({ entity }: Item): string[] {
  const ids = entity.dependencies !== undefined
    ? entity.dependencies.filter(({ direction }) => direction !== "blocks").map(({ id }) => id)
    : entity.scopedRefs.filter(({ section }) => section === "Dependencies").map(({ id }) => id);
  return [...new Set(ids)].filter((id) => id !== entity.id);
}

/** The ids that an item refers to and does not depend on. */
export function referencesOf(item: Item): string[] {
  const dependencies = new Set(dependenciesOf(item));
  return item.entity.refs.filter((id) => !dependencies.has(id) && id !== item.id);
}

/** The ids that an item refers to, or that stand in its text. */
export function mentionedIn({ id, entity, stored }: Item): string[] {
  return [...new Set([...entity.refs, ...stored.document.names])].filter((other) => other !== id);
}

/** The unfinished entities that an unfinished item depends on: what blocks it, for every tool. */
export function blockersOf(plan: PlanView, item: Item): Item[] {
  if (item.finished || item.type !== "work" && item.type !== "bug") return [];
  return dependenciesOf(item).flatMap((id) => plan.find(id) ?? [])
    .filter(({ finished }) => !finished);
}

/** Whether an item is blocked: by its status, or by what it depends on. */
export function isBlocked(plan: PlanView, item: Item): boolean {
  return item.status === "blocked" || blockersOf(plan, item).length > 0;
}

/** What is odd about an item that is marked blocked while nothing blocks it. */
export function blockedNote(plan: PlanView, item: Item): string | undefined {
  if (item.status !== "blocked" || blockersOf(plan, item).length > 0) return undefined;
  return dependenciesOf(item).length === 0
    ? "Marked blocked, but it names no dependencies"
    : "Marked blocked, but everything it depends on is finished";
}

/**
 * Why the plugin withholds a ready item beside what blocks it. Only done and fixed count there,
 * and in an item without dependencies 0.25 counts every reference.
 */
export function withheldBy(plan: PlanView, item: Item): Item[] {
  if (!isReady(item.type, item.status)) return [];
  const blockers = blockersOf(plan, item);
  const ids = saysDependencies(item) ? dependenciesOf(item) : item.entity.refs;
  return ids.flatMap((id) => plan.find(id) ?? []).filter((other) =>
    !isDone(other.status) && !isDropped(other.status) && !blockers.includes(other)
  );
}

/** Those that wait for an item. */
export function dependentsOf(plan: PlanView, item: Item): readonly Item[] {
  return namers(plan, dependenciesOf).get(item.id) ?? [];
}

/** Those that mention an item without depending on it. */
export function mentionsOf(plan: PlanView, item: Item): readonly Item[] {
  return (namers(plan, mentionedIn).get(item.id) ?? [])
    .filter((other) => !dependenciesOf(other).includes(item.id));
}

type Namers = Map<string, Item[]>;
type IdsOf = (item: Item) => readonly string[];
const known = new WeakMap<IdsOf, WeakMap<PlanView["items"], Namers>>();

/** The items that name each id, collected once for the items of a plan. */
function namers({ items }: PlanView, idsOf: IdsOf): Namers {
  const byItems = known.get(idsOf) ?? new WeakMap<PlanView["items"], Namers>();
  known.set(idsOf, byItems);
  const made = byItems.get(items) ?? new Map<string, Item[]>();
  if (byItems.has(items)) return made;
  byItems.set(items, made);
  for (const item of items) {
    for (const id of idsOf(item)) {
      if (!made.has(id)) made.set(id, []);
      made.get(id)!.push(item);
    }
  }
  return made;
}
