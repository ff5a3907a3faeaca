/** `plan.history`: the events of an entity, or of the plan by commit or in numbers. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { unknownEntity } from "../store/failures.ts";
import {
  describeEvent,
  type HistoryEvent,
  historyEvent,
  reachedBy,
  statusChange,
} from "../git/events.ts";
import { openPlan, type PlanView, present } from "../queries/access.ts";
import { checkValues } from "../queries/values.ts";
import { LISTED } from "../upstream/vocabulary.ts";
import { detailArgument, dirArgument, oneOrMore, READS } from "./fields.ts";
import { planTool } from "./plan_tool.ts";

/** The default number of commits, of events of one entity, and of events in full. */
const [COMMITS, ENTITY_EVENTS, FULL_EVENTS] = [20, 20, 50];

/** The most changes that all commits list together, and the least that each lists. */
const [CHANGES, COMMIT_CHANGES] = [50, 5];

/** How many characters of a commit message are shown. */
const MESSAGE = 100;

const Input = z.strictObject({
  id: z.string().optional().describe("One entity"),
  since: z.string().optional().describe("14d, 2 weeks, a date or a commit"),
  until: z.string().optional(),
  type: oneOrMore(ENTITY_TYPES),
  author: z.string().optional(),
  status: oneOrMore(LISTED.status).describe("Status after"),
  from: oneOrMore().describe("Status before"),
  all: z.boolean().optional().describe("Include text changes"),
  summary: z.boolean().optional().describe("Counts only"),
  limit: z.int().min(1).optional().describe("Commits"),
  detail: detailArgument(),
  dir: dirArgument(),
});

const Output = z.object({
  id: z.string().optional(),
  type: z.string().optional(),
  file: z.string().optional(),
  total: z.int(),
  totalCommits: z.int().optional(),
  commits: z.union([
    z.int(),
    z.array(z.object({
      hash: z.string(),
      date: z.string(),
      author: z.string(),
      message: z.string(),
      changes: z.array(z.object({
        id: z.string(),
        title: z.string().optional(),
        what: z.string(),
      })),
      totalChanges: z.int().optional(),
    })),
  ]).optional(),
  created: z.record(z.string(), z.int()).optional(),
  reached: z.record(z.string(), z.record(z.string(), z.int())).optional(),
  events: z.array(historyEvent).optional(),
  newest: z.object({ date: z.string(), hash: z.string(), id: z.string().optional() }).optional(),
  warnings: z.array(z.string()).optional(),
});

type Query = z.infer<typeof Input>;

type Answer = z.infer<typeof Output>;

export function historyTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.history",
    title: "Show the plan's history",
    description: "What changed, from git, newest first: the whole plan by commit, one entity, or " +
      "a summary.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const { id, summary = false, detail, limit } = input;
      const { signal } = context;
      const plan = await openPlan(context, input.dir, plugin);
      const entity = id === undefined ? undefined : plan.find(id)?.entity;
      if (id !== undefined && entity === undefined) throw unknownEntity(plan.store, id);
      const isWanted = matcher(plan, input);
      const history = plugin.historyOf(plan.dir);
      const { events, warnings } = await history.read(signal, entity?.file);
      const [newest] = events;
      const inRange = await rangeOf(plan, input, signal);
      const found = events.filter((event) => inRange(event) && isWanted(event));
      return {
        ...(entity === undefined ? {} : { id: id!, type: entity.type, file: entity.file }),
        total: found.length,
        ...(summary ? countsOf(found) : id !== undefined
          ? {
            events: found.slice(0, limit ?? ENTITY_EVENTS)
              .map(({ id: _id, type: _type, ...rest }) => rest),
          }
          : detail === "full"
          ? { events: found.slice(0, limit ?? FULL_EVENTS) }
          : commitsOf(plan, found, limit ?? COMMITS)),
        ...(found.length > 0 || newest === undefined ? {} : {
          newest: {
            date: newest.date.slice(0, 10),
            hash: newest.shortHash,
            ...present({ id: newest.id }),
          },
        }),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },
  });
}

