/**
 * What an item waits for, what waits for it, and who refers to it.
 *
 * @module
 */

import type { Item, PlanView } from "./access.ts";
import { isDone } from "./lifecycle.ts";

/** Something that keeps an item from being taken up. */
export interface Blocker {
  /** Its id. */
  readonly id: string;
  /** Its status. */
  readonly status: string;
  /** Whether the item names it among its dependencies, or just somewhere in its text. */
  readonly from: "dependencies" | "references";
}

/** Whether the item says what it depends on, so that its other references do not count. */
function saysDependencies({ entity }: Item): boolean {
  return entity.dependencies !== undefined ||
    (entity.knownSectionsPresent ?? []).includes("Dependencies");
}

/** The ids that an item names as what it waits for. */
export function dependenciesOf({ entity }: Item): string[] {
  const ids = entity.dependencies !== undefined
    ? entity.dependencies.filter(({ direction }) => direction !== "blocks").map(({ id }) => id)
    : (entity.scopedRefs ?? []).filter(({ section }) => section === "Dependencies")
      .map(({ id }) => id);
  return [...new Set(ids)].filter((id) => id !== entity.attributes["id"]);
}

/** The ids that an item refers to and does not depend on. */
export function referencesOf(item: Item): string[] {
  const dependencies = new Set(dependenciesOf(item));
  return item.entity.refs.filter((id) => !dependencies.has(id) && id !== item.id);
}

/**
 * What keeps an item from being taken up, by the rule of the plugin: unfinished
 * dependencies, or, in an item that names none, whatever it refers to.
 */
export function blockersOf(plan: PlanView, item: Item): Blocker[] {
  const says = saysDependencies(item);
  const found: Blocker[] = [];
  for (const id of says ? dependenciesOf(item) : item.entity.refs) {
    const other = plan.find(id);
    if (other === undefined || isDone(other.status)) continue;
    found.push({ id, status: other.status, from: says ? "dependencies" : "references" });
  }
  return found;
}

/**
 * What an unfinished item waits for: its dependencies, or, where it names none, the
 * work items and bugs that it refers to. A spec that is merely mentioned is no work to wait for.
 */
export function waitsFor(plan: PlanView, item: Item): string[] {
  if (item.finished || item.type !== "work" && item.type !== "bug") return [];
  return blockersOf(plan, item).filter(({ id, from }) =>
    from === "dependencies" || ["work", "bug"].includes(plan.find(id)?.type ?? "")
  ).map(({ id }) => id);
}

/** Whether an item is blocked: by its status, or by what it waits for. */
export function isBlocked(plan: PlanView, item: Item): boolean {
  return item.status === "blocked" || waitsFor(plan, item).length > 0;
}

/** Those that wait for an item. */
export function dependentsOf(plan: PlanView, item: Item): readonly Item[] {
  return namers(dependents, plan, dependenciesOf).get(item.id)?.filter((one) => one !== item) ?? [];
}

/** Those that mention an item without depending on it. */
export function mentionsOf(plan: PlanView, item: Item): readonly Item[] {
  return namers(mentions, plan, referencesOf).get(item.id)?.filter((one) => one !== item) ?? [];
}

type Namers = ReadonlyMap<string, readonly Item[]>;
const dependents = new WeakMap<PlanView["items"], Namers>();
const mentions = new WeakMap<PlanView["items"], Namers>();

/** The items that name each id, collected once for the items of a plan. */
function namers(
  known: WeakMap<PlanView["items"], Namers>,
  { items }: PlanView,
  idsOf: (item: Item) => readonly string[],
): Namers {
  const found = known.get(items);
  if (found !== undefined) return found;
  const made = new Map<string, Item[]>();
  for (const item of items) {
    for (const id of idsOf(item)) {
      const others = made.get(id);
      if (others === undefined) made.set(id, [item]);
      else others.push(item);
    }
  }
  known.set(items, made);
  return made;
}
