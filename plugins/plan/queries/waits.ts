/** Why an item cannot be taken up: its blockers, its mentions and its problems, also in words. */

import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { isDone, isReady, isTask } from "../entity/lifecycle.ts";
import { dependenciesOf, type Plan } from "../store/plan.ts";
import { duplicateOf } from "../store/problems.ts";

/** Returns the unfinished dependencies of an unfinished item. */
export function blockersOf(plan: Plan, item: Entity): Entity[] {
  return plan.waits(item).flatMap((wait) => wait.kind === "open" ? wait.for : []);
}

/**
 * Returns why the plugin withholds a ready item, apart from its blockers: what it mentions, or
 * dependencies that it does not count.
 */
export function withheldBy(plan: Plan, item: Entity): Entity[] {
  if (!isReady(item.type, item.status)) return [];
  return plan.waits(item).flatMap((wait) => wait.kind === "open" ? [] : wait.for);
}

/** The entities that an item waits for now: unfinished dependencies first. */
export function waitsFor(plan: Plan, item: Entity): Entity[] {
  return [...blockersOf(plan, item), ...withheldBy(plan, item)];
}

/** Counts the unfinished items that wait for an item, directly or through others. */
export function blockingCounts(plan: Plan): (item: Entity) => number {
  const waiters = new Map<Entity, Entity[]>();
  for (const item of plan.entities) {
    for (const other of waitsFor(plan, item)) waiters.getOrInsert(other, []).push(item);
  }
  return (item) => {
    // The loop also visits the items that it adds.
    const reached = new Set([item]);
    for (const each of reached) for (const waiter of waiters.get(each) ?? []) reached.add(waiter);
    return reached.size - 1;
  };
}

/** Returns the mentions that withhold an item, or would once it is ready. */
export function mentionsThatWithhold(plan: Plan, item: Entity): Entity[] {
  return plan.waits(item).flatMap((wait) => wait.kind === "mention" ? wait.for : []);
}

/** Returns the unfinished dependencies of an item that is done. */
export function openDependencies(plan: Plan, item: Entity): Entity[] {
  if (!isTask(item) || !isDone(item.status)) return [];
  return dependenciesOf(item).flatMap((id) => plan.allOf(id))
    .filter(({ finished }) => !finished);
}

/**
 * Returns the dependencies that an unfinished item names and that do not count: without a reference,
 * or of others on it, which only count where those list them; `waiting` is who would wait.
 */
export function uncountedDependencies(plan: Plan, item: Entity) {
  if (item.finished) return [];
  const { id, bareNames, blocks } = item;
  const othersIn = (names: Entity["blocks"]) =>
    names.flatMap(({ name, line }) => {
      const other = plan.find(name);
      return other === undefined || !isTask(other) || other.id === id ? [] : { other, line };
    });
  const bare = othersIn(bareNames).map(({ other, line }) => ({
    waiting: id,
    on: other.id,
    message: `${word(other.id)} in line ${line} blocks nothing, because it is no reference: ` +
      `write {% ref "${other.id}" /%}`,
  }));
  const waiting = othersIn(blocks)
    .filter(({ other }) => !other.finished && !dependenciesOf(other).includes(id))
    .map(({ other, line }) => ({
      waiting: other.id,
      on: id,
      message: `${word(other.id)} in line ${line} does not wait for ${word(id)}, because ` +
        `${word(other.id)} does not list it: write {% ref "${id}" /%} there`,
    }));
  return [...bare, ...waiting];
}

/** Whether an item has the status blocked, or unfinished dependencies. */
export function isBlocked(plan: Plan, item: Entity): boolean {
  return item.status === "blocked" || blockersOf(plan, item).length > 0;
}

/** Describes an item that is marked blocked although nothing blocks it. */
export function blockedNote(plan: Plan, item: Entity): string | undefined {
  if (item.status !== "blocked" || blockersOf(plan, item).length > 0) return undefined;
  const { length } = dependenciesOf(item);
  const why = length === 0 ? "it lists no dependencies" : "everything it depends on is finished";
  return `Marked blocked, but ${why}`;
}

