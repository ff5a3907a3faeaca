/** Where the plan, or a milestone, stands. */

import { sizesOf } from "../../../src/plugin/counted.ts";
import type { Entity } from "../entity/entity.ts";
import { CLAIMED, isDone, isTask } from "../entity/lifecycle.ts";
import { type Issue, problemsOf } from "../store/problems.ts";
import { groupIssues } from "./issues.ts";
import { derived, type PlanView, rowOf } from "./access.ts";
import { askPlugin, quotedIssues } from "./plugin_answers.ts";
import { readAvailability, readTaken, type Taken, whyNotOffered } from "./availability.ts";
import { uncheckedSentence } from "./elsewhere.ts";
import { readyRow } from "./offers.ts";
import { activeMilestones, doneRatio } from "./progress.ts";
import { countFindings } from "./review.ts";
import { filterItems, groupItems } from "./select.ts";
import { blockersOf, isBlocked, noteOf } from "./waits.ts";

/** The length of the lists: for the whole plan, for a milestone, and of ready and of done items. */
const [MOST_OF_PLAN, MOST_OF_MILESTONE, MOST_READY] = [10, 5, 3];

/** How many ids a group of warnings lists. */
const NAMED = 8;

interface StatusAsked {
  readonly milestone?: string | undefined;
  readonly detail?: "short" | "full" | undefined;
}

/** Runs `plan_status`; the resource uses it, too. */
export async function planStatus(plan: PlanView, asked: StatusAsked) {
  // What others have taken changes without the plan.
  const others = await readTaken(plan);
  const key = JSON.stringify([asked, ...others.taken, others.unchecked]);
  const { milestone, detail } = asked;
  const [answer, review = {}] = await Promise.all([
    derived(plan, `status ${key}`, () => statusOf(plan, asked, others)),
    milestone === undefined || detail === "full" ? undefined : countFindings(plan, milestone),
  ]);
  return Object.keys(review).length === 0 ? answer : { ...answer, review };
}

async function statusOf(
  plan: PlanView,
  { milestone, detail }: StatusAsked,
  others: Taken,
) {
  const inMilestone = new Set(filterItems(plan, { milestone }));
  type Answer = { counts: unknown; warnings: readonly Issue[] };
  const answer = await askPlugin<Answer>(plan, "status", { milestone });
  const warnings = [...quotedIssues(plan, answer.warnings), ...problemsOf(plan)];
  if (detail === "full") return { ...answer, warnings };
  const scope = plan.entities.filter((item) => inMilestone.has(item) || item.id === milestone);
  const tasks = scope.filter(isTask);
  const available = await readAvailability(plan, { milestone }, others);
  const lists = {
    inProgress: tasks.filter(({ status }) => status === CLAIMED).map(rowOf),
    ready: available.offered.map(readyRow),
    blocked: tasks.filter((item) => isBlocked(plan, item)).map((item) => ({
      ...rowOf(item),
      blockedBy: blockersOf(plan, item).map(({ id }) => id),
      note: noteOf(plan, item),
    })),
    done: resolvedOf(tasks),
  };
  const most = milestone === undefined ? MOST_OF_PLAN : MOST_OF_MILESTONE;
  const totals: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) {
    const limit = name === "ready" || name === "done" ? MOST_READY : most;
    if (list.length > limit) totals[name] = list.length;
    list.length = Math.min(list.length, limit);
  }
  const ids = new Set(scope.map(({ id }) => id));
  const about = warnings.filter(({ source }) => ids.has(source) || milestone === undefined);
  const countsOf = (type: string) => {
    const items = tasks.filter((item) => item.type === type);
    return { total: items.length, byStatus: sizesOf(groupItems(plan, items, "status")) };
  };
  // The plugin takes the first milestone that is marked active, even if it is finished.
  const [name] = milestone === undefined ? activeMilestones(plan) : [milestone];
  const ofPlugin = milestone === undefined
    ? answer
    : { counts: { work: countsOf("work"), bugs: countsOf("bug") } };
  return {
    ...ofPlugin,
    milestone: name &&
      milestoneOf(plan, name, milestone === undefined ? plan.tasksOf(name) : tasks),
    ...lists,
    withheld: available.withheld.length,
    note: whyNotOffered(plan, available) || undefined,
    unchecked: uncheckedSentence(others.unchecked),
    totals: Object.keys(totals).length === 0 ? undefined : totals,
    warnings: groupIssues(about, NAMED),
  };
}

function milestoneOf(plan: PlanView, name: string, tasks: readonly Entity[]) {
  const [milestone] = plan.allOf(name);
  const { status, attributes } = milestone ?? {};
  return { name, status, target: attributes?.["target"], ...doneRatio(tasks) };
}

/** Done items with a resolution, newest first. */
function resolvedOf(tasks: readonly Entity[]) {
  return tasks.flatMap(({ id, title, status, resolution }) => {
    if (!isDone(status) || !resolution) return [];
    return [{ id, title, date: resolution.date, pr: resolution.pr }];
  }).sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
}
