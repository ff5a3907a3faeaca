/** The data of the board's views: the whole plan, an entity, current work, or recent changes. */

import { read } from "../entity/document.ts";
import { ageOf, DAY_MS, zonedDate } from "../entity/durations.ts";
import { type Entity, ownerOf } from "../entity/entity.ts";
import { ACTIVE, CLAIMED, reviewStatuses, sortStatuses } from "../entity/lifecycle.ts";
import { textSections } from "../entity/text_tree.ts";
import { branchOf } from "../git/refs.ts";
import { dependenciesOf, type PointerKind, referencesOf } from "../store/plan.ts";
import {
  entityNamed,
  knownHistory,
  type PlanView,
  referenceLines,
  rowOf,
  rowsOf,
  sourceText,
} from "./access.ts";
import {
  readAvailability,
  readTaken,
  type Taken,
  waitingGroups,
  whyNotOffered,
} from "./availability.ts";
import { cardsOf } from "./board.ts";
import { gitUser, readClaims } from "./git_facts.ts";
import { uncheckedSentence } from "./elsewhere.ts";
import { conflictIssues } from "./issues.ts";
import { activeMilestones, criteriaRatio } from "./progress.ts";
import { type Finding, reviewPlan } from "./review.ts";
import { readDifference, readToday } from "./today.ts";
import { mentionFix, noteOf, waitsFor } from "./waits.ts";

/** How many items are offered, as by `plan_next { count: 3 }`. */
const OFFERED = 3;

/** How many recent changes a view shows. */
const MOST_ROWS = 200;

/** How many waiting items have a reason with a line: each is a file to read. */
const MOST_REASONS = 60;

/** How long findings about finished work are shown at first, in milliseconds. */
const RECENT_MS = 30 * DAY_MS;

/** The data for a view, which would be too much for a model. */
export async function boardData(
  plan: PlanView,
  show: "headers" | "cards" | "now" | "today" | "difference" | undefined,
  entity: string | undefined,
  filter: Readonly<Record<string, string>>,
): Promise<Record<string, unknown> & { unchecked?: string | undefined }> {
  if (show === "difference") {
    return { lines: await readDifference(plan, { ...filter, id: entity ?? "" }) };
  }
  const panel = entity === undefined ? {} : entityData(entity, plan);
  if (show === undefined) return { ...panel };
  if (show === "today") return { ...panel, ...await todayData(plan, filter["since"] ?? "1d") };
  if (show === "now") return { ...panel, ...await nowData(plan) };
  return { ...panel, ...await planData(plan, show === "headers") };
}

/** The whole plan. */
export type PlanData = Awaited<ReturnType<typeof planData>>;

/** @param isFirst The first view does not wait for git. */
async function planData(plan: PlanView, isFirst: boolean) {
  const [others, history] = isFirst ? [] : await Promise.all([readTaken(plan), knownHistory(plan)]);
  const { offered, unchecked } = await readAvailability(plan, {}, others ?? { taken: new Map() });
  const { status = {}, values = {} } = plan.plugin.vocabulary ?? {};
  const byType = <Value>(valueOf: (statuses: readonly string[], type: string) => Value) =>
    Object.fromEntries(Object.entries(status).map(([type, all]) => [type, valueOf(all, type)]));
  return {
    cards: await cardsOf(plan, offered, others, history?.events ?? []),
    // The first items that plan_next offers.
    next: offered.slice(0, OFFERED).map(({ id }) => id),
    // The plugin's statuses by type, and those that end a review.
    statuses: byType(sortStatuses),
    reviews: byType((all, type) => reviewStatuses(type, all)),
    // All statuses in lifecycle order, and those of active work.
    order: sortStatuses([
      ...Object.values(status).flat(),
      ...plan.entities.map((item) => item.status),
    ]),
    working: ACTIVE,
    values,
    // The one with most open work first.
    active: activeMilestones(plan),
    unchecked: uncheckedSentence(unchecked),
  };
}

/** An entity, for the panel. */
export type EntityData = ReturnType<typeof entityData>;

function entityData(id: string, plan: PlanView) {
  const item = entityNamed(plan, id);
  return {
    note: noteOf(plan, item),
    waits: waitsFor(plan, item).map((other) => reasonFor(plan, item, other)),
    sections: textSections(read(sourceText(plan, item))),
    related: relatedTo(plan, item),
  };
}

/** The entities that are related to another, under headings. */
function relatedTo(plan: PlanView, item: Entity) {
  const byKind = Map.groupBy(plan.pointers(item.id), ({ kind }) => kind);
  const pointing = (kind: PointerKind) => byKind.get(kind)?.map(({ from }) => rowOf(from)) ?? [];
  const tasks = item.type === "milestone" ? plan.tasksOf(item.id) : [];
  return [
    { title: "Open", entities: tasks.filter(({ finished }) => !finished).map(rowOf) },
    { title: "Finished", entities: tasks.filter(({ finished }) => finished).map(rowOf) },
    { title: "Depends on", entities: rowsOf(plan, dependenciesOf(item)) },
    { title: "Needed by", entities: pointing("depends") },
    { title: "Named as blocked by", entities: pointing("blocks") },
    { title: "Implemented by", entities: pointing("source") },
    { title: "Refers to", entities: rowsOf(plan, referencesOf(item)) },
    { title: "Mentioned by", entities: pointing("mentions") },
  ].filter(({ entities }) => entities.length > 0);
}

