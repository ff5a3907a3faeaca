/** The cards of the plan board. */

import type { Entity } from "../entity/entity.ts";
import type { Taken } from "./availability.ts";
import type { HistoryEvent } from "../git/events.ts";
import { dateFinder } from "./git_facts.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { blobHash } from "../../../src/io/git_objects.ts";
import { type PlanView, sourceText } from "./access.ts";
import { fieldValue } from "./fields.ts";
import { rowElsewhere } from "./elsewhere_rows.ts";
import { criteriaRatio, type Ratio, workRatio } from "./progress.ts";
import { ageOf, dayOf } from "../entity/durations.ts";
import { waitsFor } from "./waits.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** The state of an entity in another place: a branch, a worktree or a clone. */
export type OtherState = Partial<ReturnType<typeof rowElsewhere>> & { readonly clone?: string };

export type Card = Awaited<ReturnType<typeof cardsOf>>[number];

/** How many ids of a step a card has, and from how many on it has no further step. */
const MOST_BEFORE = 20;

/** The length of a card's hash: a change of one text is seen nearly always. */
const TEXT_DIGITS = 6;

/**
 * @param others `undefined` until git has answered.
 * @param events Newest first; none without a history.
 */
export async function cardsOf(
  plan: PlanView,
  offered: readonly Entity[],
  others: Taken | undefined,
  events: readonly HistoryEvent[],
) {
  const offers = new Set(offered);
  const datesOf = dateFinder(events);
  const cards = [];
  for await (const item of inTurns(plan.entities, plan.signal)) {
    const { id, type, title, status, finished, attributes } = item;
    const waits = stepsBefore(plan, item);
    const { reached } = datesOf(item);
    const since = reached && dayOf(reached);
    cards.push({
      id,
      type,
      title: title || id,
      status,
      // Whether the status is final for its type, and whether plan_next offers it.
      finished: finished || undefined,
      offered: offers.has(item) || undefined,
      // A milestone belongs to itself.
      milestone: type === "milestone" ? id : attributes["milestone"],
      priority: attributes["priority"] ?? attributes["severity"],
      assignee: attributes["assignee"] || undefined,
      tags: fieldValue(plan, item, "tags") as string[] | undefined,
      // The entities that it waits for, step by step; and the nearest of them in short.
      waits: unlessEmpty(waits.map((step) => step.slice(0, MOST_BEFORE))),
      waitsFor: waitsText(waits),
      // The done items and all items of a milestone; of others, their criteria.
      criteria: barOf(type === "milestone" ? workRatio(plan, item) : criteriaRatio(item)),
      elsewhere: others && unlessEmpty(otherStates(item, others)),
      // When it reached its status.
      since,
      age: finished ? undefined : ageOf(since) || undefined,
      // Changes with its text.
      text: others && blobHash(sourceText(plan, item), 40).slice(0, TEXT_DIGITS),
    });
  }
  return cards;
}

const barOf = ({ done, total }: Ratio) => total === 0 ? undefined : [done, total] as const;

function otherStates({ id, finished }: Entity, { elsewhere, claims }: Taken): OtherState[] {
  const rows: OtherState[] = elsewhere.states.get(id)?.map(rowElsewhere) ?? [];
  const claim = claims.get(id);
  if (claim === undefined || claim.isHere || finished) return rows;
  return [...rows, { status: "claimed", assignee: claim.owner, clone: claim.clone }];
}

/** The ids that an item waits for, step by step; each once, also in a cycle. */
function stepsBefore(plan: PlanView, item: Entity): string[][] {
  const reached = new Set([item]);
  const steps: string[][] = [];
  for (let step = [item]; reached.size <= MOST_BEFORE;) {
    step = [...new Set(step.flatMap((each) => waitsFor(plan, each))).difference(reached)];
    if (step.length === 0) break;
    for (const other of step) reached.add(other);
    steps.push(step.map(({ id }) => id));
  }
  return steps;
}

function waitsText([first = [], next = []]: readonly (readonly string[])[]): string | undefined {
  const chain = first.length === 1 && next.length === 1 ? ` › ${next[0]}` : "";
  return shortList(first, 2) + chain || undefined;
}
