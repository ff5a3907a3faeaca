/**
 * `plan.history`: what happened to an entity, or to the plan by commit or in numbers.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import { shownPath } from "../../../src/io/paths.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { unknownEntity } from "../failures.ts";
import type { PlanEntity } from "../entity.ts";
import type { HistoryEvent } from "../history_events.ts";
import { existingPlan } from "../place.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { checkValues } from "../queries/values.ts";
import { isHash, parseSince } from "../since.ts";
import { detailArgument, dirArgument, oneOrMore, planCommand, present, READS } from "./command.ts";

/** How many events an answer has by default: of the whole plan, and of one entity. */
const [FEED_EVENTS, ENTITY_EVENTS] = [50, 20];

/** So much of a commit's message is shown. */
const MESSAGE = 100;

const Input = z.strictObject({
  id: z.string().optional().describe("One entity"),
  since: z.string().optional().describe("14d, 2 weeks, a date or a commit"),
  until: z.string().optional(),
  type: oneOrMore(),
  author: z.string().optional(),
  status: z.string().optional().describe("Only what reached it"),
  all: z.boolean().optional().describe("Also mere text changes"),
  summary: z.boolean().optional().describe("Counts only"),
  limit: z.int().min(1).optional(),
  detail: detailArgument(),
  dir: dirArgument(),
});

const Output = z.object({
  total: z.int(),
  commits: z.union([
    z.int(),
    z.array(z.object({
      hash: z.string(),
      date: z.string(),
      author: z.string(),
      message: z.string(),
      changes: z.array(z.object({ id: z.string(), what: z.string() })),
    })),
  ]).optional(),
  created: z.record(z.string(), z.int()).optional(),
  reached: z.record(z.string(), z.record(z.string(), z.int())).optional(),
  events: z.array(z.object({ kind: z.string(), hash: z.string(), date: z.string() })).optional(),
  newest: z.object({ date: z.string(), hash: z.string() }).optional(),
  warnings: z.array(z.string()).optional(),
});

type Asked = z.infer<typeof Input>;

type Answer = z.infer<typeof Output>;

/** Declares `plan.history`. */
export function historyCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "history",
    title: "Plan history",
    description: "What changed, from git, newest first: the whole plan by commit, one entity, or " +
      "a summary.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const { id, summary = false, detail, dir } = input;
      const { cwd, signal } = context;
      const place = { cwd, dir: existingPlan(context, dir) };
      const history = plugin.historyOf(place.dir);
      // Git reads while the files are looked at; what is wrong with the arguments is said first.
      const reading = history.refresh();
      reading.catch(() => {});
      const { entity, types, titleOf } = await subjectOf(input, context, plugin);
      await reading;
      signal.throwIfAborted();
      const events = history.events(entity?.file);
      const warnings = history.warnings(events.length === 0);
      const inRange = await rangeOf(place, input, signal);
      const found = events.filter((event) => inRange(event) && matches(event, input, types));
      const shown = found.slice(0, input.limit ?? (id === undefined ? FEED_EVENTS : ENTITY_EVENTS));
      return {
        ...present({ id, type: entity?.type, file: entity?.file }),
        total: found.length,
        ...(summary
          ? countsOf(found)
          : id !== undefined
          ? { events: shown.map(({ id: _id, type: _type, ...rest }) => rest) }
          : detail === "full"
          ? { events: shown }
          : { commits: commitsOf(shown, titleOf) }),
        ...(found.length > 0 || events[0] === undefined ? {} : { newest: newestOf(events) }),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },
  });
}

/** What is asked about, as far as the plan of today says. */
interface Subject {
  /** The entity whose history it is. */
  readonly entity: PlanEntity | undefined;
  /** The types that events must be of. */
  readonly types: readonly string[] | undefined;
  /** The title of an id; empty where there is none. */
  titleOf(id: string): string;
}

async function subjectOf(
  { id, type, status, dir }: Asked,
  context: McpHandlerContext,
  plugin: PlanPlugin,
): Promise<Subject> {
  if (id !== undefined && type === undefined && status === undefined) {
    // For one entity, one file is looked at.
    const store = plugin.storeOf(context.cwd, existingPlan(context, dir));
    const entity = await store.entity(id, context.signal);
    if (entity !== undefined) return { entity, types: undefined, titleOf: () => "" };
  }
  const plan = await openPlan(context, dir, plugin);
  const entity = id === undefined ? undefined : plan.find(id)?.entity;
  if (id !== undefined && entity === undefined) throw unknownEntity(plan.store, id);
  const types = type === undefined ? undefined : checkValues(plan, "type", type);
  if (status !== undefined) checkValues(plan, "status", status, types);
  return { entity, types, titleOf: (other) => plan.find(other)?.title ?? "" };
}

