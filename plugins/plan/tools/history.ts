/**
 * `plan_history`: the events of an entity, or of the plan by commit or in numbers; or what two
 * branches have changed.
 */

import * as z from "zod";
import { historyEvent } from "../git/events.ts";
import { dayOf } from "../entity/durations.ts";
import {
  byDate,
  commitPage,
  eventCounts,
  eventPage,
  removedEvents,
} from "../queries/history_rows.ts";
import { rangeOf, unmergedIn } from "../queries/times.ts";
import { duplicateNote } from "../queries/waits.ts";
import { changesByAuthor } from "../queries/today.ts";
import { BranchComparison, compareBranches } from "../tool_parts/merge_rows.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** The default number of commits, or of events of one entity. */
const HISTORY_ROWS = 20;

export const historyTool = readTool({
  name: "plan_history",
  title: "Show the plan's history",
  description:
    "What changed, from git, newest first: by commit, of one entity, or a summary; with " +
    "workingTree or by, by author.",
  input: {
    id: z.string().optional().describe("One entity"),
    since: z.string().optional().describe("14d, a date or a commit"),
    sinceNewest: z.string().optional().describe("14d before the newest change"),
    until: z.string().optional().describe("As since"),
    by: z.string().optional().describe("Author"),
    compare: z.array(z.string()).max(2).optional().describe("Two branches"),
    workingTree: z.boolean().optional().describe("Also uncommitted, and other branches"),
    summary: z.boolean().optional().describe("Counts only"),
    limit: z.int().min(1).max(1000).optional().describe("Commits"),
    cursor: z.string().optional().describe("nextCursor"),
  },
  output: z.object({
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
  }),
  run: async (input, plan) => {
    const { id: name, summary = false, limit = HISTORY_ROWS, cursor, compare } = input;
    if (compare !== undefined) return await compareBranches(plan, compare, name);
    if (input.by !== undefined || input.workingTree === true) {
      return await changesByAuthor(plan, input);
    }
    const entity = name === undefined ? undefined : plan.find(name);
    const removed = name === undefined || entity ? undefined : await removedEvents(plan, name);
    const { id, type, file } = entity ?? removed?.[0] ?? {};
    const { events, warnings: gaps } = await plan.history(entity?.file);
    const warnings = gaps.concat(entity && duplicateNote(plan, entity) || []);
    // Changes of text alone are left out of the plan's history.
    const all = name !== undefined
      ? removed ?? events
      : byDate(events.filter(({ kind }) => kind !== "content"));
    const [newest] = all;
    const inRange = all.filter(await rangeOf(plan, input, newest?.date));
    warnings.push(...await unmergedIn(plan, input));
    const rows = () => {
      if (summary) return eventCounts(inRange);
      if (name === undefined) return commitPage(plan, inRange, limit, cursor);
      return eventPage(inRange, limit, cursor);
    };
    return {
      id,
      type,
      file,
      total: inRange.length,
      ...rows(),
      newest: inRange.length > 0 || newest === undefined ? undefined : {
        date: dayOf(newest.date),
        call: `plan_history ${JSON.stringify({ id, sinceNewest: "14d" })}`,
      },
      warnings: unlessEmpty(warnings),
    };
  },
});
