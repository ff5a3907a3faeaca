/**
 * Whether an item can be taken up now, and what it waits for otherwise. Every tool takes the
 * answer from here, so that no two of them contradict each other.
 */

import { shortList } from "../../../src/plugin/counted.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Plan } from "../store/plan.ts";
import { blockingCounts, idAndStatus, isSound, waitsFor } from "./waits.ts";
import { type Entity, ownerOf } from "../entity/entity.ts";
import { knownHistory, type PlanView } from "./access.ts";
import { readElsewhere } from "./elsewhere.ts";
import { changesElsewhere, sentenceOf } from "./elsewhere_rows.ts";
import { dateFinder } from "./git_facts.ts";
import { isReady, isTakenUp, isTask, isUnready } from "../entity/lifecycle.ts";
import { claimSentence, isOwnClaim, knownClaims } from "../remote/claims.ts";
import { filterItems } from "./select.ts";
import { NONE } from "./fields.ts";

/** The plugin's order: the most important first, then the simplest. */
const PRIORITIES = ["critical", "high", "medium", "low"];
const COMPLEXITIES = ["trivial", "simple", "moderate", "complex", "unknown"];

/** The priority and complexity of an item, with the plugin's defaults. */
export function rankOf({ attributes }: Entity) {
  const { priority = "medium", complexity = "unknown" } = attributes;
  return { priority, complexity };
}

/** Limits items to those with these values. */
export interface Scope {
  readonly type?: "work" | "bug" | "all" | undefined;
  readonly milestone?: string | undefined;
  readonly tag?: string | undefined;
  readonly assignee?: string | undefined;
}

/** The unfinished work items and bugs of a plan, grouped by whether they can be taken up. */
export type Availability = Readonly<Awaited<ReturnType<typeof readAvailability>>>;

/** The items that others have taken up, with their places. */
export type Taken = Awaited<ReturnType<typeof readTaken>>;

/**
 * Reads what is taken on other branches, in other worktrees, and by claims on the remote.
 *
 * @param assignee Whose own items are not taken.
 */
export async function readTaken(plan: PlanView, assignee?: string) {
  const [elsewhere, { claims, unknown }] = await Promise.all([
    readElsewhere(plan),
    knownClaims(plan),
  ]);
  const { states, leftOut, failed } = elsewhere;
  // The ready items that are in progress, finished or claimed elsewhere: where, and who has them.
  const taken = new Map<string, string>();
  const owners = new Map<string, string>();
  const take = (id: string, where: string, owner = "") => {
    const { type = "", status = "" } = plan.find(id) ?? {};
    if (!isReady(type, status)) return;
    taken.set(id, where);
    owners.set(id, owner);
  };
  for (const [id, all] of states) {
    const state = all.find(({ differs, isOther, item }) =>
      !isOther && differs.includes("status") && isTakenUp(item.type, item.status) &&
      (assignee === undefined || ownerOf(item) !== assignee)
    );
    if (state !== undefined) take(id, sentenceOf(state), state.item.attributes["assignee"]);
  }
  for (const claim of claims.values()) {
    const isOwn = assignee === undefined ? claim.isHere : isOwnClaim(claim, assignee);
    if (!isOwn) take(claim.id, claimSentence(claim), claim.owner);
  }
  return {
    taken: taken as ReadonlyMap<string, string>,
    owners,
    // Changes of an entity elsewhere; without status and assignee where `taken` has them.
    changed: (id: string) =>
      changesElsewhere(states.get(id) ?? [], plan.find(id), taken.has(id)) || undefined,
    // Sentences about what could not be read; and the error, if git did not answer.
    unchecked: leftOut.concat(unknown),
    failed,
    elsewhere,
    claims,
  };
}

/** The fields with the reasons why an item cannot be taken up. */
const KEEPING = ["blockedBy", "withheldBy", "taken", "changedElsewhere"];

/** Adds `taken` if the fields ask why an item cannot be taken up. */
export function withTakenField<Fields extends readonly string[] | undefined>(fields: Fields) {
  const asks = fields?.some((name) => KEEPING.includes(name)) === true;
  return asks ? [...new Set([...fields!, "taken"])] : fields;
}

/**
 * Prepares a plan to read fields of many items that need all of it; without fields, what others have
 * taken. `modified` is the date of the last commit, as in `refrakt_query`, and absent without one: a
 * file's own date is that of the checkout.
 */
export async function withFields(plan: PlanView, fields?: readonly string[]): Promise<PlanView> {
  const reads = (name: string) => fields?.some((field) => field.includes(name)) === true;
  const past = reads("modified") ? await knownHistory(plan) : undefined;
  return {
    ...plan,
    taken: fields?.includes("taken") === false ? undefined : await readTaken(plan),
    blocking: reads("blocks") ? blockingCounts(plan) : undefined,
    gaps: past?.gaps,
    datesOf: past && dateFinder(past.events),
  };
}

