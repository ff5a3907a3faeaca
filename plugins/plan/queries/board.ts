/** The data of the plan board as it is shown: cards, and what the panel of an entity has. */

import { dependenciesOf, type PointerKind, referencesOf } from "../store/relations.ts";
import { waitsFor } from "./waits.ts";
import type { Entity } from "../entity/entity.ts";
import type { Elsewhere } from "./elsewhere.ts";
import type { HistoryEvent } from "../git/events.ts";
import { dateFinder } from "./dates.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { blobHash } from "../../../src/io/blob_hash.ts";
import { type Named, type PlanView, rowOf, rowsOf, sourceText, unlessEmpty } from "./access.ts";
import { type Availability } from "./availability.ts";
import { fieldValue } from "./fields.ts";
import { rowElsewhere } from "./elsewhere_rows.ts";
import type { KnownClaims } from "../remote/mod.ts";
import { criteriaRatio, workRatio } from "./progress.ts";
import { ageOf, dayOf } from "../entity/durations.ts";

/** The state of an entity in another place: a branch, a worktree or a clone. */
export type OtherState =
  & Pick<
    ReturnType<typeof rowElsewhere>,
    "id" | "status" | "assignee" | "branch" | "worktree" | "others"
  >
  & { readonly clone?: string };

/** What git knows of a plan; without git, ages are unknown. */
interface Known {
  readonly states?: Elsewhere["states"] | undefined;
  readonly claims?: KnownClaims["claims"] | undefined;
  /** Newest first. */
  readonly events?: readonly HistoryEvent[] | undefined;
}

export interface Card {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly status: string;
  /** Whether the status is final for its type. */
  readonly finished?: true | undefined;
  /** A milestone belongs to itself. */
  readonly milestone?: string | undefined;
  /** The priority, or the severity of a bug. */
  readonly priority?: string | undefined;
  readonly assignee?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The first ids of what keeps it from being taken up, then of what that waits for, and so on. */
  readonly waits?: readonly (readonly string[])[] | undefined;
  /** The nearest of them in short, such as `WORK-2, WORK-3 and 4 more` or `WORK-2 › WORK-1`. */
  readonly waitsFor?: string | undefined;
  /** Whether plan_next offers it. */
  readonly offered?: true | undefined;
  /** A contradiction in its blocked status. */
  readonly note?: string | undefined;
  /** The ticked criteria and all of them; of a milestone, its finished items and all. */
  readonly criteria?: readonly [ticked: number, all: number] | undefined;
  /** Its states on other branches, in other worktrees and in clones that claim it. */
  readonly elsewhere?: readonly OtherState[] | undefined;
  /** The date on which it reached its status. */
  readonly since?: string | undefined;
  /** How long ago that is, such as `3d`; of an unfinished one. */
  readonly age?: string | undefined;
  /** Changes with its text. */
  readonly text?: string | undefined;
}

/** How many ids of a step a card has, and from how many on it has no further step. */
const MOST_BEFORE = 20;
const NOTHING = { done: 0, total: 0 };

/** The length of a card's hash: a change of one text is seen nearly always. */
const TEXT_DIGITS = 6;

/**
 * @param available What `plan_next` offers. Without it, cards have nothing that files say below their
 * first lines.
 */
export async function cardsOf(
  plan: PlanView,
  available: Pick<Availability, "offered"> | undefined,
  { events = [], ...places }: Known,
): Promise<Card[]> {
  const datesOf = dateFinder(events);
  const offered = new Set(available?.offered.map(({ id }) => id));
  const turn = turnTaker(plan.signal);
  const cards: Card[] = [];
  for (const item of plan.entities) {
    const { id, type, title, status, finished, attributes } = item;
    const waits = available === undefined ? [] : stepsBefore(plan, item);
    const { reached } = datesOf(item);
    const since = reached && dayOf(reached);
    const isFirst = available === undefined && type !== "milestone";
    const { done, total } = isFirst
      ? NOTHING
      : type === "milestone"
      ? workRatio(plan, item)
      : criteriaRatio(item);
    cards.push({
      id,
      type,
      title: title || id,
      status,
      finished: finished || undefined,
      offered: offered.has(id) || undefined,
      milestone: type === "milestone" ? id : attributes["milestone"],
      priority: attributes["priority"] ?? attributes["severity"],
      ...Object.fromEntries(
        ["assignee", "tags", "note"].map((name) => [name, fieldValue(plan, item, name)]),
      ),
      ...waits.length > 0 && {
        waits: waits.map((step) => step.slice(0, MOST_BEFORE)),
        waitsFor: waitsText(waits),
      },
      criteria: total === 0 ? undefined : [done, total],
      elsewhere: unlessEmpty(otherStates(item, places)),
      since,
      age: finished ? undefined : ageOf(since) || undefined,
      text: available && blobHash(sourceText(plan, item), 40).slice(0, TEXT_DIGITS),
    });
    await turn();
  }
  return cards;
}

function otherStates({ id, finished }: Entity, { states, claims }: Known): OtherState[] {
  const rows = states?.get(id)?.map(rowElsewhere) ?? [];
  const here = rows.map(({ status, assignee, branch, worktree, id, others }) => ({
    status,
    assignee,
    branch,
    worktree,
    id,
    others,
  }));
  const claim = claims?.get(id);
  if (claim === undefined || claim.isHere || finished) return here;
  return [...here, { status: "claimed", assignee: claim.owner, clone: claim.clone }];
}

/** The first ids of what an item waits for, step by step; each once, also in a cycle. */
function stepsBefore(plan: PlanView, item: Entity): string[][] {
  const found = new Set([item]);
  const steps: string[][] = [];
  for (let step = [item]; step.length > 0 && found.size <= MOST_BEFORE;) {
    const others = new Set(step.flatMap((one) => waitsFor(plan, one)));
    step = [...others.difference(found)];
    for (const other of step) found.add(other);
    if (step.length > 0) steps.push(step.map(({ id }) => id));
  }
  return steps;
}

function waitsText([first = [], next = []]: readonly (readonly string[])[]): string {
  const chain = first.length === 1 && next.length === 1 ? ` › ${next[0]}` : "";
  return shortList(first, 2) + chain;
}

/** Entities that one is related to, under a heading. */
export interface Related {
  readonly title: string;
  readonly entities: readonly Named[];
}

/** What is related to an entity. */
export function relatedTo(plan: PlanView, item: Entity): Related[] {
  const pointing = (wanted: PointerKind) =>
    plan.pointers(item.id).filter(({ kind }) => kind === wanted).map(({ from }) => rowOf(from));
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