/** Describes an item whose id other files have, too: nobody can take it up. */
export function duplicateNote(plan: Plan, { id }: Entity): string | undefined {
  const same = plan.allOf(id);
  if (same.length < 2) return undefined;
  const { message, remedy } = duplicateOf(id, same);
  return `${message}; ${remedy}`;
}

/** Says where a file is in conflict. */
export function conflictNote({ conflict }: Entity): string | undefined {
  return conflict && `Conflict markers in lines ${conflict.first} to ${conflict.last}: plan_merge`;
}

/** Whether calls can name and change an item: its id is its own, and its file is in no conflict. */
export function isSound(plan: Plan, { id, hasId, conflict }: Entity): boolean {
  return hasId && conflict === undefined && plan.allOf(id).length < 2;
}

/** The first problem of an item, if it has one. */
export function noteOf(plan: Plan, item: Entity): string | undefined {
  return duplicateNote(plan, item) ?? conflictNote(item) ?? blockedNote(plan, item);
}

/**
 * The call after which mentions of an item withhold it no longer, if there is one: in bugs, the
 * plugin that counts mentions knows no section for dependencies.
 */
export function mentionFix({ id, type }: Pick<Entity, "id" | "type">) {
  return type === "work" ? { tool: "plan_update", arguments: { id, dependsOn: [] } } : undefined;
}

/** The fields of an answer for mentions that withhold an item, or would once it is ready. */
export function mentionNotice(plan: Plan, item: Entity | undefined) {
  const others = item === undefined ? [] : mentionsThatWithhold(plan, item);
  if (others.length === 0) return {};
  return { withheldBy: others.map(({ id }) => id), fix: mentionFix(item!) };
}

/** An item in a sentence: `WORK-12 (ready)`. */
export function idAndStatus({ id, status }: Pick<Entity, "id" | "status">): string {
  return `${word(id)} (${status === "" ? "without status" : wordOrText(status)})`;
}

/** Says which mentions withhold an item. */
export function mentionSentence({ id, type }: Entity, others: readonly Entity[]): string {
  const waits = `${word(id)} waits for ${others.map(idAndStatus).join(", ")}`;
  return type === "bug"
    ? `${waits}, because in a bug every reference counts as a dependency: ` +
      "write the id without a tag to only mention it"
    : `${waits}, which it only mentions: without a Dependencies section, every reference counts`;
}

/** The position of a node whose search has ended; others have one in the path. */
const DONE = -1;

/**
 * Searches depth first, each node once.
 *
 * @param visit Is called for each cycle: the path to its last node, and where in it the first one is.
 * @param leave Is called with each node after all that can be reached from it.
 * @returns The number of nodes of the longest path.
 */
export function searchCycles<Node>(
  nodes: Iterable<Node>,
  nextOf: (node: Node) => readonly Node[],
  visit: (path: readonly Node[], start: number) => void,
  leave: (node: Node) => void = () => {},
): number {
  const placeOf = new Map<Node, number>();
  const path: Node[] = [];
  const remaining: Iterator<Node>[] = [];
  let longest = 0;
  const enter = (node: Node) => {
    placeOf.set(node, path.length);
    path.push(node);
    remaining.push(nextOf(node).values());
    longest = Math.max(longest, path.length);
  };
  for (const node of nodes) {
    if (!placeOf.has(node)) enter(node);
    while (path.length > 0) {
      const next = remaining.at(-1)!.next();
      if (next.done === true) {
        const node = path.pop()!;
        placeOf.set(node, DONE);
        remaining.pop();
        leave(node);
        continue;
      }
      const start = placeOf.get(next.value);
      if (start === undefined) enter(next.value);
      else if (start !== DONE) visit(path, start);
    }
  }
  return longest;
}
