/** How entities of a plan point to each other, and what they wait for. */

import { type Entity, listed } from "../entity/entity.ts";
import { isDone, isDropped, isTask } from "../entity/lifecycle.ts";

/** Finds an entity by its id. */
type Find = (id: string) => Entity | undefined;

/** Whether every reference counts as a dependency: before 0.28, without a Dependencies section. */
function countsMentions({ dependencies, knownSectionsPresent }: Entity): boolean {
  return dependencies === undefined && !knownSectionsPresent.includes("Dependencies");
}

/** Returns the ids of an entity's dependencies. */
export function dependenciesOf(entity: Entity): string[] {
  const ids = entity.dependencies !== undefined
    ? entity.dependencies.filter(({ direction }) => direction !== "blocks").map(({ id }) => id)
    : entity.scopedRefs.filter(({ section }) => section === "Dependencies").map(({ id }) => id);
  return [...new Set(ids)];
}

/** Returns the ids that wait for an entity, as it says itself; only newer versions of the plugin count them. */
function blockedBy({ dependencies = [] }: Entity): string[] {
  return dependencies.filter(({ direction }) => direction === "blocks").map(({ id }) => id);
}

/** Returns the ids that an entity refers to without depending on them. */
export function referencesOf(entity: Entity): string[] {
  const dependencies = new Set(dependenciesOf(entity));
  return entity.refs.filter((id) => !dependencies.has(id) && id !== entity.id);
}

/** What an item waits for: a dependency, or an entity that the plugin counts as one. */
export interface Wait {
  readonly for: Entity;
  /**
   * `open`: an unfinished dependency. `uncounted`: a dependency that is finished, but neither done
   * nor fixed, the only ones that the plugin counts. `mention`: a reference that counts.
   */
  readonly kind: "open" | "uncounted" | "mention";
}

/** What an unfinished item waits for, or would once it is ready; open dependencies come first. */
export function waitsOf(find: Find, entity: Entity): Wait[] {
  if (entity.finished || !isTask(entity)) return [];
  const isMention = countsMentions(entity);
  const others = (isMention ? entity.refs : dependenciesOf(entity)).flatMap((id) => find(id) ?? []);
  const open = isMention ? [] : others.filter(({ finished }) => !finished);
  const kind = isMention ? "mention" : "uncounted";
  const uncounted = others.filter(({ status, finished }) =>
    !isDone(status) && !isDropped(status) && (isMention || finished)
  );
  return [
    ...open.map((other): Wait => ({ for: other, kind: "open" })),
    ...uncounted.map((other): Wait => ({ for: other, kind })),
  ];
}

/** How an entity points to another: the first kind that applies. */
export const POINTERS = ["depends", "blocks", "source", "mentions"] as const;

export type PointerKind = typeof POINTERS[number];

export interface Pointer {
  readonly from: Entity;
  readonly kind: PointerKind;
}

/**
 * Returns the ids that an entity points to, however they are written. Other words look like ids too,
 * such as UTF-8.
 */
export function pointersFrom(find: Find, entity: Entity): Map<string, PointerKind> {
  const { id, names } = entity;
  const refs = new Set(entity.refs);
  const mentioned = [...new Set([...refs, ...names])]
    .filter((name) => name !== id && (refs.has(name) || find(name) !== undefined));
  const named = (ids: readonly string[], kind: PointerKind) =>
    ids.map((each) => [find(each)?.id ?? each, kind] as const);
  const kinds = new Map<string, PointerKind>([
    ...named(mentioned, "mentions"),
    ...named(listed(entity, "source"), "source"),
    ...named(blockedBy(entity), "blocks"),
    ...named(dependenciesOf(entity), "depends"),
  ]);
  kinds.delete(id);
  return kinds;
}

/** Returns what points to each id, sorted by kind. */
export function pointersAmong(find: Find, entities: readonly Entity[]) {
  const all = new Map<string, Pointer[]>();
  for (const entity of entities) {
    for (const [to, kind] of pointersFrom(find, entity)) {
      all.getOrInsert(to, []).push({ from: entity, kind });
    }
  }
  const rank = ({ kind }: Pointer) => POINTERS.indexOf(kind);
  for (const pointers of all.values()) pointers.sort((a, b) => rank(a) - rank(b));
  return all;
}