/** The newest event, for an answer that has none in its range. */
function newestOf(events: readonly HistoryEvent[]): { date: string; hash: string; id?: string } {
  const { date, shortHash, id } = events[0]!;
  return { date: date.slice(0, 10), hash: shortHash, ...(id === undefined ? {} : { id }) };
}

function matches(event: HistoryEvent, asked: Asked, types: readonly string[] | undefined): boolean {
  const { id, all = false, author, status } = asked;
  if (id === undefined && !all && event.kind === "content") return false;
  if (types !== undefined && !types.includes(event.type ?? "")) return false;
  if (author !== undefined && !event.author.toLowerCase().includes(author.toLowerCase())) {
    return false;
  }
  return status === undefined || event.initialAttributes?.["status"] === status ||
    reachedBy(event) === status;
}

/** The status that an event brought its entity to. */
export function reachedBy({ attributeChanges = [] }: HistoryEvent): string | undefined {
  return attributeChanges.find(({ field }) => field === "status")?.to ?? undefined;
}

/** Whether events are in the range that is asked for: of time, or of commits as git orders them. */
export async function rangeOf(
  plan: Pick<PlanView, "cwd" | "dir">,
  { since, until }: Pick<Asked, "since" | "until">,
  signal: AbortSignal,
): Promise<(event: HistoryEvent) => boolean> {
  const now = new Date();
  const tests: ((event: HistoryEvent) => boolean)[] = [];
  if (since !== undefined && isHash(since)) {
    const after = await commitsIn(plan, `${since.trim()}..HEAD`, "since", since, signal);
    tests.push(({ hash }) => after.has(hash));
  } else if (since !== undefined) {
    const from = parseSince(since, now);
    tests.push(({ date }) => Date.parse(date) >= from);
  }
  if (until !== undefined && isHash(until)) {
    const before = await commitsIn(plan, until.trim(), "until", until, signal);
    tests.push(({ hash }) => before.has(hash));
  } else if (until !== undefined) {
    const to = parseSince(until, now, "until");
    tests.push(({ date }) => Date.parse(date) <= to);
  }
  return (event) => tests.every((test) => test(event));
}

/** The commits of a range that touch the plan. */
async function commitsIn(
  { cwd, dir }: Pick<PlanView, "cwd" | "dir">,
  range: string,
  name: string,
  given: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  const args = ["log", "--format=%H", range, "--", shownPath(cwd, dir)];
  const { code, stdout } = await runGit(args, { cwd, signal });
  if (code === 0) return new Set(new TextDecoder().decode(stdout).split("\n"));
  throw new RefraktError("INVALID_ARGS", `"${name}": no such commit: ${given.slice(0, 80)}`, {
    hint: "Give a commit of this repository, a span such as 14d or 2 weeks, or a date.",
  });
}

/** How many commits there were, what was created, and what reached which status, by type. */
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

/** Events by their commits; a title is said once. */
function commitsOf(events: readonly HistoryEvent[], titleOf: Subject["titleOf"]) {
  const titled = new Set<string>();
  return [...Map.groupBy(events, ({ hash }) => hash).values()].map((together) => {
    const { shortHash, date, author, message } = together[0]!;
    return {
      hash: shortHash,
      date: date.slice(0, 10),
      author,
      message: message.length > MESSAGE ? `${message.slice(0, MESSAGE)}…` : message,
      changes: together.map((event) => {
        const id = event.id ?? event.file ?? "";
        const title = titled.has(id) ? "" : titleOf(id);
        titled.add(id);
        return { id, ...(title === "" ? {} : { title }), what: whatOf(event) };
      }),
    };
  });
}

/** An event in a few words. */
export function whatOf(event: HistoryEvent): string {
  const parts: string[] = [];
  if (event.kind === "created") {
    const status = event.initialAttributes?.["status"];
    parts.push(status === undefined ? "created" : `created (${status})`);
  }
  for (const { field, from, to } of event.attributeChanges ?? []) {
    parts.push(`${field === "status" ? "" : `${field} `}${from || "-"} → ${to || "-"}`);
  }
  const byAction = Map.groupBy(event.criteriaChanges ?? [], ({ action }) => action);
  for (const [action, criteria] of byAction) parts.push(`${criteria.length} criteria ${action}`);
  if (event.kind === "resolution") parts.push("resolution");
  if (event.renamedFrom !== undefined) parts.push(`renamed from ${event.renamedFrom}`);
  return parts.length === 0 ? "text" : parts.join(", ");
}
