/** `plan.validate`: the plan's problems, grouped by kind. */

import * as z from "zod";
import { plainLine } from "../../../src/plain_text.ts";
import { defineTool, type Tool } from "../../../src/tools/tool.ts";
import { type Collision, readElsewhere } from "../queries/states_elsewhere.ts";
import { askPlugin, type PlanPlugin } from "../queries/ask_plugin.ts";
import { unknownEntity } from "../store/failures.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { type Availability, readAvailability, whyNotOffered } from "../queries/availability.ts";
import { mentionFix, mentionSentence, mentionsThatWithhold } from "../queries/dependencies.ts";
import { checkValues } from "../queries/values.ts";
import { problemsOf } from "../store/problems.ts";
import { detailArgument, dirArgument, oneOrMore, READS } from "./fields.ts";
import { WITH_PLAN } from "./plan_tool.ts";
import { groupIssues, type Issue, issue, issueGroup } from "./issues.ts";

/** How many ids a group lists by default, and for a requested kind. */
const [FEW_IDS, MANY_IDS] = [6, 500];
const MOST_TITLE = 120;

const Input = z.strictObject({
  severity: z.enum(["error", "warning", "info"]).optional(),
  type: oneOrMore().describe("As broken-ref"),
  id: oneOrMore(),
  milestone: z.string().optional(),
  strict: z.boolean().optional().describe("Warnings are errors"),
  detail: detailArgument(),
  dir: dirArgument(),
});

const Output = z.object({
  scanned: z.int(),
  counts: z.object({ errors: z.int(), warnings: z.int(), info: z.int() }),
  exitCode: z.int(),
  groups: z.array(z.object(issueGroup)).optional(),
  issues: z.array(issue).optional(),
  kinds: z.array(z.string()).optional(),
});

type Answer = z.infer<typeof Output>;

export function validateTool(plugin: PlanPlugin): Tool {
  return defineTool({
    name: "plan.validate",
    title: "Validate the plan",
    description:
      "Checks structure and references; one group a kind of problem. Problems are data, no " +
      "error.",
    annotations: READS,
    listed: WITH_PLAN,
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const { type, strict, detail, dir } = input;
      const plan = await openPlan(context, dir, plugin);
      const answer = await plan.state.derived(
        `validate ${strict}`,
        () =>
          askPlugin<Answer & { issues: Issue[] }>(plugin, "validate", { strict }, plan, context),
      );
      // The plugin reports duplicate ids itself.
      const problems = problemsOf(plan.state)
        .filter((problem) => problem.type !== "duplicate-id");
      const { collisions } = await readElsewhere(plan, plugin, context.signal);
      const all = [
        ...answer.issues.map((issue) => withFix(plan, issue, dir)),
        ...problems.map((issue) => withFix(plan, issue, dir)),
        ...collisions.map((collision) => collisionIssue(plan, collision, dir)),
        ...availabilityIssues(plan, await readAvailability(plugin, plan, context), dir),
      ].map((issue) =>
        strict === true && issue.severity === "warning" ? { ...issue, severity: "error" } : issue
      );
      const issues = all.filter(matcher(plan, input));
      const countOf = (severity: string) =>
        issues.filter((issue) => issue.severity === severity).length;
      const counts = {
        errors: countOf("error"),
        warnings: countOf("warning"),
        info: countOf("info"),
      };
      const exitCode = counts.errors > 0 ? 1 : 0;
      if (detail === "full") return { ...answer, issues, counts, exitCode };
      const most = type === undefined ? FEW_IDS : MANY_IDS;
      return {
        scanned: answer.scanned,
        counts,
        exitCode,
        groups: groupIssues(issues, most),
        ...(type !== undefined && issues.length === 0
          ? { kinds: [...new Set(all.map((issue) => issue.type))] }
          : {}),
      };
    },
  });
}

/** Adds the call that renumbers a duplicate id, or merges a file in conflict. */
function withFix(plan: PlanView, issue: Issue, dir: string | undefined): Issue {
  if (issue.type === "conflict-markers") {
    const given = { id: issue.source, ...(dir === undefined ? {} : { dir }) };
    return { ...issue, fix: { tool: "plan.merge", arguments: given } };
  }
  if (issue.type !== "duplicate-id") return issue;
  const [id, file] = [issue.source, plan.state.allOf(issue.source).at(-1)?.file];
  if (file === undefined) return issue;
  const given = { id, file, ...(dir === undefined ? {} : { dir }) };
  return { ...issue, fix: { tool: "plan.renumber", arguments: given } };
}

/** The mentions that withhold ready items, and the reason if nothing is offered at all. */
function availabilityIssues(
  plan: PlanView,
  available: Availability,
  dir: string | undefined,
): Issue[] {
  const { offered, withheld } = available;
  const given = dir === undefined ? {} : { dir };
  const mentions = withheld.flatMap((item): Issue[] => {
    const others = mentionsThatWithhold(plan, item);
    if (others.length === 0) return [];
    const fix = mentionFix(item);
    return [{
      type: "mention-blocks",
      severity: "warning",
      source: item.id,
      file: item.entity.file,
      target: others[0]!.id,
      message: mentionSentence(item, others),
      ...(fix && { fix: { ...fix, arguments: { ...fix.arguments, ...given } } }),
    }];
  });
  const [first] = withheld;
  if (offered.length > 0 || first === undefined) return mentions;
  const [items, are] = withheld.length === 1 ? ["item", "is"] : ["items", "are"];
  return [...mentions, {
    type: "none-offered",
    severity: "warning",
    source: first.id,
    file: first.entity.file,
    message: `${withheld.length} ${items} ${are} ready and none is offered: ` +
      whyNotOffered(plan, available),
  }];
}

/** The issue for an id that belongs to another entity elsewhere. */
function collisionIssue(
  plan: PlanView,
  { branch, worktree, item: { id, title } }: Collision,
  dir: string | undefined,
): Issue {
  const place = worktree ?? branch!;
  return {
    type: "id-on-two-branches",
    severity: "warning",
    source: id,
    file: plan.find(id)!.entity.file,
    branch: branch ?? place,
    message: `${id} is a different entity ${worktree === undefined ? "on" : "in"} ${place}: ` +
      plainLine(title, MOST_TITLE),
    fix: { tool: "plan.renumber", arguments: { id, ...(dir === undefined ? {} : { dir }) } },
  };
}

/** Whether an issue passes the filters. */
function matcher(
  plan: PlanView,
  { severity, type, id, milestone }: z.infer<typeof Input>,
): (issue: Issue) => boolean {
  const ids = [id ?? []].flat().map((one) => plan.state.spelled(one));
  const unknown = ids.find((one) => plan.find(one) === undefined);
  if (unknown !== undefined) throw unknownEntity(plan.store, unknown);
  if (milestone !== undefined) checkValues(plan, "milestone", milestone);
  return (issue) =>
    (severity === undefined || issue.severity === severity) &&
    (type === undefined || [type].flat().includes(issue.type)) &&
    (id === undefined || ids.includes(issue.source)) &&
    (milestone === undefined || issue.source === milestone ||
      plan.find(issue.source)?.entity.attributes["milestone"] === milestone);
}
