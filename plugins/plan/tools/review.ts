/** `plan_review`: statuses that contradict the plan or git. */

import * as z from "zod";
import { dayOf, zonedDate } from "../entity/durations.ts";
import { entityNamed } from "../queries/access.ts";
import { type Finding, IDLE, KINDS, newestOf, reviewPlan } from "../queries/review.ts";
import { sizesOf } from "../../../src/plugin/counted.ts";
import { duplicateNote } from "../queries/waits.ts";
import { checkValues } from "../queries/fields.ts";
import { oneOrMore } from "../tool_parts/fields.ts";
import { ANY_TIME, isSince, parseTime, timeOf } from "../queries/times.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

export const reviewTool = readTool({
  name: "plan_review",
  title: "Review the plan",
  description:
    "Finds statuses that do not fit: done too early, all done and not marked, blocked by " +
    "nothing, idle.",
  input: {
    milestone: z.string().optional().describe("Filter"),
    since: z.string().optional().describe("14d, a date, commit or branch"),
    idle: z.string().optional().describe(`Without a commit; default ${IDLE}`),
    sinceNewest: z.string().optional().describe("14d before the newest change"),
    status: oneOrMore().describe("Filter"),
    kind: z.enum(KINDS).optional().describe("Filter"),
    id: z.string().optional().describe("With corrections"),
  },
  output: z.object({
    total: z.int(),
    counts: z.record(z.string(), z.int()),
    findings: z.record(z.string(), z.array(z.string())).describe(
      "By kind, a line each: id: finding",
    ),
    fixes: z.array(z.object({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      when: z.string(),
    })).optional().describe("With id: the calls that correct it, if they are right"),
    newest: z.object({ date: z.string(), call: z.string() }).optional()
      .describe("The newest finding, where none is in the range"),
    since: z.string().optional(),
    notChecked: z.array(z.string()).optional(),
  }),
  run: async (input, plan) => {
    const { milestone, since, sinceNewest, kind } = input;
    const statuses = input.status && checkValues(plan, "status", input.status);
    const item = input.id === undefined ? undefined : entityNamed(plan, input.id);
    const { findings, newest, notChecked } = await reviewPlan(plan, milestone, input.idle);
    const bounds = [
      since === undefined ? ANY_TIME : await timeOf(since, "since", plan.git),
      sinceNewest === undefined ? ANY_TIME : parseTime(sinceNewest, "sinceNewest", newest),
    ];
    const from = Math.max(...bounds.map(({ time }) => time));
    const wanted = findings.filter((finding) =>
      (item === undefined || item.id === finding.id) &&
      (kind === undefined || kind === finding.kind) &&
      (statuses === undefined || statuses.includes(finding.status))
    );
    const inRange = wanted.filter(({ at }) => bounds.every((bound) => isSince(at, bound)));
    const byKind = Map.groupBy(inRange, (finding) => finding.kind);
    return {
      total: inRange.length,
      counts: sizesOf(byKind),
      findings: Object.fromEntries(
        [...byKind].map(([name, same]) => [name, same.map(({ id, text }) => `${id}: ${text}`)]),
      ),
      fixes: item && inRange.map((finding) => ({
        tool: "plan_update",
        arguments: finding.arguments,
        when: finding.when,
      })),
      newest: inRange.length > 0 || wanted.length === 0 ? undefined : newestIn(wanted),
      since: from === -Infinity ? undefined : zonedDate(from),
      notChecked: unlessEmpty(notChecked.concat(item && duplicateNote(plan, item) || [])),
    };
  },
});

/** The day of the newest finding, and the call that shows it. */
function newestIn(findings: readonly Finding[]): { date: string; call: string } {
  const date = dayOf(newestOf(findings.map(({ at }) => at)));
  return { date, call: `plan_review ${JSON.stringify({ since: date })}` };
}
