/** What points to an entity, and how. */

import type { Entity } from "../entity/entity.ts";
import { type PlanView } from "./access.ts";
import { listed } from "../store/plan.ts";
import { dependenciesOf, mentionedIn } from "./dependencies.ts";
import { isTask } from "../entity/lifecycle.ts";

/** How an entity points to another: the first kind that applies. */
export const POINTERS = ["depends", "source", "mentions"] as const;

export type Kind = typeof POINTERS[number];

/**
 * Returns the ids that an item points to, however they are written. Other words look like ids too,
 * such as UTF-8.
 */
export function pointersOf(plan: PlanView, item: Entity): Map<string, Kind> {
  const { id } = item;
  const refs = new Set(item.refs);
  const mentioned = mentionedIn(item)
    .filter((name) => refs.has(name) || plan.find(name) !== undefined);
  const named = (names: readonly string[], kind: Kind) =>
    names.map((name) => [plan.find(name)?.id ?? name, kind] as const);
  const kinds = new Map<string, Kind>([
    ...named(mentioned, "mentions"),
    ...named(listed(item, "source"), "source"),
    ...named(dependenciesOf(item), "depends"),
  ]);
  kinds.delete(id);
  return kinds;
}

export interface Pointer {
  readonly item: Entity;
  readonly kind: Kind;
}

const known = new WeakMap<PlanView["entities"], Map<string, Pointer[]>>();

/** Returns the items that point to an item, sorted by kind. */
export function referencedBy(plan: PlanView, { id }: Entity): readonly Pointer[] {
  const found = known.getOrInsertComputed(plan.entities, () => pointersIn(plan)).get(id) ?? [];
  return POINTERS.flatMap((kind) => found.filter((one) => one.kind === kind));
}

function pointersIn(plan: PlanView): Map<string, Pointer[]> {
  const all = new Map<string, Pointer[]>();
  for (const item of plan.entities) {
    for (const [to, kind] of pointersOf(plan, item)) {
      all.getOrInsert(to, []).push({ item, kind });
    }
  }
  return all;
}

/**
 * The progress of a spec or decision by its implementing items, of a milestone by its items; and by
 * its own criteria, such as `5/7 items, 1/3 criteria`. Empty for others.
 */
export function progressOf(plan: PlanView, item: Entity): string | undefined {
  const { type, id, criteria } = item;
  if (isTask(item)) return undefined;
  const items = type === "milestone"
    ? plan.entities.filter(({ attributes }) => attributes["milestone"] === id)
    : plan.implementing(id);
  const parts = [
    ...ratio("items", items, ({ finished }) => finished),
    ...ratio("criteria", criteria, ({ checked }) => checked),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

function ratio<One>(name: string, all: readonly One[], isDone: (one: One) => boolean): string[] {
  return all.length === 0 ? [] : [`${all.filter(isDone).length}/${all.length} ${name}`];
}
