/** `plan_status`: a summary of the plan or of one milestone. */

import * as z from "zod";
import { activeMilestones, doneRatio } from "../queries/progress.ts";
import { blockersOf, isBlocked, noteOf } from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { askPlugin, quotedIssues } from "../queries/ask_plugin.ts";
import { type PlanView, rowOf, type Taken } from "../queries/access.ts";
import { readAvailability, readTaken, whyNotOffered } from "../queries/availability.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { countFindings } from "../queries/review_plan.ts";
import { CLAIMED, isDone, isTask } from "../entity/lifecycle.ts";
import { filterItems, groupItems } from "../queries/select.ts";
import { sizesOf } from "../../../src/plugin/counted.ts";
import { problemsOf } from "../store/problems.ts";
import {
  detailArgument,
  namedEntities,
  namedEntity,
  readyItem,
  uncheckedPlaces,
} from "../tool_parts/fields.ts";
import { groupIssues, type Issue, issueGroup } from "../tool_parts/issues.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { readyRow } from "../tool_parts/ready_rows.ts";

/** The length of the lists: for the whole plan, and for a milestone. */
const [SHOWN, SHOWN_OF_MILESTONE] = [10, 5];

/** The length of the lists of ready and of done items. */
const FEW = 3;

/** How many ids a group of warnings lists. */
const NAMED = 8;

const Output = z.object({
  milestone: z.object({
    name: z.string(),
    status: z.string().optional(),
    target: z.string().optional(),
    done: z.int(),
    total: z.int(),
  }).optional(),
  counts: z.record(
    z.string(),
    z.object({ total: z.int(), byStatus: z.record(z.string(), z.int()) }),
  ),
  inProgress: namedEntities(),
  ready: z.array(z.object(readyItem)),
  /** How many ready items are not offered; `note` says why. */
  withheld: z.int().optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
  blocked: z.array(z.object({
    ...namedEntity,
    blockedBy: z.array(z.string()),
    note: z.string().optional(),
  })),
  done: z.array(
    z.object({ ...namedEntity, date: z.string().optional(), pr: z.string().optional() }),
  ),
  totals: z.record(z.string(), z.int()).optional(),
  warnings: z.array(z.object({
    ...issueGroup,
    count: z.int().optional(),
    ids: z.array(z.string()).optional(),
    source: z.string().optional(),
    target: z.string().optional(),
  })),
  review: z.record(z.string(), z.int()).optional()
    .describe("What plan_review finds about the milestone, by kind"),
});

type Answer = z.infer<typeof Output>;

const Input = { milestone: z.string().optional(), detail: detailArgument() };

type Asked = z.infer<z.ZodObject<typeof Input>>;

export const statusTool = readTool({
  name: "plan_status",
  title: "Show the plan's status",
  description:
    "Summarizes the plan or a milestone: counts, progress, ready, blocked, done, warnings.",
  input: Input,
  output: Output,
  saysUnreadable: true,
  run: (asked, plan) => planStatus(plan, asked),
});

/** Runs `plan_status`; the resource uses it, too. */
export async function planStatus(plan: PlanView, asked: Asked): Promise<Answer> {
  // What others have taken changes without the plan.
  const others = await readTaken(plan);
  const key = JSON.stringify([asked, ...others.taken, others.unchecked]);
  const { milestone, detail } = asked;
  const [answer, review = {}] = await Promise.all([
    plan.derived(`status ${key}`, () => statusOf(plan, asked, others)),
    milestone === undefined || detail === "full" ? undefined : countFindings(plan, milestone),
  ]);
  return Object.keys(review).length === 0 ? answer : { ...answer, review };
}

async function statusOf(
  plan: PlanView,
  { milestone, detail }: Asked,
  others: Taken,
): Promise<Answer> {
  const own = new Set(filterItems(plan, { milestone }));
  const answer = await askPlugin<Answer & { warnings: Issue[] }>(plan, "status", { milestone });
  const warnings = [...quotedIssues(plan, answer.warnings), ...problemsOf(plan)];
  if (detail === "full") return { ...answer, warnings };
  const scope = plan.entities.filter((item) => own.has(item) || item.id === milestone);
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
  const most = milestone === undefined ? SHOWN : SHOWN_OF_MILESTONE;
  const totals: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) {
    const shown = name === "ready" || name === "done" ? FEW : most;
    if (list.length > shown) totals[name] = list.length;
    list.length = Math.min(list.length, shown);
  }
  const ids = new Set(scope.map(({ id }) => id));
  const about = warnings.filter(({ source }) => ids.has(source) || milestone === undefined);
  const counts = Object.fromEntries(
    ([["work", "work"], ["bugs", "bug"]] as const).map(([name, type]) => {
      const items = tasks.filter((item) => item.type === type);
      const byStatus = sizesOf(groupItems(plan, items, "status"));
      return [name, { total: items.length, byStatus }];
    }),
  );
  // The plugin takes the first milestone that is marked active, even if it is finished.
  const [active] = activeMilestones(plan);
  return {
    ...(milestone === undefined
      ? { ...answer, milestone: active === undefined ? undefined : milestoneOf(plan, active) }
      : { milestone: milestoneOf(plan, milestone, tasks), counts }),
    ...lists,
    withheld: available.withheld.length,
    note: whyNotOffered(plan, available) || undefined,
    unchecked: uncheckedSentence(others.unchecked),
    totals: Object.keys(totals).length === 0 ? undefined : totals,
    warnings: groupIssues(about, NAMED),
  };
}

function milestoneOf(
  plan: PlanView,
  name: string,
  tasks: readonly Entity[] = plan.tasksOf(name),
): Answer["milestone"] {
  const { status, attributes } = plan.find(name) ?? {};
  return { name, status, target: attributes?.["target"], ...doneRatio(tasks) };
}

/** Done items with a resolution, newest first. */
function resolvedOf(tasks: readonly Entity[]): Answer["done"] {
  return tasks.flatMap(({ id, title, status, resolution }): Answer["done"] => {
    if (!isDone(status) || !resolution) return [];
    return [{ id, title, date: resolution.date, pr: resolution.pr }];
  }).sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
}
