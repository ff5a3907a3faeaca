/**
 * The plan's commands: what people read about them, what they do to the world,
 * and where the plugin's own handler needs help.
 *
 * @module
 */

import type { CliPluginCommand, McpHandlerContext } from "../../src/tools/plugin.ts";
import type { JsonSchema } from "../../src/tools/schema.ts";
import type { LoadedPlan } from "./load.ts";
import { refuseProblems } from "./store/conflict_errors.ts";
import { withPluginWrites } from "./store/plugin_writes.ts";
import { planFailure } from "./failures.ts";
import { withPlanLock } from "./lock.ts";
import { refusePluginGit, renameWithGit } from "./tools/migrate_git.ts";
import { refuseUndone } from "./tools/migrate_undone.ts";
import { existingPlan, planPlace } from "./place.ts";

/** The plugin's own handler, of which the caller says what it answers. */
export type Original<Answer> = (
  input: Readonly<Record<string, unknown>>,
  context: McpHandlerContext,
) => Answer | Promise<Answer>;

/** A loaded version of the plugin, with its handlers. */
export interface PlanPlugin extends LoadedPlan {
  /** The plugin's own handler of a command. */
  original<Answer>(command: string): Original<Answer>;
  /** What its update takes by name, beside `attrs`. */
  readonly updateFields: ReadonlySet<string>;
}

/** What the commands take; the plugin's own schema says what its version accepts of it. */
export interface CommandInput {
  /** The plan's directory. */
  readonly dir?: string;
  /** Whether a migration writes. */
  readonly apply?: boolean;
  /** Whether a migration tells git what it renames. */
  readonly useGit?: boolean;
  readonly [option: string]: unknown;
}

/** What this server says of one command of the plugin, and how it runs it. */
export interface PlanCommand
  extends Pick<CliPluginCommand, "title" | "annotations" | "description" | "outputSchema"> {
  /** Its input, as it is listed. */
  readonly inputSchema: JsonSchema;
  /** Runs it. */
  run(
    input: CommandInput,
    context: McpHandlerContext,
    plugin: PlanPlugin,
  ): unknown;
}

const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** The commands by name. */
export const COMMANDS: Readonly<Record<string, PlanCommand>> = {
  "next-id": {
    title: "Next free id",
    description: "Says which id the next spec, work item, bug or decision gets.",
    annotations: READS,
    outputSchema: {
      type: "object",
      properties: { nextId: { type: "string" } },
      required: ["nextId"],
    },
    inputSchema: {
      type: "object",
      properties: {
        type: { type: "string", description: "spec, work, bug or decision" },
        dir: { type: "string" },
      },
      required: ["type"],
      additionalProperties: false,
    },
    run: withPlan("next-id"),
  },
  migrate: {
    title: "Migrate the plan",
    description: "Brings the plan's files to newer conventions, such as ids in file names. " +
      "Without apply it only says what it would do.",
    annotations: { ...WRITES, destructiveHint: true },
    outputSchema: {
      type: "object",
      properties: { mode: { type: "string" }, exitCode: { type: "integer" } },
    },
    inputSchema: {
      type: "object",
      properties: {
        subcommand: { type: "string", enum: ["filenames", "pr-attrs", "dependencies"] },
        apply: { type: "boolean" },
        useGit: { type: "boolean" },
        dir: { type: "string" },
      },
      required: ["subcommand"],
      additionalProperties: false,
    },
    run: locked(withPlan("migrate")),
  },
};

/** Runs the plugin's handler on the store's entities, and makes coded errors of its own. */
function withPlan(command: string): PlanCommand["run"] {
  return async (input, context, plugin) => {
    const dir = existingPlan(context, input.dir);
    const store = plugin.storeOf(context.cwd, dir);
    const withGit = input.apply === true && input.useGit === true;
    const given = { ...input, dir, ...(withGit ? { apply: false, useGit: false } : {}) };
    const run = () =>
      plugin.withScan(
        () => command === "next-id" ? store.numbered() : store.known(),
        () => plugin.original(command)(given, context),
      );
    try {
      if (command === "migrate") refusePluginGit(input["subcommand"], withGit);
      await store.readDocuments(context.signal);
      if (command !== "migrate") return await run();
      if (input.apply === true) refuseProblems(await store.problems(context.signal));
      const ran = await withPluginWrites({ root: context.cwd }, run);
      const answer = withGit ? await renameWithGit(dir, ran, context.signal) : ran;
      refuseUndone({ root: context.cwd, dir }, answer);
      return answer;
    } catch (error) {
      throw planFailure(command, error, store);
    }
  };
}

/** Keeps other writers out while a command that writes runs. */
function locked(run: PlanCommand["run"]): PlanCommand["run"] {
  return (input, context, plugin) => {
    const dir = planPlace(context, input.dir);
    return withPlanLock(dir, context.signal, () => run({ ...input, dir }, context, plugin));
  };
}