/** The changes since a time. */
export type TodayData = Awaited<ReturnType<typeof todayData>>;

async function todayData(plan: PlanView, since: string) {
  const { rows, ...rest } = await readToday(plan, { since, workingTree: true });
  return { ...rest, rows: rows.slice(0, MOST_ROWS), total: rows.length };
}

/** Where work stands. */
export type NowData = Awaited<ReturnType<typeof nowData>>;

async function nowData(plan: PlanView) {
  const [others, { findings, notChecked }, me] = await Promise.all([
    readTaken(plan),
    reviewPlan(plan),
    gitUser(plan.git),
  ]);
  const available = await readAvailability(plan, {}, others);
  const waiting = waitingGroups(plan, available)
    .flatMap(({ item: other, ids }) => ids.map((id) => ({ id, other })));
  const active = activeMilestones(plan);
  const isRecent = ({ id, at }: Finding) =>
    Date.parse(at) >= Date.now() - RECENT_MS ||
    active.includes(plan.find(id)?.attributes["milestone"] ?? id);
  const reviews = plan.entities.filter(({ status }) => status === "review");
  return {
    // Why other ready items are not offered.
    why: whyNotOffered(plan, available),
    waiting: waiting.map(({ id, other }, at): Waiting => {
      if (other === undefined) return { id };
      return at < MOST_REASONS ? reasonFor(plan, plan.find(id)!, other) : { id, for: other.id };
    }),
    work: [...await workHere(plan, findings), ...workElsewhere(plan, others)],
    // Conflicts, reviews and findings that need a decision.
    needs: [
      ...conflictIssues(plan, others.elsewhere).map(({ source: id, message: text }): Need => (
        { kind: "conflict", id, text }
      )),
      ...reviews.map(({ id, attributes }): Need => {
        const text = `waits for a review${attributes["assignee"] ? "" : "; nobody is assigned"}`;
        return { kind: "review", id, text };
      }),
      ...findings.filter(({ kind }) => kind !== "idle")
        .map((finding): Need => ({ ...finding, isOld: !isRecent(finding) })),
    ],
    // The name in git's configuration, which claims suggest.
    me,
    notes: [...notChecked, ...others.unchecked],
  };
}

/** A finding of `plan_review`, a conflict or a review. */
export type Need =
  & { readonly kind: string; readonly id: string; readonly text: string }
  & Partial<Pick<Finding, "arguments" | "when">>
  & {
    /** Whether it is neither recent nor of an active milestone. */
    readonly isOld?: boolean;
  };

/** An item that waits, and for what, if that is known. */
export type Waiting = { readonly id: string } & Partial<ReturnType<typeof reasonFor>>;

/** Why an item waits for another, the line that says so, and the change that would free it. */
function reasonFor(plan: PlanView, item: Entity, other: Entity) {
  const isDependency = dependenciesOf(item).includes(other.id);
  const line = referenceLines(plan, item)(other.id, isDependency ? "depends" : "mentions");
  const at = line === undefined ? "" : `, line ${line}`;
  return {
    id: item.id,
    for: other.id,
    // Such as `depends on it, line 12`, or `only mentions it, line 45`.
    why: `${isDependency ? "depends on it" : "only mentions it"}${at}`,
    // The arguments of `plan_update` after which it does not wait for it any more.
    free: isDependency ? { id: item.id, dependsOn: [`-${other.id}`] } : mentionFix(item)?.arguments,
  };
}

/** @param findings Those of idle items say that they may be released. */
async function workHere(plan: PlanView, findings: readonly Finding[]): Promise<Work[]> {
  const items = plan.entities.filter(({ status }) => status === CLAIMED);
  const { claims } = await readClaims(plan, items);
  const branch = branchOf(plan.dir);
  return items.map((item) => ({
    ...workOn(item, branch, zonedDate(claims.get(item)!.lastActivity)),
    idle: findings.find(({ kind, id }) => kind === "idle" && id === item.id),
  }));
}

/** Work in progress on other branches and in worktrees, and claims of other clones. */
function workElsewhere(plan: PlanView, { elsewhere, claims }: Taken): Work[] {
  const work = [...elsewhere.states.values()].flat()
    .filter(({ item }) => item.status === CLAIMED)
    .map(({ item, worktree, branch, date }) => workOn(item, worktree ?? branch, date));
  for (const { id, isHere, owner, clone, since } of claims.values()) {
    const item = plan.find(id);
    if (isHere || item === undefined || item.finished) continue;
    work.push({ ...workOn(item, `clone ${clone}`, since || undefined), owner });
  }
  return work;
}

/** An item that somebody works on; an idle one may be released. */
export type Work = ReturnType<typeof workOn> & { readonly idle?: Need | undefined };

/**
 * Who works on an item: nobody if the owner is empty.
 *
 * @param place The branch, worktree or clone.
 * @param date Of the last activity.
 */
function workOn(item: Entity, place: string | undefined, date: string | undefined) {
  const { done, total } = criteriaRatio(item);
  const owner = ownerOf(item);
  return { id: item.id, owner, place, criteria: [done, total] as const, date, age: ageOf(date) };
}
