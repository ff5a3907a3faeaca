/**
 * Whether an item can be taken up now, and what it waits for otherwise. Every tool takes the
 * answer from here, so that no two of them contradict each other.
 */

import { shortList } from "../../../src/plugin/counted.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Plan } from "../store/plan.ts";
import { idAndStatus, isSound, waitsFor } from "./waits.ts";
import type { Entity } from "../entity/entity.ts";
import type { PlanView, Taken } from "./access.ts";
import { type Elsewhere, readElsewhere } from "./elsewhere.ts";
import { changesElsewhere, sentenceOf } from "./elsewhere_rows.ts";
import { isReady, isTakenUp, isTask, isUnready } from "../entity/lifecycle.ts";
import { claimSentence, isOwnClaim } from "../remote/claims.ts";
import { type KnownClaims, knownClaims } from "../remote/mod.ts";
import { filterItems } from "./select.ts";
import { NONE } from "./values.ts";

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

/** The unfinished work items and bugs of a plan, by what keeps them from being taken up. */
export type Availability = Readonly<Awaited<ReturnType<typeof readAvailability>>>;

/**
 * Reads what is taken on other branches, in other worktrees, and by claims on the remote.
 *
 * @param assignee Whose own items are not taken.
 */
export async function readTaken(plan: PlanView, assignee?: string): Promise<Taken> {
  const [elsewhere, claims] = await Promise.all([
    readElsewhere(plan),
    knownClaims(plan),
  ]);
  return takenIn(plan, elsewhere, claims, assignee);
}

/** What of the states elsewhere and the claims on the remote means that an item is taken. */
export function takenIn(
  plan: PlanView,
  { states, leftOut, failed }: Elsewhere,
  { claims, unknown = [] }: KnownClaims,
  assignee?: string,
): Taken {
  const isOffered = (id: string) => {
    const { type = "", status = "" } = plan.find(id) ?? {};
    return isReady(type, status);
  };
  const taken = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const [id, all] of states) {
    if (!isOffered(id)) continue;
    const state = all.find(({ differs, isOther, item: { type, status, attributes } }) =>
      !isOther && differs.includes("status") && isTakenUp(type, status) &&
      (assignee === undefined || (attributes["assignee"] ?? "") !== assignee)
    );
    if (state === undefined) continue;
    taken.set(id, sentenceOf(state));
    owners.set(id, state.item.attributes["assignee"] ?? "");
  }
  for (const claim of claims.values()) {
    const isOwn = assignee === undefined ? claim.isHere : isOwnClaim(claim, assignee);
    if (isOwn || !isOffered(claim.id)) continue;
    taken.set(claim.id, claimSentence(claim));
    owners.set(claim.id, claim.owner);
  }
  // Who has it where is said by what is taken.
  const changed = (id: string) =>
    changesElsewhere(states.get(id) ?? [], plan.find(id), taken.has(id)) || undefined;
  return { taken, owners, changed, unchecked: leftOut.concat(unknown), failed };
}

/** The fields that say what keeps an item from being taken up. */
const KEEPING = ["blockedBy", "withheldBy", "taken", "changedElsewhere"];

/** Whoever asks what an item waits for learns who else works on it, too. */
export function withTakenField<Fields extends readonly string[] | undefined>(fields: Fields) {
  const asks = fields?.some((name) => KEEPING.includes(name)) === true;
  return asks ? [...new Set([...fields!, "taken"])] : fields;
}

/**
 * Prepares a plan to read fields of many items, with what others have taken if the fields need that;
 * all do if `undefined`.
 */
export async function withTaken(plan: PlanView, fields?: readonly string[]): Promise<PlanView> {
  return fields?.includes("taken") === false ? plan : { ...plan, taken: await readTaken(plan) };
}

/** @param others What others have taken up, if the caller has read it. */
export async function readAvailability(
  plan: PlanView,
  scope: Scope = {},
  others?: Taken,
) {
  const { taken, unchecked } = others ??
    await readTaken(plan, scope.assignee === NONE ? undefined : scope.assignee);
  const items = itemsInScope(plan, scope);
  const candidates = items.filter(({ type, status }) => isReady(type, status));
  const [offered, withheld]: [Entity[], Entity[]] = [[], []];
  const turn = turnTaker(plan.signal);
  for (const item of candidates) {
    (isFree(plan, item) && !taken.has(item.id) ? offered : withheld).push(item);
    await turn();
  }
  return {
    // The most important first.
    offered: offered.sort(byRank),
    // Ready, but they wait for others, or are taken elsewhere.
    withheld,
    // Marked blocked.
    blocked: items.filter((item) => isTask(item) && item.status === "blocked"),
    // Such as drafts.
    unready: items.filter(({ type, status }) => isUnready(type, status)),
    taken,
    unchecked,
  };
}

