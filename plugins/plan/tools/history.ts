/**
 * `plan_history`: the events of an entity, or of the plan by commit or in numbers; or what two
 * branches have changed.
 */

import * as z from "zod";
import { quoted, word } from "../../../src/plain_text.ts";
import { describeEvent, type HistoryEvent, historyEvent, valueFrom } from "../git/events.ts";
import { entityNamed, type PlanView, unlessEmpty } from "../queries/access.ts";
import { pageOf } from "../queries/select.ts";
import { rangeOf, unmergedIn } from "../queries/times.ts";
import type { ChangesAsked } from "../queries/changes.ts";
import { authorName, lineOf, readToday } from "../queries/today.ts";
import { BranchComparison, compareBranches } from "./compare_branches.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** The default number of commits, or of events of one entity. */
const ROWS = 20;

/** The default number of entities by author. */
const CHANGES = 50;

/** The most changes that all commits list together, and the least that each lists. */
const [TOGETHER, COMMIT_CHANGES] = [30, 3];

/** How many characters of a commit message are shown. */
const MESSAGE = 100;

const Output = z.object({
  id: z.string().optional(),
  type: z.string().optional(),
  file: z.string().optional(),
  total: z.int().optional(),
  totalCommits: z.int().optional(),
  commits: z.union([
    z.int(),
    z.array(z.object({
      hash: z.string(),
      date: z.string(),
      author: z.string(),
      message: z.string(),
      changes: z.array(z.string()).describe("id title: what changed"),
      totalChanges: z.int().optional(),
    })),
  ]).optional(),
  created: z.record(z.string(), z.int()).optional(),
  reached: z.record(z.string(), z.record(z.string(), z.int())).optional(),
  events: z.array(historyEvent).optional(),
  authors: z.array(z.object({
    by: z.string(),
    changes: z.array(z.string()).describe("id title: what changed"),
  })).optional(),
  newest: z.object({ date: z.string(), call: z.string().describe("Shows the days before it") })
    .optional(),
  nextCursor: z.string().optional(),
  ...BranchComparison.partial().shape,
  warnings: z.array(z.string()).optional(),
});

type Answer = z.infer<typeof Output>;

export const historyTool = readTool({
  name: "plan_history",
  title: "Show the plan's history",
  description: "What changed, from git, newest first: the plan by commit, one entity, or a " +
    "summary; with workingTree or by, one line an entity, by author.",
  input: {
    id: z.string().optional(),
    since: z.string().optional().describe("14d, a date or a commit"),
    sinceNewest: z.string().optional().describe("14d before the newest change"),
    until: z.string().optional(),
    by: z.string().optional(),
    compare: z.array(z.string()).max(2).optional().describe(
      "Two branches: their changes and disagreements",
    ),
    workingTree: z.boolean().optional().describe("Also uncommitted, and other branches"),
    summary: z.boolean().optional().describe("Counts only"),
    limit: z.int().min(1).max(1000).optional().describe("Commits"),
    cursor: z.string().optional(),
  },
  output: Output,
  run: async (input, plan): Promise<Answer> => {
    const { id: given, summary = false, limit = ROWS, cursor, compare } = input;
    if (compare !== undefined) return await compareBranches(plan, compare, given);
    const entity = given === undefined ? undefined : entityNamed(plan, given);
    if (input.by !== undefined || input.workingTree === true) return await byAuthor(plan, input);
    const { id, type, file } = entity ?? {};
    const { events, warnings: gaps } = await plan.history(file);
    const warnings = [...gaps];
    // Changes of text alone are left out of the plan's history.
    const all = entity !== undefined
      ? events
      : byDate(events.filter(({ kind }) => kind !== "content"));
    const [newest] = all;
    const found = all.filter(await rangeOf(plan, input, newest?.date));
    warnings.push(...await unmergedIn(plan, input));
    return {
      id,
      type,
      file,
      total: found.length,
      ...(summary
        ? countsOf(found)
        : entity === undefined
        ? commitsOf(plan, found, limit, cursor)
        : eventsOf(found, limit, cursor)),
      newest: found.length > 0 || newest === undefined ? undefined : {
        date: newest.date.slice(0, 10),
        call: `plan_history ${JSON.stringify({ id, sinceNewest: "14d" })}`,
      },
      warnings: unlessEmpty(warnings),
    };
  },
});

