/**
 * A tool is an object that says what it is, what it takes and what it does.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import {
  defineSchema,
  type JsonSchema,
  type Schema,
  type SchemaSource,
  type ZodSchema,
} from "./schema.ts";

/** Hints for clients about what a tool does to the world. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** It may destroy something. */
  readonly destructiveHint?: boolean;
  /** Calling it twice with the same arguments changes nothing more. */
  readonly idempotentHint?: boolean;
  /** It reaches beyond the project. */
  readonly openWorldHint?: boolean;
}

/** What a project must have before a tool or resource is listed. */
export type Need = "plan" | "site" | "ralph";

/** A tool as the registry keeps it. */
export interface Tool {
  /** The canonical name: dotted (`plan.next-id`), or as the seed has it (`ralph_start`). */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** What it takes. */
  readonly input: Schema;
  /** What every success returns, as JSON Schema, where that is promised. */
  readonly output: JsonSchema | undefined;
  /** What it does to the world. */
  readonly annotations: ToolAnnotations;
  /** Listed only where the project has all of these; called elsewhere it fails with a coded error. */
  readonly needs: readonly Need[];
  /** Needs that decide listing alone: called without them, the tool runs all the same. */
  readonly listedWith: readonly Need[];
  /** Does the work on checked input. */
  run(input: Record<string, unknown>, context: CallContext): unknown;
}

/** What {@linkcode defineTool} takes; `Input` is inferred from a Zod schema. */
export interface ToolDefinition<Source extends SchemaSource> {
  /** See {@linkcode Tool.name}. */
  readonly name: string;
  /** See {@linkcode Tool.title}. */
  readonly title: string;
  /** See {@linkcode Tool.description}. */
  readonly description: string;
  /** A Zod object, or a JSON Schema. */
  readonly input: Source;
  /** The shape of every success, where it is promised. */
  readonly output?: SchemaSource;
  /** See {@linkcode Tool.annotations}. */
  readonly annotations?: ToolAnnotations;
  /** See {@linkcode Tool.needs}. */
  readonly needs?: readonly Need[];
  /** See {@linkcode Tool.listedWith}. */
  readonly listedWith?: readonly Need[];
  /**
   * Does the work. Returns plain data (an object becomes the structured content,
   * an array is wrapped as `items`, a string is text), or a text with data.
   *
   * @throws {RefraktError} For everything that the caller can mend.
   */
  run(input: InputOf<Source>, context: CallContext): unknown;
}

/** The type of a tool's checked input. */
export type InputOf<Source extends SchemaSource> = Source extends ZodSchema<infer Output> ? Output
  : Record<string, unknown>;

/**
 * Declares a tool.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { defineTool } from "./tool.ts";
 *
 * const greet = defineTool({
 *   name: "demo.greet",
 *   title: "Greet",
 *   description: "Says hello.",
 *   input: z.strictObject({ name: z.string() }),
 *   annotations: { readOnlyHint: true },
 *   run: ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 * console.assert(greet.name === "demo.greet");
 * ```
 */
export function defineTool<Source extends SchemaSource>(definition: ToolDefinition<Source>): Tool {
  const output = definition.output === undefined ? undefined : defineSchema(definition.output);
  return {
    name: definition.name,
    title: definition.title,
    description: definition.description,
    input: defineSchema(definition.input),
    get output() {
      return output?.json;
    },
    annotations: definition.annotations ?? {},
    needs: definition.needs ?? [],
    listedWith: definition.listedWith ?? [],
    run: definition.run as Tool["run"],
  };
}
