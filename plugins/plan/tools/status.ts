/** `plan.status`: a summary of the plan or of one milestone. */

import * as z from "zod";
import type { CallContext } from "../../../src/tools/context.ts";
import { defineTool, type Tool } from "../../../src/tools/tool.ts";
import { askPlugin, type PlanPlugin } from "../queries/ask_plugin.ts";
import {
  type Item,
  openPlan,
  type PlanView,
  present,
  rowOf,
  type Taken,
} from "../queries/access.ts";
import { isTask, readAvailability, readTaken, whyNotOffered } from "../queries/availability.ts";
import { blockedNote, blockersOf, isBlocked } from "../queries/dependencies.ts";
import { isDone } from "../queries/lifecycle.ts";
import { activeMilestone } from "../queries/milestones.ts";
import { groupItems } from "../queries/select.ts";
import { checkValues } from "../queries/values.ts";
import { problemsOf } from "../store/problems.ts";
import {
  detailArgument,
  dirArgument,
  namedEntities,
  namedEntity,
  READS,
  readyItem,
} from "./fields.ts";
import { WITH_PLAN } from "./plan_tool.ts";
import { groupIssues, type Issue, issueGroup } from "./issues.ts";

/** The length of the lists: for the whole plan, and for a milestone. */
const [SHOWN, SHOWN_OF_MILESTONE] = [10, 5];

/** The length of the lists of ready and of done items. */
const FEW = 5;

/** How many ids a group of warnings lists. */
const NAMED = 8;

const Input = z.strictObject({
  milestone: z.string().optional(),
  detail: detailArgument(),
  dir: dirArgument(),
});

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
});

type Answer = z.infer<typeof Output>;

export function statusTool(plugin: PlanPlugin): Tool {
  return defineTool({
    name: "plan.status",
    title: "Show the plan's status",
    description:
      "Summarizes the plan or a milestone: counts, progress, ready, blocked, done, warnings.",
    annotations: READS,
    listed: WITH_PLAN,
    input: Input,
    output: Output,
    run: (input, context) => planStatus(plugin, input, context),
  });
}

/** Runs `plan.status`; the resource uses it, too. */
export async function planStatus(
  plugin: PlanPlugin,
  { dir, ...asked }: z.infer<typeof Input>,
  context: CallContext,
): Promise<Answer> {
  const plan = await openPlan(context, dir, plugin);
  // What others have taken changes without the plan.
  const others = await readTaken(plugin, plan, context);
  const key = JSON.stringify([asked, ...others.taken, others.unknown]);
  return await plan.state.derived(
    `status ${key}`,
    () => statusOf(plan, asked, plugin, context, others),
  );
}

async function statusOf(
  plan: PlanView,
  { milestone, detail }: Omit<z.infer<typeof Input>, "dir">,
  plugin: PlanPlugin,
  context: CallContext,
  others: Taken,
): Promise<Answer> {
  if (milestone !== undefined) checkValues(plan, "milestone", milestone);
  const answer = await askPlugin<Answer & { warnings: Issue[] }>(
    plugin,
    "status",
    { milestone },
    plan,
    context,
  );
  const warnings = [...answer.warnings, ...problemsOf(plan.state)];
  if (detail === "full") return { ...answer, warnings };
  const isIn = ({ id, entity }: Item) =>
    milestone === undefined || id === milestone || entity.attributes["milestone"] === milestone;
  const scope = plan.items.filter(isIn);
  const tasks = scope.filter(isTask);
  const available = await readAvailability(plugin, plan, context, { milestone }, others);
  const { offered, withheld } = available;
  const note = whyNotOffered(plan, available);
  const lists = {
    inProgress: tasks.filter(({ status }) => status === "in-progress").map(rowOf),
    ready: offered.map(({ id, title, type, priority, complexity }) => ({
      id,
      title,
      type,
      priority,
      complexity,
    })),
    blocked: tasks.filter((item) => isBlocked(plan, item)).map((item) => ({
      ...rowOf(item),
      blockedBy: blockersOf(plan, item).map(({ id }) => id),
      ...present({ note: blockedNote(plan, item) }),
    })),
    done: doneOf(tasks),
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
  return {
    ...(milestone === undefined ? { ...answer, ...active(plan) } : {
      milestone: answer.milestone ?? {
        name: milestone,
        done: tasks.filter(({ status }) => isDone(status)).length,
        total: tasks.length,
      },
      counts: countsOf(plan, tasks),
    }),
    ...lists,
    withheld: withheld.length,
    ...(note === "" ? {} : { note }),
    ...(Object.keys(totals).length === 0 ? {} : { totals }),
    warnings: groupIssues(about, NAMED),
  };
}

/** The plugin takes the first milestone that is marked active, even if it is finished. */
function active({ find, items, state }: PlanView): Pick<Answer, "milestone"> {
  const name = activeMilestone(state.entities);
  if (name === undefined) return { milestone: undefined };
  const { status = "", entity: { attributes: { target } } } = find(name)!;
  const tasks = items.filter((item) =>
    isTask(item) && item.entity.attributes["milestone"] === name
  );
  const done = tasks.filter((task) => isDone(task.status)).length;
  return { milestone: { name, status, ...target && { target }, done, total: tasks.length } };
}

/** Done items with a resolution, newest first. */
function doneOf(tasks: readonly Item[]): Answer["done"] {
  return tasks.flatMap(({ id, title, status, entity: { resolution } }): Answer["done"] => {
    if (!isDone(status) || !resolution) return [];
    return [{ id, title, ...present({ date: resolution.date, pr: resolution.pr }) }];
  }).sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
}

function countsOf(plan: PlanView, tasks: readonly Item[]): Answer["counts"] {
  return Object.fromEntries(([["work", "work"], ["bugs", "bug"]] as const).map(([name, type]) => {
    const items = tasks.filter((item) => item.type === type);
    const groups = groupItems(plan, items, "status").map(({ key, count }) => [key, count]);
    return [name, { total: items.length, byStatus: Object.fromEntries(groups) }];
  }));
}
