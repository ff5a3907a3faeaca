/**
 * `plan.status`: the plan's health in short, or that of one milestone.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { type Item, namedItems, openPlan, type PlanView, rowOf } from "../queries/access.ts";
import { isDone } from "../queries/lifecycle.ts";
import { checkValues } from "../queries/values.ts";
import { problemsOf } from "../store/problems.ts";
import { detailArgument, dirArgument, namedEntities, planCommand, READS } from "./command.ts";
import { groupIssues, type Issue, issueGroups } from "./issues.ts";

/** How many items a list has. */
const SHOWN = 10;

/** How many of what was done lately. */
const DONE = 5;

const Input = z.strictObject({
  milestone: z.string().optional(),
  detail: detailArgument(),
  dir: dirArgument(),
});

const Output = z.object({
  milestone: z.object({ name: z.string(), done: z.int(), total: z.int() }).optional(),
  counts: z.record(
    z.string(),
    z.object({
      total: z.int(),
      byStatus: z.record(z.string(), z.int()),
    }),
  ),
  inProgress: namedEntities(),
  ready: z.array(z.object({ id: z.string() })),
  blocked: z.array(z.object({ id: z.string() })),
  done: z.array(z.object({ id: z.string() })),
  warnings: z.array(z.object({ type: z.string(), message: z.string() })),
});

type Answer = z.infer<typeof Output>;

/** The plugin's answer, as far as it is looked into. */
type PluginStatus = Answer & { warnings: Issue[] };

/** Runs `plan.status`; the resource of the same name answers with it too. */
export async function planStatus(
  plugin: PlanPlugin,
  { dir, ...asked }: z.infer<typeof Input>,
  context: McpHandlerContext,
): Promise<Answer> {
  const plan = await openPlan(context, dir, plugin);
  return await plan.state.derived(
    `status ${JSON.stringify(asked)}`,
    () => statusOf(plan, asked, plugin, context),
  );
}

async function statusOf(
  plan: PlanView,
  { milestone, detail }: Omit<z.infer<typeof Input>, "dir">,
  plugin: PlanPlugin,
  context: McpHandlerContext,
): Promise<Answer> {
  if (milestone !== undefined) checkValues(plan, "milestone", milestone);
  const told = await askPlugin<PluginStatus>(plugin, "status", { milestone }, plan, context);
  const problems = problemsOf(plan.state);
  const whole = { ...told, warnings: [...told.warnings, ...problems] };
  if (detail === "full") return whole;
  const scope = milestone === undefined
    ? plan.items
    : plan.items.filter(({ entity }) => entity.attributes["milestone"] === milestone);
  const answer = milestone === undefined ? whole : {
    ...whole,
    ...await scopedTo(plan, scope, milestone, plugin, context),
    warnings: warningsAbout(whole.warnings, new Set(scope.map(({ id }) => id))),
  };
  return {
    ...answer,
    inProgress: scope.filter(({ status }) => status === "in-progress").slice(0, SHOWN).map(rowOf),
    done: answer.done.slice(0, DONE),
    warnings: issueGroups(groupIssues(answer.warnings), 8),
  };
}

/** Declares `plan.status`. */
export function statusCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "status",
    title: "Plan status",
    description:
      "The plan, or one milestone, in short: counts, progress, ready, blocked, done, warnings.",
    annotations: READS,
    input: Input,
    output: Output,
    run: (input, context) => planStatus(plugin, input, context),
  });
}

/** What the plugin counts over the whole plan, for the items of one milestone. */
async function scopedTo(
  plan: PlanView,
  scope: readonly Item[],
  milestone: string,
  plugin: PlanPlugin,
  context: McpHandlerContext,
): Promise<Pick<Answer, "counts" | "ready" | "blocked" | "done">> {
  const { items } = await askPlugin<{ items: Record<string, unknown>[] }>(
    plugin,
    "next",
    { milestone, count: 5 },
    plan,
    context,
  );
  const counts: Answer["counts"] = {};
  for (const [name, type] of [["work", "work"], ["bugs", "bug"]] as const) {
    const byStatus: Record<string, number> = {};
    const ofType = scope.filter((item) => item.type === type);
    for (const { status } of ofType) byStatus[status] = (byStatus[status] ?? 0) + 1;
    counts[name] = { total: ofType.length, byStatus };
  }
  const done = scope.filter(({ status, entity }) => isDone(status) && entity.resolution)
    .map((item) => ({ item, date: item.entity.resolution?.date ?? "" }))
    .sort((a, b) => b.date < a.date ? -1 : b.date > a.date ? 1 : 0);
  return {
    counts,
    ready: items.map(({ id, title, type, priority, complexity }) => ({
      id: String(id),
      title,
      type,
      priority,
      complexity,
    })),
    blocked: scope.filter(({ status }) => status === "blocked").map((item) => ({
      ...rowOf(item),
      blockedBy: namedItems(plan, item.entity.refs).filter(({ status }) =>
        status !== undefined && status !== "missing" && !isDone(status)
      ).map(({ id }) => id),
    })),
    done: done.map(({ item, date }) => ({
      id: item.id,
      title: item.title,
      ...(date === "" ? {} : { date }),
    })),
  };
}

function warningsAbout(warnings: readonly Issue[], ids: ReadonlySet<string>): Issue[] {
  return warnings.filter(({ source }) => ids.has(source));
}