/** Sorts by the dates that are shown, those of authors: a rebased commit is older than its parents. */
function byDate(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.map((event) => ({ event, at: Date.parse(event.date) }))
    .sort((a, b) => b.at - a.at).map(({ event }) => event);
}

async function byAuthor(
  plan: PlanView,
  { id, summary = false, limit = CHANGES, cursor, ...asked }: ChangesAsked & {
    readonly id?: string | undefined;
    readonly summary?: boolean | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<Answer> {
  const { rows: all, commits, warnings } = await readToday(plan, asked);
  const only = id === undefined ? undefined : entityNamed(plan, id).id;
  const rows = all.filter((row) => only === undefined || row.id === only);
  const { items, nextCursor } = pageOf(rows, limit, cursor);
  const authors = [...Map.groupBy(items, ({ by }) => by)].map(([by, own]) => ({
    by: authorName(by),
    changes: own.map(lineOf),
  }));
  return {
    total: rows.length,
    commits: summary ? commits : undefined,
    authors,
    nextCursor,
    warnings: unlessEmpty(warnings),
  };
}

function eventsOf(all: readonly HistoryEvent[], limit: number, cursor: string | undefined) {
  const { items, nextCursor } = pageOf(all, limit, cursor);
  return { events: items.map(({ id: _id, type: _type, ...rest }) => rest), nextCursor };
}

/** Counts commits, created entities, and reached statuses by type. */
function countsOf(events: readonly HistoryEvent[]) {
  const created: Record<string, number> = {};
  const reached: Record<string, Record<string, number>> = {};
  for (const event of events) {
    const type = event.type ?? "other";
    if (event.kind === "created") created[type] = (created[type] ?? 0) + 1;
    const status = valueFrom(event, "status");
    if (status === undefined) continue;
    const ofType = reached[type] ??= {};
    ofType[status] = (ofType[status] ?? 0) + 1;
  }
  return { commits: new Set(events.map(({ hash }) => hash)).size, created, reached };
}

/** Groups events by commit; each title appears once. */
function commitsOf(
  plan: PlanView,
  events: readonly HistoryEvent[],
  limit: number,
  cursor: string | undefined,
) {
  const all = [...Map.groupBy(events, ({ hash }) => hash).values()];
  const most = Math.max(COMMIT_CHANGES, Math.floor(TOGETHER / Math.min(limit, all.length)));
  const titled = new Set<string>();
  const { items, nextCursor } = pageOf(all, limit, cursor);
  const commits = items.map((together) => {
    const { shortHash, date, author, message } = together[0]!;
    // A plain merge has no changes of its own.
    const changes = together.filter(({ file }) => file !== undefined);
    return {
      hash: shortHash,
      date: date.slice(0, 10),
      author,
      message: message.length > MESSAGE ? `${message.slice(0, MESSAGE)}…` : message,
      changes: changes.slice(0, most).map((event) => {
        const id = event.id ?? event.file ?? "";
        const title = titled.has(id) ? undefined : plan.find(id)?.title || undefined;
        titled.add(id);
        const name = title === undefined ? word(id) : `${word(id)} ${quoted(title)}`;
        return `${name}: ${describeEvent(event)}`;
      }),
      totalChanges: changes.length > most ? changes.length : undefined,
    };
  });
  const isPage = nextCursor !== undefined || cursor !== undefined;
  return { commits, totalCommits: isPage ? all.length : undefined, nextCursor };
}