/** Whether a ready item waits for nothing, and calls can take it up. */
function isFree(plan: Plan, item: Entity): boolean {
  return isSound(plan, item) && waitsFor(plan, item).length === 0;
}

/** Unknown values count as the defaults. */
function byRank(first: Entity, second: Entity): number {
  const [a, b] = [first, second].map((item) => {
    const { priority, complexity } = rankOf(item);
    const [urgency, size] = [PRIORITIES.indexOf(priority), COMPLEXITIES.indexOf(complexity)];
    return (urgency === -1 ? 2 : urgency) * 5 + (size === -1 ? 4 : size);
  });
  return a! - b!;
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
  const left = new Map(
    withheld.map((item) => [item, waitsFor(plan, item)] as const)
      .filter(([{ id }, { length }]) => length > 0 || !taken.has(id)),
  );
  const waiters = new Map<Entity, Set<Entity>>();
  for (const [item, others] of left) {
    for (const other of others) waiters.getOrInsertComputed(other, () => new Set()).add(item);
  }
  // Groups only shrink, so the largest are taken first, and the others sorted again.
  const bySize: Entity[][] = [];
  for (const [other, { size }] of waiters) (bySize[size] ??= []).push(other);
  const groups: { item: Entity | undefined; ids: string[] }[] = [];
  for (let size = bySize.length - 1; size > 0; size--) {
    for (const other of bySize[size] ?? []) {
      const waiting = waiters.get(other)!;
      if (waiting.size < size) {
        (bySize[waiting.size] ??= []).push(other);
        continue;
      }
      const items = [...waiting];
      groups.push({ item: other, ids: items.map(({ id }) => id) });
      for (const item of items) {
        for (const each of left.get(item)!) waiters.get(each)!.delete(item);
        left.delete(item);
      }
    }
  }
  if (left.size > 0) {
    groups.push({ item: undefined, ids: Array.from(left.keys(), ({ id }) => id) });
  }
  return groups;
}

/** Said of items that no call can change. */
const UNSOUND = "without an id of their own, or in conflict";

/** How many entities a sentence names. */
const MOST_NAMED = 5;

/**
 * Says why nothing more is offered, such as `7 wait for SPEC-001 (accepted), 4 for WORK-094
 * (ready); 1 draft`; empty if nothing waits. An item that waits for several entities is counted
 * once, for the one that most items wait for.
 */
export function whyNotOffered(plan: Plan, availability: Availability): string {
  const { withheld, blocked, unready, taken } = availability;
  const groups = waitingGroups(plan, availability);
  const waiting = new Set(groups.flatMap(({ ids }) => ids));
  const elsewhere = withheld.filter(({ id }) => !waiting.has(id));
  const named = groups.filter(({ item }) => item !== undefined).slice(0, MOST_NAMED);
  const waits = named.map(({ item, ids: { length } }, at) => {
    const verb = at > 0 ? "" : length === 1 ? " waits" : " wait";
    return `${length}${verb} for ${idAndStatus(item!)}`;
  });
  const count = (some: typeof groups) => some.reduce((sum, { ids }) => sum + ids.length, 0);
  const unsound = groups.find(({ item }) => item === undefined)?.ids ?? [];
  const others = count(groups.slice(named.length)) - unsound.length;
  if (others > 0) waits.push(`${others} for others`);
  if (unsound.length > 0) {
    const ids = [...new Set(unsound)].map(word);
    waits.push(`${unsound.length} ${UNSOUND} (${shortList(ids, MOST_NAMED)}: plan_validate)`);
  }
  const [first] = elsewhere;
  return [
    waits.join(", "),
    ...first === undefined
      ? []
      : [`${elsewhere.length} taken elsewhere (${word(first.id)} ${taken.get(first.id)})`],
    ...blocked.length === 0 ? [] : [`${blocked.length} marked blocked`],
    ...countsOf(unready),
  ].filter((part) => part !== "").join("; ");
}

/** Such as `6 draft`, `13 pending`. */
function countsOf(items: readonly Entity[]): string[] {
  return [...Map.groupBy(items, ({ status }) => status)]
    .map(([status, all]) => `${all.length} ${wordOrText(status)}`);
}
