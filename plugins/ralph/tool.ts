/**
 * How the tools of the workflow are declared, and how they answer.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../src/tools/plugin.ts";
import { type TextResult, withText } from "../../src/tools/result.ts";
import type { ZodSchema } from "../../src/tools/schema.ts";
import { translated } from "./failures.ts";
import { shownName } from "./names.ts";
import type { Step } from "./next.ts";
import type { Spec } from "./specs.ts";

/** The kind of a field of an answer; one with `?` may be `null`. */
export type FieldKind =
  | "string"
  | "boolean"
  | "integer"
  | "array"
  | "object"
  | "string?"
  | "object?";

/** What a tool of the workflow is declared with. */
export interface RalphTool<Input extends z.ZodType> {
  /** Its name without `ralph_`. */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it does, for the model. */
  readonly description: string;
  /** Whether it changes nothing, or may destroy something. */
  readonly effect?: "reads" | "destroys";
  /** What it takes. */
  readonly input: Input;
  /**
   * The fields of its answer, beside those that every answer has.
   */
  readonly output: Readonly<Record<string, FieldKind>>;
  /** Whether its text says more than its data, so that a client without text needs both. */
  readonly instructs?: boolean;
  /** Does the work. */
  run(input: z.output<Input>, context: McpHandlerContext): Answer | Promise<Answer>;
}

/** The spec that a call is about. */
export const specName: z.ZodOptional<z.ZodString> = z.string().optional();

/** How documents are given to the model. */
export const contextMode: z.ZodOptional<z.ZodEnum<{ inline: "inline"; paths: "paths" }>> = z
  .enum(["inline", "paths"]).optional();

/** Declares a tool of the workflow. */
export function ralphTool<Input extends z.ZodType>(tool: RalphTool<Input>): CliPluginCommand {
  return {
    name: tool.name,
    toolName: `ralph_${tool.name}`,
    title: tool.title,
    description: tool.description,
    annotations: tool.effect === "reads"
      ? { readOnlyHint: true, openWorldHint: false }
      : { destructiveHint: tool.effect === "destroys", openWorldHint: false },
    inputSchema: tool.input,
    outputSchema: resultSchema({
      ...tool.output,
      [tool.instructs ? "instructions" : "todo"]: "string",
      warnings: "array",
    }),
    mcpHandler: async (input: z.output<Input>, context) => {
      try {
        return laidOut(await tool.run(input, context), tool.instructs === true);
      } catch (error) {
        throw translated(context.cwd, error) ?? error;
      }
    },
  };
}

const KINDS: Readonly<Record<FieldKind, z.ZodType>> = {
  string: z.string(),
  boolean: z.boolean(),
  integer: z.int(),
  array: z.array(z.unknown()),
  object: z.looseObject({}),
  "string?": z.string().nullable(),
  "object?": z.looseObject({}).nullable(),
};

function resultSchema(fields: Readonly<Record<string, FieldKind>>): ZodSchema {
  const types = Object.entries(fields).map(([name, kind]) => [name, KINDS[kind].optional()]);
  return z.object({
    spec_name: z.string().optional(),
    ...Object.fromEntries(types),
    next: z.string(),
  });
}

/** An answer before it is laid out. */
export interface Answer {
  /** The spec that the answer is about: several can be worked on side by side. */
  readonly spec?: Spec;
  /** What happened, in a sentence without a final period. */
  readonly message?: string;
  /** Facts, each on a line of its own. */
  readonly facts?: readonly string[];
  /** Instructions to follow, or a table. */
  readonly body?: string;
  /** What is next. */
  readonly step: Step;
  /** What is odd but not fatal. */
  readonly warnings?: readonly string[];
  /** The fields of the tool's own. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Lays an answer out as text and as data. */
function laidOut(answer: Answer, instructs: boolean): TextResult {
  const { spec, message, facts = [], body, step, warnings = [] } = answer;
  const { next, todo } = step;
  const about = spec === undefined ? undefined : `Spec: ${shownName(spec.name)}`;
  const lines = [
    ...(about === undefined || message === undefined ? [] : [`- ${about}`]),
    ...facts.map((fact) => `- ${fact}`),
    ...warnings.map((warning) => `- Note: ${warning}`),
  ];
  const parts = [
    ...(about === undefined || message !== undefined ? [] : [about]),
    ...(message === undefined ? [] : [`${message}.`]),
    ...(body !== undefined && message === undefined ? [body] : []),
    ...(lines.length > 0 ? [lines.join("\n")] : []),
    ...(body !== undefined && message !== undefined ? [body] : []),
    `Next: ${todo}.`,
  ];
  return withText(
    parts.join("\n\n"),
    {
      ...(spec === undefined ? {} : { spec_name: spec.name }),
      ...answer.data,
      next,
      ...(instructs ? {} : { todo }),
      warnings: [...warnings],
    },
    instructs ? "instructions" : undefined,
  );
}
