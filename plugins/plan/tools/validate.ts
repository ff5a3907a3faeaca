/** `plan_validate`: the plan's problems, grouped by kind. */

import * as z from "zod";
import { goneOf } from "../../../src/plugin/counted.ts";
import { entitiesNamed } from "../queries/access.ts";
import { groupIssues, readIssues } from "../queries/issues.ts";
import { checkValue } from "../queries/fields.ts";
import { issue, issueGroup } from "../store/problems.ts";
import { detailArgument, oneOrMore, uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** How many ids a group lists by default, and for a requested kind. */
const [FEW_IDS, MANY_IDS] = [4, 500];

export const validateTool = readTool({
  name: "plan_validate",
  title: "Validate the plan",
  description: "Checks structure and references: a group a kind of problem.",
  input: {
    severity: z.enum(["error", "warning", "info"]).optional().describe("Filter"),
    type: oneOrMore().describe("As broken-ref"),
    id: oneOrMore().describe("Filter"),
    milestone: z.string().optional().describe("Filter"),
    since: z.string().optional().describe("Only what is new since a commit"),
    strict: z.boolean().optional().describe("The CLI's warnings are errors"),
    detail: detailArgument(),
  },
  output: z.object({
    scanned: z.int(),
    counts: z.object({ errors: z.int(), warnings: z.int(), info: z.int() }),
    exitCode: z.int(),
    unchecked: uncheckedPlaces(),
    groups: z.array(issueGroup).optional(),
    issues: z.array(issue).optional(),
    kinds: z.array(z.string()).optional(),
    gone: z.int().optional().describe("How many problems of since are gone"),
    goneKinds: z.record(z.string(), z.int()).optional(),
  }),
  run: async (input, plan) => {
    const { severity, type, id, strict, detail, since } = input;
    const ids = id && entitiesNamed(plan, [id].flat()).map((item) => item.id);
    const milestone = checkValue(plan, "milestone", input.milestone);
    const problems = await readIssues(plan, strict, since);
    const issues = problems.issues.filter((issue) =>
      (severity === undefined || issue.severity === severity) &&
      (type === undefined || [type].flat().includes(issue.type)) &&
      (ids === undefined || ids.includes(issue.source)) &&
      (milestone === undefined || issue.source === milestone ||
        plan.find(issue.source)?.attributes["milestone"] === milestone)
    );
    const countOf = (severity: string) =>
      issues.filter((issue) => issue.severity === severity).length;
    const counts = {
      errors: countOf("error"),
      warnings: countOf("warning"),
      info: countOf("info"),
    };
    const answer = {
      counts,
      exitCode: counts.errors > 0 ? 1 : 0,
      unchecked: problems.unchecked,
      ...goneOf(problems.gone, ({ type }) => type),
    };
    if (detail === "full") return { ...problems.answer, issues, ...answer };
    return {
      scanned: problems.answer.scanned,
      ...answer,
      groups: groupIssues(issues, type === undefined ? FEW_IDS : MANY_IDS),
      kinds: type !== undefined && issues.length === 0
        ? [...new Set(problems.issues.map((issue) => issue.type))]
        : undefined,
    };
  },
});
