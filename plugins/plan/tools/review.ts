/** `plan_review`: drift between the plan and what git shows. */

import * as z from "zod";
import { itemNamed, unlessEmpty } from "../queries/access.ts";
import { IDLE, readDrift, scopeOf } from "../queries/drift.ts";
import { KINDS } from "../queries/review.ts";
import { sizesOf } from "../../../src/tools/counted.ts";
import { checkValues } from "../queries/values.ts";
import { oneOrMore } from "../tool_parts/fields.ts";
import { parseTime, timeOf } from "../queries/times.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

const Output = z.object({
  total: z.int(),
  counts: z.record(z.string(), z.int()),
  findings: z.record(z.string(), z.array(z.string()))
    .describe("By kind, the most severe first: id evidence"),
  details: z.array(z.object({
    kind: z.enum(KINDS),
    id: z.string(),
    text: z.string(),
    evidence: z.array(z.string()),
    fix: z.object({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      when: z.string(),
    }),
  })).optional().describe("With id"),
  newest: z.object({ date: z.string(), call: z.string() }).optional()
    .describe("The newest drift, where nothing is in the range"),
  examined: z.object({
    entities: z.int(),
    commits: z.int(),
    git: z.boolean(),
    since: z.string().optional(),
    idle: z.string(),
    notChecked: z.array(z.string()).optional(),
  }),
});

export const reviewTool = readTool({
  name: "plan_review",
  title: "Review the plan",
  description: "Finds drift between the plan and git: done without proof, idle, reverted or " +
    "merged work, blocks that are gone.",
  input: {
    milestone: z.string().optional(),
    since: z.string().optional().describe("14d, a date, commit or branch"),
    idle: z.string().optional().describe(`Without a commit; default ${IDLE}`),
    sinceNewest: z.string().optional(),
    status: oneOrMore(),
    kind: z.enum(KINDS).optional(),
    id: z.string().optional().describe("With evidence and corrections"),
  },
  output: Output,
  run: async (input, plan): Promise<z.infer<typeof Output>> => {
    const { milestone, since, sinceNewest, status, idle = IDLE, kind, id } = input;
    const idleSince = parseTime(idle, "idle");
    const statuses = status && checkValues(plan, "status", status);
    const asked = id === undefined ? undefined : itemNamed(plan, id);
    const scope = milestone === undefined ? plan.items : scopeOf(plan, milestone);
    const { drift, commits, newest, notChecked } = await readDrift(plan, idleSince, idle);
    const from = Math.max(
      since === undefined ? -Infinity : await timeOf(since, "since", plan.git),
      sinceNewest === undefined ? -Infinity : parseTime(sinceNewest, "sinceNewest", newest),
    );
    const inScope = new Set(scope.map(({ id }) => id));
    const wanted = drift.filter(({ status, shown: { id } }) =>
      inScope.has(id) && (asked === undefined || asked.id === id) &&
      (statuses === undefined || statuses.includes(status))
    );
    const all = wanted.filter(({ at }) => at >= from);
    const last = wanted.map(({ at }) => new Date(at).toISOString().slice(0, 10)).sort().at(-1);
    const found = all.filter(({ shown }) => kind === undefined || shown.kind === kind);
    const ofKind = Map.groupBy(all, ({ shown }) => shown.kind);
    return {
      total: found.length,
      counts: sizesOf(ofKind),
      findings: Object.fromEntries(
        [...ofKind].filter(([name]) => kind === undefined || name === kind)
          .map(([name, same]) => [name, same.map(({ line }) => line)]),
      ),
      details: asked && found.map(({ shown }) => shown),
      newest: found.length > 0 || last === undefined
        ? undefined
        : { date: last, call: `plan_review ${JSON.stringify({ since: last })}` },
      examined: {
        entities: scope.length,
        commits: commits ?? 0,
        git: commits !== undefined,
        since: from === -Infinity ? undefined : new Date(from).toISOString(),
        idle,
        notChecked: unlessEmpty([...notChecked]),
      },
    };
  },
});
