/**
 * `plan.review`: where the plan and what really happened have drifted apart.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { readMessages } from "../commit_messages.ts";
import { type Item, listed, openPlan, type PlanView } from "../queries/access.ts";
import { pageOf } from "../queries/select.ts";
import { findDrift, type Finding, KINDS, type Reviewed } from "../queries/review.ts";
import { checkValues } from "../queries/values.ts";
import { parseTime } from "./history.ts";
import { inSlices } from "../store/slices.ts";
import { dirArgument, planCommand, present, READS } from "./command.ts";

/** How many findings an answer has. */
const FINDINGS = 12;
/** How long is long. */
const IDLE = "30d";

/** What cannot be found without git. */
const NEED_GIT = "reverted, merged-pr and idle were not checked";

const Input = z.strictObject({
  milestone: z.string().optional(),
  since: z.string().optional().describe("What drifted since then: 14d, a date or a commit"),
  idle: z.string().optional().describe(`Without a commit for so long; default ${IDLE}`),
  kind: z.enum(KINDS).optional(),
  cursor: z.string().optional(),
  dir: dirArgument(),
});

const Output = z.object({
  total: z.int(),
  counts: z.record(z.string(), z.int()),
  findings: z.array(z.object({
    kind: z.enum(KINDS),
    id: z.string(),
    text: z.string(),
    evidence: z.array(z.string()),
    fix: z.object({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      when: z.string().optional(),
    }),
  })),
  examined: z.object({
    entities: z.int(),
    commits: z.int(),
    git: z.boolean(),
    since: z.string().optional(),
    idle: z.string(),
    notChecked: z.array(z.string()).optional(),
  }),
  nextCursor: z.string().optional(),
});

/** Declares `plan.review`. */
export function reviewCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "review",
    title: "Review the plan",
    description: "Finds drift between the plan and git: done without proof, idle, reverted or " +
      "merged work, specs that are done, blocks that are gone. Each finding with its correction.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async (input, context): Promise<z.infer<typeof Output>> => {
      const { milestone, since, idle = IDLE, kind, cursor, dir } = input;
      const plan = await openPlan(context, dir, plugin);
      if (milestone !== undefined) checkValues(plan, "milestone", milestone);
      const idleSince = parseTime(idle, "idle");
      const from = since === undefined ? -Infinity : await timeOf(plan, since, context.signal);
      const scope = milestone === undefined ? plan.items : itemsOf(plan, milestone);
      const { notChecked, ...read } = await readGit(plan, plugin, idleSince, context.signal);
      const reviewed = { plan, scope, idleSince, dir, ...read };
      const all = (await inSlices(findDrift(reviewed))).filter(({ at }) => !(at < from));
      const found = kind === undefined ? all : all.filter((one) => one.kind === kind);
      const { items, nextCursor } = pageOf(found, FINDINGS, cursor);
      const counts = Map.groupBy(all, (one) => one.kind);
      return {
        total: found.length,
        counts: Object.fromEntries([...counts].map(([name, { length }]) => [name, length])),
        findings: items.map(({ at: _at, ...finding }: Finding) => finding),
        examined: {
          entities: scope.length,
          commits: read.messages?.count ?? 0,
          git: read.messages !== undefined,
          ...(since === undefined ? {} : { since: new Date(from).toISOString() }),
          idle,
          ...(notChecked.length === 0 ? {} : { notChecked }),
        },
        ...present({ nextCursor }),
      };
    },
  });
}

/** The items of a milestone, and the specs that they come from. */
function itemsOf(plan: PlanView, milestone: string): Item[] {
  const items = plan.items.filter(({ entity }) => entity.attributes["milestone"] === milestone);
  const sources = new Set(items.flatMap((item) => listed(item, "source")));
  return plan.items.filter((item) => items.includes(item) || sources.has(item.id));
}

/** Reads what git says; where it says nothing, what was not checked for that reason. */
async function readGit(
  plan: PlanView,
  plugin: PlanPlugin,
  idleSince: number,
  signal: AbortSignal,
): Promise<Pick<Reviewed, "eventsOf" | "messages" | "repositories"> & { notChecked: string[] }> {
  try {
    const { events, warnings } = await plugin.historyOf(plan.dir).read(signal);
    const ids = new Set(plan.items.map(({ id }) => id.toUpperCase()));
    const [messages, repositories] = await Promise.all([
      readMessages(plan.dir, ids),
      readRepositories(plan.dir),
    ]);
    signal.throwIfAborted();
    const byFile = Map.groupBy(events, ({ file }) => file);
    const eventsOf = ({ entity }: Item) => byFile.get(entity.file) ?? [];
    const notChecked = [...warnings];
    if (messages.from > -Infinity) {
      const kinds = `${messages.from > idleSince ? "idle, " : ""}reverted, merged-pr`;
      const day = new Date(messages.from).toISOString().slice(0, 10);
      notChecked.push(`${kinds}: commits before ${day} were not read`);
    }
    return { messages, repositories, eventsOf, notChecked };
  } catch (error) {
    if (!(error instanceof RefraktError) || signal.aborted) throw error;
    const notChecked = [`${error.message}: ${NEED_GIT}`];
    return { messages: undefined, repositories: [], eventsOf: undefined, notChecked };
  }
}

/** The remote repositories as `owner/name`, as far as their addresses are those of a host. */
async function readRepositories(cwd: string): Promise<string[]> {
  const args = ["config", "--get-regexp", "^remote\\..*\\.url$"];
  const { stdout } = await runGit(args, { cwd });
  const lines = new TextDecoder().decode(stdout).split("\n").filter(({ length }) => length < 300);
  return lines.flatMap((line) =>
    /(?:@|:\/\/[^/\s]+[/:]).*?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(line)?.[1]?.toLowerCase() ??
      []
  );
}

/** When something was: a span, a date, or the date of a commit. */
async function timeOf({ dir }: PlanView, since: string, signal: AbortSignal): Promise<number> {
  if (!/^[0-9a-f]{7,64}$/i.test(since.trim())) return parseTime(since, "since");
  const args = ["log", "-1", "--format=%aI", "--end-of-options", since.trim(), "--"];
  const { code, stdout } = await runGit(args, { cwd: dir, signal });
  if (code === 0) return Date.parse(new TextDecoder().decode(stdout).trim());
  throw new RefraktError("INVALID_ARGS", `"since": no such commit: ${since.slice(0, 80)}`, {
    hint: "Give a commit of this repository, a span such as 14d or 2 weeks, or a date.",
  });
}
