/**
 * Types of the schemas that tools declare their input and output with.
 *
 * @module
 */

/** A JSON Schema document. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a check finds wrong, as Zod says it. */
export interface SchemaIssue {
  /** The kind of issue, such as `invalid_type`. */
  readonly code?: string | undefined;
  /** The way to the field. */
  readonly path: readonly PropertyKey[];
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** The names that are no arguments, of an issue of that kind. */
  readonly keys?: readonly string[] | undefined;
  /** The valid values, of an issue of that kind. */
  readonly values?: readonly unknown[] | undefined;
  /** The type that was expected, of an issue of that kind. */
  readonly expected?: string | undefined;
}

/** A schema of Zod 4, as far as it is used here. */
export interface ZodSchema<Output = unknown> {
  /** Checks a value. */
  safeParse(value: unknown):
    | { success: true; data: Output }
    | { success: false; error: { issues: readonly SchemaIssue[] } };
  /** Gives the schema as JSON Schema. */
  toJSONSchema(options?: { io?: "input" | "output" }): unknown;
}

/** What a tool may declare its input or output with. */
export type SchemaSource = ZodSchema | JsonSchema;