function matcher(plan: PlanView, query: Query): (event: HistoryEvent) => boolean {
  const { id, all = false, author } = query;
  const types = query.type === undefined ? undefined : checkValues(plan, "type", query.type);
  const valuesOf = (given: Query["status"]) =>
    given === undefined ? undefined : checkValues(plan, "status", given, types);
  const [reached, left] = [valuesOf(query.status), valuesOf(query.from)];
  return (event) => {
    if (id === undefined && !all && event.kind === "content") return false;
    if (types !== undefined && !types.includes(event.type ?? "")) return false;
    if (author !== undefined && !event.author.toLowerCase().includes(author.toLowerCase())) {
      return false;
    }
    if (left !== undefined && !left.includes(statusChange(event)?.from ?? "")) return false;
    const status = reachedBy(event) ?? event.initialAttributes?.["status"] ?? "";
    return reached === undefined || reached.includes(status);
  };
}

/** Returns a test for a range of time, or of commits in git's order. */
export async function rangeOf(
  { dir }: Pick<PlanView, "dir">,
  { since, until }: Pick<Query, "since" | "until">,
  signal: AbortSignal,
): Promise<(event: HistoryEvent) => boolean> {
  const tests: ((event: HistoryEvent) => boolean)[] = [];
  for (const [name, given] of Object.entries({ since, until })) {
    if (given === undefined) continue;
    if (/^[0-9a-f]{7,64}$/i.test(given.trim())) {
      const range = name === "since" ? `${given.trim()}..HEAD` : given.trim();
      const args = ["log", "--format=%H", range, "--", "."];
      const { code, stdout } = await runGit(args, { cwd: dir, signal });
      if (code !== 0) {
        throw new RefraktError("INVALID_ARGS", `"${name}": no such commit: ${given}`, {
          hint: "Pass a commit of this repository, a span such as 14d or 2 weeks, or a date.",
        });
      }
      const hashes = new Set(new TextDecoder().decode(stdout).split("\n"));
      tests.push(({ hash }) => hashes.has(hash));
    } else {
      const time = parseTime(given, name);
      tests.push(({ date }) =>
        name === "since" ? Date.parse(date) >= time : Date.parse(date) <= time
      );
    }
  }
  return (event) => tests.every((test) => test(event));
}

/** Counts commits, created entities, and reached statuses by type. */
function countsOf(
  events: readonly HistoryEvent[],
): Pick<Required<Answer>, "commits" | "created" | "reached"> {
  const created: Record<string, number> = {};
  const reached: Record<string, Record<string, number>> = {};
  for (const event of events) {
    const type = event.type ?? "other";
    if (event.kind === "created") created[type] = (created[type] ?? 0) + 1;
    const status = reachedBy(event);
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
): Pick<Answer, "commits" | "totalCommits"> {
  const all = [...Map.groupBy(events, ({ hash }) => hash).values()];
  const most = Math.max(COMMIT_CHANGES, Math.floor(CHANGES / Math.min(limit, all.length)));
  const titled = new Set<string>();
  const commits = all.slice(0, limit).map((together) => {
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
        return { id, ...present({ title }), what: describeEvent(event) };
      }),
      ...(changes.length > most ? { totalChanges: changes.length } : {}),
    };
  });
  return { commits, ...(all.length > limit ? { totalCommits: all.length } : {}) };
}

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Parses a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param name The argument; for `until`, a date means the end of the day.
 * @returns Milliseconds since 1970.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseTime(text: string, name: string, now = new Date()): number {
  const given = text.trim().toLowerCase();
  const [, count, unit] = SPAN.exec(given) ?? [];
  if (unit !== undefined) return before(now, Number(count), unit[0]!);
  const day = given === "today" || given === "yesterday"
    ? new Date(before(now, given === "today" ? 0 : 1, "d")).toISOString().slice(0, 10)
    : given;
  const parsed = DATE.test(day) ? Date.parse(day.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (!Number.isNaN(parsed)) {
    return name === "until" && day.length === 10 ? parsed + DAY_MS - 1 : parsed;
  }
  throw new RefraktError(
    "INVALID_ARGS",
    `"${name}": not a time: ${JSON.stringify(text.slice(0, 80))}`,
    {
      hint: "Pass a span such as 14d, 2 weeks or 3m, a date such as 2026-01-31, or a commit.",
    },
  );
}

function before(now: Date, count: number, unit: string): number {
  const then = new Date(now);
  if (unit === "d") then.setUTCDate(then.getUTCDate() - count);
  else if (unit === "w") then.setUTCDate(then.getUTCDate() - 7 * count);
  else if (unit === "m") then.setUTCMonth(then.getUTCMonth() - count);
  else then.setUTCFullYear(then.getUTCFullYear() - count);
  return then.getTime();
}
