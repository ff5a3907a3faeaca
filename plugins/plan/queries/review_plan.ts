/** Reads what a review needs of git, and reviews a whole plan. */

import { orOtherwise } from "../../../src/errors.ts";
import { sizesOf } from "../../../src/plugin/counted.ts";
import { type Entity, listed } from "../entity/entity.ts";
import { type PlanView } from "./access.ts";
import { readClaims } from "./claims.ts";
import { dateFinder } from "./dates.ts";
import { readGitFacts } from "./git_facts.ts";
import { CLAIMED, isTask } from "../entity/lifecycle.ts";
import { type Finding, reviewItems } from "./review.ts";
import { filterItems } from "./select.ts";
import { parseTime } from "./times.ts";

/** How long nothing has happened to an item that is idle, unless the caller says it. */
export const IDLE = "30d";

/** The review of a plan. */
export interface PlanReview {
  readonly findings: readonly Finding[];
  /** The date of the newest change of the plan. */
  readonly newest?: string | undefined;
  /** What needs more than git has, in sentences. */
  readonly notChecked: readonly string[];
}

/** @param idleSince In milliseconds. */
export async function reviewPlan(plan: PlanView, idleSince: number): Promise<PlanReview> {
  const started = plan.entities.filter((item) => isTask(item) && item.status === CLAIMED);
  const git = await orOtherwise(
    plan.signal,
    async () => ({ ...await readGitFacts(plan), ...await readClaims(plan, started) }),
    ({ message }) => message,
  );
  if (typeof git === "string") {
    const without = {
      plan,
      eventsOf: () => [],
      datesOf: dateFinder([]),
      claims: new Map(),
      idleSince,
    };
    const notChecked = [`${git}: idle was not checked`];
    return { findings: await reviewItems(without), notChecked };
  }
  const { claims, events, warnings } = git;
  const findings = await reviewItems({ ...git, plan, claims, idleSince });
  return { findings, newest: events[0]?.date, notChecked: warnings };
}

/** A milestone, its items, and the specs that they implement. */
export function scopeOf(plan: PlanView, milestone: string): Entity[] {
  const items = filterItems(plan, { milestone });
  const sources = new Set(items.flatMap((item) => listed(item, "source")));
  return plan.entities.filter((item) =>
    item.id === milestone || items.includes(item) || sources.has(item.id)
  );
}

/** How many findings a review of a milestone has, by kind. */
export async function countFindings(
  plan: PlanView,
  milestone: string,
): Promise<Record<string, number>> {
  const ids = new Set(scopeOf(plan, milestone).map(({ id }) => id));
  const { findings } = await reviewPlan(plan, parseTime(IDLE, "idle"));
  const inScope = findings.filter(({ id }) => ids.has(id));
  return sizesOf(Map.groupBy(inScope, ({ kind }) => kind));
}
