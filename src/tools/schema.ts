/**
 * Schemas of inputs: Zod for our own tools, JSON Schema for plugins. Either way
 * a tool ends up with one JSON Schema to show and one function to check with.
 *
 * What checks JSON Schemas is imported only when one is checked, so that the library
 * entry point can export {@linkcode defineSchema}'s callers without an npm import.
 *
 * @module
 */

import { didYouMean, messageOf, RefraktError } from "../errors.ts";
import { asObject, fieldOf, textsOf } from "../io/json.ts";
import { compileSchema } from "./json_schema.ts";
import { schemaProblem } from "./schema_problem.ts";
import type { JsonSchema, SchemaIssue, SchemaSource, ZodSchema } from "./schema_types.ts";

export type { JsonSchema, SchemaIssue, SchemaSource, ZodSchema } from "./schema_types.ts";

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
 * @param source Zod or JSON Schema; what clients see of it is {@linkcode repairSchema}'s.
 */
export function defineSchema(source: SchemaSource): Schema {
  let plain: JsonSchema | undefined;
  let type: ZodSchema | undefined;
  let problem: { found: string | undefined } | undefined;
  const listed = () =>
    // A transport within the process does not turn it into JSON, and clients take nothing else.
    plain ??= asObject(JSON.parse(JSON.stringify(
      repairSchema(
        isZod(source) ? withoutNoise(asObject(source.toJSONSchema({ io: "input" }))) : source,
      ),
    )));
  const found = () =>
    (problem ??= { found: isZod(source) ? undefined : schemaProblem(source) }).found;
  return {
    get json() {
      return listed();
    },
    get problem() {
      return found();
    },
    async parse(value) {
      if (found() !== undefined) throw uncheckable(found()!);
      type ??= isZod(source) ? source : await compileSchema({ ...source, ...repairSchema(source) });
      const parsed = type.safeParse(value ?? {});
      if (parsed.success) return asObject(parsed.data);
      throw invalidArgs(parsed.error.issues, listed(), value);
    },
  };
}

function uncheckable(problem: string): RefraktError {
  return new RefraktError("TOOL_FAILED", `The tool's input schema cannot be checked: ${problem}`, {
    hint: "This is a defect of the plugin: its inputSchema has to be valid JSON Schema.",
  });
}

/**
 * The schema of a tool's answers as clients see it: a cut answer has `more` beside
 * its own fields, also where the schema names them all.
 */
export function outputSchema(json: JsonSchema): JsonSchema {
  if (json["additionalProperties"] !== false) return json;
  const properties = { ...asObject(json["properties"]), more: { type: "object" } };
  return { ...json, properties };
}

/**
 * A schema of ours in short: the names of the fields that every answer has. Clients load
 * the list of tools into the model's context; what else there is shows in an answer. The
 * names are read from the schema itself: as JSON Schema it would be put together in whole,
 * for each tool of a list.
 */
export function briefSchema({ shape = {} }: ZodSchema): JsonSchema {
  const required = Object.keys(shape).filter((name) => shape[name]!._zod.optin === undefined);
  return { type: "object", ...(required.length === 0 ? {} : { required }) };
}

/** Keywords that several clients refuse at the root; they are checked all the same. */
const NOT_AT_ROOT = new Set(["anyOf", "oneOf", "allOf", "not", "if", "then", "else"]);

/**
 * Makes a plugin's schema acceptable to every client: an object at the root, no
 * `anyOf`, `oneOf` or `allOf` beside it, and a closed object where there is no
 * argument at all.
 */
export function repairSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return { type: "object", additionalProperties: true };
  }
  const repaired: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !NOT_AT_ROOT.has(keyword)),
  );
  repaired["type"] = "object";
  const isOpen = Object.keys(schema).some((keyword) => NOT_AT_ROOT.has(keyword));
  if (isEmptyObject(repaired["properties"]) && !isOpen) repaired["additionalProperties"] ??= false;
  return repaired;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Zod names the newest dialect, which is the default, the range of a safe integer, and that keys are texts. */
function withoutNoise({ $schema: _newest, ...schema }: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return undefined;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return undefined;
    if (key === "propertyNames" && isPlainText(value)) return undefined;
    return value;
  });
}

function isPlainText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
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
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function quoted(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch (error) {
    text = messageOf(error);
  }
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
