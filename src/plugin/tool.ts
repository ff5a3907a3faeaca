/**
 * Tools: their declaration, their behavior and their names. Names have underscores, because several
 * clients reject dots. In calls, dots, underscores and hyphens are equivalent.
 */

import type { ListedEntry } from "./content.ts";
import type { CallContext } from "./context.ts";
import {
  defineOutput,
  defineSchema,
  type JsonSchema,
  type Schema,
  type SchemaSource,
  type ZodSchema,
} from "./schema.ts";

/** Hints for clients about a tool's effects. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** It may delete or overwrite data. */
  readonly destructiveHint?: boolean;
  /** Repeating a call has no further effect. */
  readonly idempotentHint?: boolean;
  /** It interacts with systems outside the project. */
  readonly openWorldHint?: boolean;
}

/**
 * When a tool is listed by default: always, unless a field says otherwise. Unlisted tools can still
 * be called, and `--tools` lists them.
 */
export interface Listing {
  /** Only if the project has one of these. */
  readonly with?: readonly string[];
  /** Not if the project has one of these, because another tool does its job there. */
  readonly without?: readonly string[];
  /** The group that it belongs to in place of its plugin's; only if the project needs that. */
  readonly group?: string;
  /** The description for projects that have only one of `with`. */
  readonly alone?: Readonly<Record<string, string>>;
  /** The group that `--tools` accepts, if it is not the first word of the name. */
  readonly namespace?: string;
  /** Clients that show few tools show it the sooner, the lower this number is. */
  readonly rank?: number;
  /** Only to clients that show views, or to none. */
  readonly to?: "views" | "none";
}

/** A tool. */
export interface Tool extends ListedEntry {
  /** The canonical name: dotted (`plan_next_id`), or that of a bundled plugin (`ralph_start`). */
  readonly name: string;
  /** The schema of its arguments. */
  readonly input: Schema;
  /** The schema of every success, if declared; one with a problem is not listed. */
  readonly output: Pick<Schema, "json" | "problem"> | undefined;
  /** Hints about its effects. */
  readonly annotations: ToolAnnotations;
  /**
   * Where it writes, as a name of the plugin's `folders`, or whether; by default, if it has no
   * read-only hint.
   */
  readonly writes?: boolean | string;
  /** Listed only if the project has all of these; otherwise calls fail with a code. */
  readonly requires: readonly string[];
  /** When it is listed, besides its requirements. */
  readonly listed: Listing;
  /** Runs the tool with validated input. */
  run(input: Record<string, unknown>, context: CallContext): unknown;
  /** Throws if a result is not what a plugin declares; what this package declares is tested. */
  readonly verify?: (value: unknown) => Promise<void>;
}

/** A tool with the types of its arguments and of what it returns. */
export interface TypedTool<Input, Answer> extends Tool {
  /** The types alone: it has no value. */
  readonly types?: { readonly input: Input; readonly answer: Answer };
}

/** The declaration of a tool without its code, enough for lists. */
export interface ToolDeclaration extends Omit<Tool, "input" | "output" | "run" | "verify"> {
  /** The schema of its arguments. */
  readonly input: Pick<Schema, "json"> & Partial<Pick<Schema, "problem" | "omitted">>;
  /** The schema of every success. */
  readonly output?: Pick<Schema, "json"> & Partial<Pick<Schema, "problem">> | undefined;
}

/** The input of {@linkcode defineTool}, which infers the types. */
export interface ToolDefinition<Source extends SchemaSource, Answer = unknown>
  extends
    Pick<Tool, "name" | "description" | "_meta">,
    Partial<Pick<Tool, "annotations" | "writes" | "requires" | "listed" | "verify">> {
  /** The display name; by default made of the name. */
  readonly title?: string | undefined;
  /** A Zod object, or a JSON Schema. */
  readonly input: Source;
  /** The schema of every success. */
  readonly output?: SchemaSource | undefined;
  /** Arguments that it no longer has, each with a hint that says what does their job. */
  readonly withdrawn?: Readonly<Record<string, string>>;
  /** Whether an optional text that is empty is left out, as by default in tools that only read. */
  readonly dropsEmpty?: boolean;
  /**
   * Runs the tool. Returns plain data (an object becomes the structured content, an array is wrapped as
   * `items`, a string is text), a text with data, or content blocks.
   *
   * @throws {RefraktError} For every error that the caller can fix.
   */
  run(input: InputOf<Source>, context: CallContext): Answer;
}

/** The type of a tool's validated input: of a Zod schema, or of a JSON Schema with properties. */
export type InputOf<Source extends SchemaSource> = Source extends ZodSchema<infer Output> ? Output
  : Source extends { readonly properties: Readonly<Record<string, JsonSchema>> } ? ValueOf<Source>
  : Record<string, unknown>;

/** The type of the values that a JSON Schema allows, by the keywords that most schemas need. */
export type ValueOf<Source> = Source extends { readonly enum: readonly (infer Value)[] } ? Value
  : Source extends { readonly type: "array"; readonly items: infer Item } ? ValueOf<Item>[]
  : Source extends { readonly type: "string" } ? string
  : Source extends { readonly type: "number" | "integer" } ? number
  : Source extends { readonly type: "boolean" } ? boolean
  : Source extends { readonly properties: infer Properties } ?
      & {
        readonly [Name in keyof Properties]?: ValueOf<Properties[Name]>;
      }
      & (Source extends { readonly required: readonly (infer Name)[] }
        ? { readonly [Key in Name & keyof Properties]: ValueOf<Properties[Key]> }
        : unknown)
  : unknown;

/**
 * Declares a tool; dots and hyphens in its name become underscores.
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { defineTool } from "jsr:@refrakt/mcp/plugin";
 *
 * const greet = defineTool({
 *   name: "demo_greet",
 *   title: "Greet",
 *   description: "Says hello.",
 *   input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
 *   output: { type: "object", properties: { greeting: { type: "string" } } },
 *   annotations: { readOnlyHint: true },
 *   run: ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 * console.assert(greet.name === "demo_greet");
 * ```
 */
export function defineTool<const Source extends SchemaSource, Answer = unknown>(
  definition: ToolDefinition<Source, Answer>,
): TypedTool<InputOf<Source>, Answer> {
  const { title, input, output, withdrawn, dropsEmpty, ...rest } = definition;
  const isReadOnly = definition.annotations?.readOnlyHint === true;
  const isFilter = dropsEmpty ?? isReadOnly;
  return {
    title: title ?? titleOf(definition.name),
    annotations: {},
    requires: [],
    listed: {},
    ...rest,
    name: nameKey(definition.name),
    input: defineSchema(input, withdrawn, isFilter),
    output: output === undefined ? undefined : defineOutput(output, !isReadOnly),
    run: definition.run as Tool["run"],
  };
}

/** A title for people, such as "Team greet" for `team_greet`. */
function titleOf(name: string): string {
  const words = name.replace(/[._-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name that all spellings share. */
export function nameKey(name: string): string {
  return name.replace(/[._-]/g, "_");
}

/** The name of the tool for a command of a plugin, such as `plan_next_id`. */
export function toolName(namespace: string, command: string): string {
  return nameKey(`${namespace}_${command}`);
}

export function isToolName(name: string): boolean {
  return /^[a-zA-Z]\w{0,63}$/.test(name);
}
