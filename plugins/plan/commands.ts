/**
 * The plan's commands: what people read about them, what they do to the world,
 * and where the plugin's own handler needs help.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../src/surface/plugin.ts";
import type { JsonSchema } from "../../src/surface/schema.ts";
import { createEntity } from "./create.ts";
import { planFailure } from "./failures.ts";
import { planHistory } from "./history.ts";
import { initPlan } from "./init.ts";
import { keepingLineEnds } from "./line_ends.ts";
import { withPlanLock } from "./lock.ts";
import { existingPlan, planPlace } from "./place.ts";
import { entityId, scanPlan } from "./scanner.ts";
import { updateEntity } from "./update.ts";

/** The plugin's own handler. */
export type Original = NonNullable<CliPluginCommand["mcpHandler"]>;

/** What is ours of one command. */
export interface PlanCommand
  extends Pick<CliPluginCommand, "title" | "annotations" | "description"> {
  /** Changes the plugin's schema, already widened. */
  readonly inputSchema?: (schema: JsonSchema) => JsonSchema;
  /** Runs it. */
  run(
    input: Record<string, unknown>,
    context: McpHandlerContext,
    original: Original,
  ): unknown;
}

const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** The commands by name. */
export const COMMANDS: Readonly<Record<string, PlanCommand>> = {
  next: {
    title: "Next work item",
    description: "Finds the highest-priority ready work items and bugs whose dependencies are " +
      "done, with their criteria and references. Start here to pick up work.",
    annotations: READS,
    run: withPlan("next"),
  },
  status: {
    title: "Plan status",
    description: "Summarises the plan: counts by status, the active milestone's progress, what " +
      "is ready, blocked and done lately, and warnings.",
    annotations: READS,
    run: async (input, context, original) => {
      const run = withPlan("status");
      requireMilestone(input, context);
      return await run(input, context, original);
    },
  },
  validate: {
    title: "Validate the plan",
    description: "Checks the plan's structure and references. Problems are data (issues, counts, " +
      "exitCode), not an error of the call; strict makes errors of warnings.",
    annotations: READS,
    run: withPlan("validate"),
  },
  "next-id": {
    title: "Next free id",
    description: "Says which id the next spec, work item, bug or decision gets.",
    annotations: READS,
    run: withPlan("next-id"),
  },
  update: {
    title: "Update an entity",
    description: "Changes an entity by its id: status, priority and other attributes, ticks or " +
      "unticks one criterion (check, uncheck: a part of its text), records a resolution. All or " +
      "nothing.",
    annotations: { ...WRITES, idempotentHint: false },
    inputSchema: (schema) =>
      withDescription(schema, "attrs", "Other attributes to set; the named fields win."),
    run: locked(updateEntity),
  },
  create: {
    title: "Create an entity",
    description:
      "Scaffolds a spec, work item, bug, decision or milestone from its template, with " +
      "the next free id. A milestone needs its name as id, such as v1.2.0.",
    annotations: { ...WRITES, idempotentHint: false },
    run: locked(createEntity),
  },
  init: {
    title: "Initialise the plan",
    description: "Scaffolds the plan's folder; an established plan keeps what it has. It writes " +
      "only there, unless agent is given or one of the no… options is false.",
    annotations: { ...WRITES, idempotentHint: true },
    run: locked(initPlan),
  },
  history: {
    title: "Plan history",
    description: "Tells from git what changed: of one entity (id), or of the whole plan, newest " +
      "first, with attribute and criteria changes.",
    annotations: READS,
    inputSchema: (schema) => ({
      ...schema,
      properties: {
        ...(schema["properties"] as Record<string, JsonSchema>),
        status: { type: "string", description: "Only changes to this status." },
        all: {
          type: "boolean",
          description: "Also changes of the text alone, in the history of the whole plan.",
        },
      },
    }),
    run: (input, context) => planHistory(input, context),
  },
  migrate: {
    title: "Migrate the plan",
    description: "Brings the plan's files to newer conventions, such as ids in file names. " +
      "Without apply it only says what it would do.",
    annotations: { ...WRITES, destructiveHint: true },
    run: locked(withPlan("migrate")),
  },
};

/** Runs the plugin's handler on the plan's directory, and makes coded errors of its own. */
function withPlan(command: string): PlanCommand["run"] {
  return async (input, context, original) => {
    const dir = existingPlan(context.cwd, input["dir"]);
    try {
      return await keepingLineEnds(() => original({ ...input, dir }, context));
    } catch (error) {
      throw planFailure(command, error, { cwd: context.cwd, dir });
    }
  };
}

/** Keeps other writers out while a command that writes runs. */
function locked(run: PlanCommand["run"]): PlanCommand["run"] {
  return (input, context, original) => {
    const dir = planPlace(context.cwd, input["dir"]);
    return withPlanLock(dir, context.signal, () => run({ ...input, dir }, context, original));
  };
}

/** A milestone that does not exist would be left out of the answer without a word. */
function requireMilestone(input: Record<string, unknown>, context: McpHandlerContext): void {
  const { milestone } = input;
  if (typeof milestone !== "string") return;
  const names = scanPlan(context.cwd, existingPlan(context.cwd, input["dir"]))
    .filter((entity) => entity.type === "milestone")
    .map((entity) => entityId(entity) ?? "");
  if (names.includes(milestone)) return;
  throw new RefraktError("NOT_FOUND", `No milestone "${milestone}"`, {
    hint: `${didYouMean(milestone, names)} The milestones are ${
      names.slice(-20).join(", ") || "none yet"
    }.`.trim(),
  });
}

function withDescription(schema: JsonSchema, name: string, description: string): JsonSchema {
  const properties = schema["properties"] as Record<string, JsonSchema> | undefined;
  const property = properties?.[name];
  if (property === undefined) return schema;
  return { ...schema, properties: { ...properties, [name]: { ...property, description } } };
}
