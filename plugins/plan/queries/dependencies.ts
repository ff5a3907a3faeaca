/** Dependencies and mentions between items. */

import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { duplicateOf } from "../store/problems.ts";
import type { PlanView } from "./access.ts";
import { isDone, isDropped, isReady, isTask } from "../entity/lifecycle.ts";

/** Whether every reference counts as a dependency: before 0.28, without a Dependencies section. */
function countsMentions({ dependencies, knownSectionsPresent }: Entity): boolean {
  return dependencies === undefined && !knownSectionsPresent.includes("Dependencies");
}

/** Returns the ids of an item's dependencies. */
export function dependenciesOf(entity: Entity): string[] {
  const ids = entity.dependencies !== undefined
    ? entity.dependencies.filter(({ direction }) => direction !== "blocks").map(({ id }) => id)
    : entity.scopedRefs.filter(({ section }) => section === "Dependencies").map(({ id }) => id);
  return [...new Set(ids)].filter((id) => id !== entity.id);
}

/** Returns the ids that an item refers to without depending on them. */
export function referencesOf(item: Entity): string[] {
  const dependencies = new Set(dependenciesOf(item));
  return item.refs.filter((id) => !dependencies.has(id) && id !== item.id);
}

/** Returns the ids that an item refers to or mentions in its text. */
export function mentionedIn({ id, refs, names }: Entity): string[] {
  return [...new Set([...refs, ...names])].filter((other) => other !== id);
}

/** Returns the unfinished dependencies of an unfinished item. Every tool uses this definition. */
export function blockersOf(plan: PlanView, item: Entity): Entity[] {
  if (item.finished || !isTask(item)) return [];
  return dependenciesOf(item).flatMap((id) => plan.find(id) ?? [])
    .filter(({ finished }) => !finished);
}

/** Whether an item has the status blocked, or unfinished dependencies. */
export function isBlocked(plan: PlanView, item: Entity): boolean {
  return item.status === "blocked" || blockersOf(plan, item).length > 0;
}

/** Describes an item that is marked blocked although nothing blocks it. */
export function blockedNote(plan: PlanView, item: Entity): string | undefined {
  if (item.status !== "blocked" || blockersOf(plan, item).length > 0) return undefined;
  return dependenciesOf(item).length === 0
    ? "Marked blocked, but it lists no dependencies"
    : "Marked blocked, but everything it depends on is finished";
}

/** Describes an item whose id other files have, too: nobody can take it up. */
export function duplicateNote(plan: PlanView, { id }: Entity) {
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
export function isSound(plan: PlanView, item: Entity): boolean {
  return item.hasId && item.conflict === undefined && plan.allOf(item.id).length < 2;
}

/** What is wrong with an item, if anything. */
export function noteOf(plan: PlanView, item: Entity): string | undefined {
  return duplicateNote(plan, item) ?? conflictNote(item) ?? blockedNote(plan, item);
}

/**
 * Returns why the plugin withholds a ready item, apart from its blockers: what it mentions, or
 * dependencies that are finished, but neither done nor fixed, the only ones that the plugin counts.
 */
export function withheldBy(plan: PlanView, item: Entity): Entity[] {
  return isReady(item.type, item.status) ? mayWithhold(plan, item) : [];
}

/** The same for an item that may become ready. */
export function mayWithhold(plan: PlanView, item: Entity): Entity[] {
  if (item.finished || !isTask(item)) return [];
  const blockers = new Set(blockersOf(plan, item));
  const ids = countsMentions(item) ? item.refs : dependenciesOf(item);
  return ids.flatMap((id) => plan.find(id) ?? []).filter((other) =>
    !isDone(other.status) && !isDropped(other.status) && !blockers.has(other)
  );
}

/** Returns the mentions among what withholds an item, or would once it is ready. */
export function mentionsThatWithhold(plan: PlanView, item: Entity): Entity[] {
  if (!countsMentions(item)) return [];
  const dependencies = new Set(dependenciesOf(item));
  return mayWithhold(plan, item).filter(({ id }) => !dependencies.has(id));
}

/**
 * The call after which mentions of an item withhold it no longer, if there is one: in bugs, the
 * plugin that counts mentions knows no section for dependencies.
 */
export function mentionFix({ id, type }: Pick<Entity, "id" | "type">) {
  return type === "work" ? { tool: "plan_update", arguments: { id, dependsOn: [] } } : undefined;
}

/**
 * What an answer says about mentions that withhold an item, or would once it is ready; empty if
 * there are none.
 */
export function mentionNotice(plan: PlanView, item: Entity | undefined) {
  const others = item === undefined ? [] : mentionsThatWithhold(plan, item);
  if (item === undefined || others.length === 0) return {};
  return { withheldBy: others.map(({ id }) => id), fix: mentionFix(item) };
}

/** An item in a sentence: `WORK-12 (ready)`. */
export function idAndStatus({ id, status }: Pick<Entity, "id" | "status">): string {
  return `${word(id)} (${status === "" ? "without status" : wordOrText(status)})`;
}

/** Says which mentions withhold an item. */
export function mentionSentence(item: Entity, others: readonly Entity[]): string {
  const named = others.map(idAndStatus).join(", ");
  return item.type === "bug"
    ? `${
      word(item.id)
    } waits for ${named}, because in a bug every reference counts as a dependency: ` +
      "write the id without a tag to only mention it"
    : `${
      word(item.id)
    } waits for ${named}, which it only mentions: without a Dependencies section, ` +
      "every reference counts";
}