/** @param others What others have taken up, if the caller has read it. */
export async function readAvailability(
  plan: PlanView,
  scope: Scope = {},
  others?: { readonly taken: Taken["taken"]; readonly unchecked?: readonly string[] },
) {
  const { taken, unchecked = [] } = others ??
    await readTaken(plan, scope.assignee === NONE ? undefined : scope.assignee);
  const items = itemsInScope(plan, scope);
  const offered: Entity[] = [];
  const withheld: Entity[] = [];
  const ready = items.filter(({ type, status }) => isReady(type, status));
  for await (const item of inTurns(ready, plan.signal)) {
    const isFree = isSound(plan, item) && waitsFor(plan, item).length === 0;
    (isFree && !taken.has(item.id) ? offered : withheld).push(item);
  }
  return {
    // The most important first.
    offered: offered.sort((a, b) => offerOrder(a) - offerOrder(b)),
    // Ready, but they wait for others, or are taken elsewhere.
    withheld,
    // Marked blocked.
    blocked: items.filter(({ status }) => status === "blocked"),
    // Items such as drafts.
    unready: items.filter(({ type, status }) => isUnready(type, status)),
    taken,
    unchecked,
  };
}

/** The position in the plugin's order; unknown values count as the defaults. */
function offerOrder(item: Entity): number {
  const { priority, complexity } = rankOf(item);
  const urgency = PRIORITIES.indexOf(priority);
  const size = COMPLEXITIES.indexOf(complexity);
  return (urgency === -1 ? 2 : urgency) * 5 + (size === -1 ? 4 : size);
}

/** The work items and bugs of a scope; its values are those of `plan_list`. */
export function itemsInScope(plan: PlanView, { type = "all", ...values }: Scope): Entity[] {
  return filterItems(plan, values)
    .filter((item) => isTask(item) && (type === "all" || item.type === type));
}

/**
 * Groups withheld items by what they wait for; each is counted once, where most others wait. The
 * entity is `undefined` of items that no call can change. Leaves out those that wait for nothing but
 * whoever has taken them.
 */
export function waitingGroups(
  plan: Plan,
  { withheld, taken }: Pick<Availability, "withheld" | "taken">,
) {
  const remaining = new Map(
    withheld.map((item) => [item, waitsFor(plan, item)] as const)
      .filter(([{ id }, { length }]) => length > 0 || !taken.has(id)),
  );
  const waiters = new Map<Entity, Set<Entity>>();
  for (const [item, others] of remaining) {
    for (const other of others) waiters.getOrInsertComputed(other, () => new Set()).add(item);
  }
  const places = new Map(Array.from(remaining.keys(), (item, at) => [item, at]));
  const firstOf = (other: Entity) => {
    const [first] = waiters.get(other)!;
    return first === undefined ? 0 : places.get(first)!;
  };
  // Groups only shrink, so the largest are taken first, and the others sorted again.
  const bySize: Entity[][] = [];
  for (const [other, { size }] of waiters) (bySize[size] ??= []).push(other);
  const groups: { item: Entity | undefined; ids: string[] }[] = [];
  for (let size = bySize.length - 1; size > 0; size--) {
    const largest = (bySize[size] ?? []).sort((a, b) => firstOf(a) - firstOf(b));
    for (const other of largest) {
      const waiting = waiters.get(other)!;
      if (waiting.size < size) {
        (bySize[waiting.size] ??= []).push(other);
        continue;
      }
      const items = [...waiting];
      groups.push({ item: other, ids: items.map(({ id }) => id) });
      for (const item of items) {
        for (const each of remaining.get(item)!) waiters.get(each)!.delete(item);
        remaining.delete(item);
      }
    }
  }
  if (remaining.size > 0) {
    groups.push({ item: undefined, ids: Array.from(remaining.keys(), ({ id }) => id) });
  }
  return groups;
}

/** How many entities a sentence names. */
const NAMED_ENTITIES = 5;

/**
 * Says why nothing more is offered, such as `7 wait for SPEC-001 (accepted), 4 for WORK-094
 * (ready); 1 draft`; empty if nothing waits. An item that waits for several entities is counted
 * once, for the one that most items wait for.
 */
export function whyNotOffered(plan: Plan, availability: Availability): string {
  const { withheld, blocked, unready, taken } = availability;
  const groups = waitingGroups(plan, availability);
  const waits: string[] = [];
  let others = 0;
  for (const { item, ids: { length } } of groups) {
    if (item === undefined) continue;
    const verb = waits.length > 0 ? "" : length === 1 ? " waits" : " wait";
    if (waits.length < NAMED_ENTITIES) waits.push(`${length}${verb} for ${idAndStatus(item)}`);
    else others += length;
  }
  if (others > 0) waits.push(`${others} for others`);
  for (const { ids } of groups.filter(({ item }) => item === undefined)) {
    const names = shortList([...new Set(ids)].map(word), NAMED_ENTITIES);
    // No call can change these.
    const why = `without an id of their own, or in conflict (${names}: plan_validate)`;
    waits.push(`${ids.length} ${why}`);
  }
  const parts = waits.length === 0 ? [] : [waits.join(", ")];
  const waiting = new Set(groups.flatMap(({ ids }) => ids));
  const elsewhere = withheld.filter(({ id }) => !waiting.has(id));
  const [first] = elsewhere;
  if (first !== undefined) {
    parts.push(`${elsewhere.length} taken elsewhere (${word(first.id)} ${taken.get(first.id)})`);
  }
  if (blocked.length > 0) parts.push(`${blocked.length} marked blocked`);
  for (const [status, all] of Map.groupBy(unready, (item) => item.status)) {
    parts.push(`${all.length} ${wordOrText(status)}`);
  }
  return parts.join("; ");
}
