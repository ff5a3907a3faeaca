/**
 * Schemas of inputs: Zod for our own tools, JSON Schema for plugins. Either way
 * a tool ends up with one JSON Schema to show and one function to check with.
 *
 * What checks JSON Schemas is imported only when one is checked, so that the library
 * entry point can export {@linkcode defineSchema}'s callers without an npm import.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../errors.ts";
import { asObject, fieldOf, isObject, textsOf } from "../io/json.ts";
import {
  compileSchema,
  type JsonSchema,
  type SchemaIssue,
  schemaProblem,
  type ZodSchema,
} from "./json_schema.ts";
import { portableSchema, withLists } from "./portable_schema.ts";

export type { JsonSchema, SchemaIssue, ZodSchema } from "./json_schema.ts";

/** What a tool may declare its input or output with. */
export type SchemaSource = ZodSchema | JsonSchema;

/** A schema in both forms. */
export interface Schema {
  /** The JSON Schema as clients see it: `type: "object"` at the root, no root combinators. */
  readonly json: JsonSchema;
  /** Why nothing can be checked by it, such as a reference that leads nowhere. */
  readonly problem: string | undefined;
  /**
   * Checks a value and returns it with defaults filled in.
   *
   * @throws {RefraktError} `INVALID_ARGS`, one line per field.
   */
  parse(value: unknown): Promise<Record<string, unknown>>;
}

/** The properties that a schema names; one that is no object is shown as one that takes anything. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(asObject(schema["properties"])).map((
      [name, property],
    ) => [name, asObject(property)]),
  );
}

/** The names of the properties that a schema wants. */
export function requiredOf(schema: JsonSchema): string[] {
  return textsOf(schema["required"]);
}

/** Whether a schema is a Zod schema rather than a JSON Schema. */
export function isZod(source: SchemaSource): source is ZodSchema {
  return typeof fieldOf(source, "safeParse") === "function";
}

/**
 * Makes both forms of a schema. They are computed when first asked for, because
 * a server that answers `initialize` needs neither.
 *
 * A single value is accepted where the schema has a list.
 *
 * @param source Zod or JSON Schema; clients see {@linkcode portableSchema} of it.
 */
export function defineSchema(source: SchemaSource): Schema {
  let plain: JsonSchema | undefined;
  let type: ZodSchema | undefined;
  let problem: string | undefined;
  const listed = () => plain ??= portableSchema(plainJson(source, "input"));
  const found = () => problem ??= isZod(source) ? undefined : schemaProblem(source);
  return {
    get json() {
      return listed();
    },
    get problem() {
      return found();
    },
    async parse(value) {
      if (found() !== undefined) {
        throw new RefraktError("TOOL_FAILED", `The input schema cannot be checked: ${found()}`, {
          hint: "This is a defect of the plugin: its inputSchema has to be valid JSON Schema.",
        });
      }
      type ??= isZod(source) ? source : await compileSchema({ ...source, ...atRoot(source) });
      const given = type.safeParse(value ?? {});
      if (given.success) return asObject(given.data);
      const parsed = type.safeParse(withLists(value ?? {}, listed(), given.error.issues));
      if (parsed.success) return asObject(parsed.data);
      throw invalidArgs(parsed.error.issues, listed(), value);
    },
  };
}

/** What is checked at the root beside the schema itself: arguments are an object, closed where none is named. */
function atRoot(schema: JsonSchema): JsonSchema {
  const { additionalProperties } = portableSchema(schema);
  return { type: "object", ...(additionalProperties === false ? { additionalProperties } : {}) };
}

/** What a cut answer says about what is left out: see `More` in `shape.ts`. */
const MORE: JsonSchema = {
  type: "object",
  description: "What was cut: pass cursor to refrakt.more",
  properties: {
    uri: { type: "string" },
    cursor: { type: "string" },
    total: { type: "integer" },
    shown: { type: "integer" },
    parts: { type: "object" },
  },
};

/**
 * The schema of a tool's answers as clients see it: a cut answer has `more` beside its own
 * fields. Objects of ours are open, because rows have the fields that were asked for.
 */
export function outputSchema(source: SchemaSource): JsonSchema {
  const json = plainJson(source, "output");
  if (!isZod(source)) {
    if (json["additionalProperties"] !== false) return json;
    return { ...json, properties: { ...asObject(json["properties"]), more: MORE } };
  }
  const { type: _type, properties, ...rest } = withoutClosing(json);
  return { type: "object", properties: { ...asObject(properties), more: MORE }, ...rest };
}

/** A schema of which no object is closed. */
function withoutClosing(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!isObject(value) || typeof value["type"] !== "string") return value;
    const { additionalProperties: others, ...rest } = value;
    const isTyped = isObject(others) && Object.keys(others).length > 0;
    return isTyped ? value : rest;
  });
}

/**
 * A schema as plain JSON, without what Zod adds to it: the newest dialect, which is the default,
 * the range of a safe integer, and that keys are texts.
 */
function plainJson(source: SchemaSource, io: "input" | "output"): JsonSchema {
  if (!isZod(source)) return JSON.parse(JSON.stringify(source)) ?? null;
  const { $schema: _newest, ...schema } = asObject(source.toJSONSchema({ io }));
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return undefined;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return undefined;
    if (key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') return undefined;
    return value;
  });
}

function invalidArgs(
  issues: readonly SchemaIssue[],
  schema: JsonSchema,
  value: unknown,
): RefraktError {
  const known = Object.keys(propertiesOf(schema));
  const lines = issues.map((issue) => describeIssue(issue, known, value));
  const hint = known.length === 0
    ? "The tool takes no arguments."
    : `The arguments are: ${describeProperties(schema)}.`;
  return new RefraktError("INVALID_ARGS", lines.join("\n"), { hint });
}

function describeIssue(issue: SchemaIssue, known: string[], value: unknown): string {
  const path = issue.path.map(String).join(".") || "arguments";
  const { keys, values, expected } = issue;
  if (issue.code === "unrecognized_keys" && keys !== undefined) {
    return keys.map((key) => `"${key}": not an argument. ${didYouMean(key, known)}`.trim())
      .join("\n");
  }
  if (issue.code === "invalid_value" && values !== undefined) {
    return `"${path}": must be one of ${
      values.map((value) => JSON.stringify(value)).join(", ")
    }, got ${quoted(at(value, issue.path))}`;
  }
  if (issue.message === "required" && issue.code === undefined) return `"${path}": required`;
  if (
    issue.code === "invalid_type" && expected !== undefined && at(value, issue.path) === undefined
  ) {
    return `"${path}": required, must be ${article(expected)}`;
  }
  if (issue.code === "invalid_type" && expected !== undefined) {
    return `"${path}": must be ${article(expected)}, got ${quoted(at(value, issue.path))}`;
  }
  return `"${path}": ${issue.message}`;
}

function describeProperties(schema: JsonSchema): string {
  const required = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema))
    .map(([name, property]) => {
      const type = property["type"];
      const note = [typeof type === "string" ? type : "", required.has(name) ? "required" : ""]
        .filter(Boolean).join(", ");
      return note === "" ? name : `${name} (${note})`;
    })
    .join(", ");
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => fieldOf(part, String(key)), value);
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
