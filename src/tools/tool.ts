/**
 * A tool is an object that says what it is, what it takes and what it does.
 *
 * @module
 */

import type { Icon, Meta } from "./content.ts";
import type { CallContext } from "./context.ts";
import {
  defineSchema,
  type JsonSchema,
  outputSchema,
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
export type Requirement = "plan" | "site" | "ralph";

/** A tool as the registry keeps it. */
export interface Tool {
  /** The canonical name: dotted (`plan.next-id`), or that of a bundled plugin (`ralph_start`). */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** What it takes. */
  readonly input: Schema;
  /** What every success returns, as JSON Schema, where that is promised. */
  readonly output: JsonSchema | undefined;
  /** Why its output schema is not listed, where that is broken. */
  readonly outputProblem: string | undefined;
  /** What it does to the world. */
  readonly annotations: ToolAnnotations;
  /** Whether it writes files; by default what does not call itself read-only does. */
  readonly writes?: boolean;
  /** Listed only where the project has all of these; called elsewhere it fails with a coded error. */
  readonly requires: readonly Requirement[];
  /** Needs that decide listing alone: called without them, the tool runs all the same. */
  readonly listedWith: readonly Requirement[];
  /** Listed only where the project has none of these, such as the tool that makes what is missing. */
  readonly listedWithout: readonly Requirement[];
  /** Listed only to clients that show views; others have an equivalent tool or do not need it. */
  readonly forViews?: boolean;
  /**
   * Callable but not listed, because models do not need it. With `_meta.ui` it is listed to clients
   * that show views.
   */
  readonly unlisted?: boolean;
  /** Pictures for clients that show some. */
  readonly icons?: readonly Icon[];
  /** Passed to clients as it is. */
  readonly _meta?: Meta;
  /** Does the work on checked input. */
  run(input: Record<string, unknown>, context: CallContext): unknown;
}

/** What {@linkcode defineTool} takes; `Input` is inferred from a Zod schema. */
export interface ToolDefinition<Source extends SchemaSource>
  extends
    Pick<Tool, "name" | "title" | "description" | "icons" | "_meta">,
    Partial<Pick<Tool, "annotations" | "writes" | "requires" | "listedWith" | "listedWithout">>,
    Partial<Pick<Tool, "forViews" | "unlisted">> {
  /** A Zod object, or a JSON Schema. */
  readonly input: Source;
  /** The shape of every success, where it is promised. */
  readonly output?: SchemaSource;
  /**
   * Does the work. Returns plain data (an object becomes the structured content,
   * an array is wrapped as `items`, a string is text), a text with data, or content blocks.
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
  const { input, output, ...rest } = definition;
  const returned = output === undefined ? undefined : defineSchema(output);
  let listed: JsonSchema | undefined;
  return {
    annotations: {},
    requires: [],
    listedWith: [],
    listedWithout: [],
    ...rest,
    input: defineSchema(input),
    get output() {
      if (returned === undefined || returned.problem !== undefined) return undefined;
      return listed ??= outputSchema(output!);
    },
    get outputProblem() {
      return returned?.problem;
    },
    run: definition.run as Tool["run"],
  };
}
