/** Input and output schemas: Zod in this package, JSON Schema in plugins. */

import { quotedName } from "../plain_text.ts";
import { didYouMean, RefraktError } from "../errors.ts";
import { asObject, fieldOf, isObject, textOf, textsOf } from "../io/json.ts";
import { lazily } from "../io/lazily.ts";
import {
  compileSchema,
  type JsonSchema,
  type SchemaIssue,
  schemaProblem,
  shortJson,
  type ZodSchema,
} from "./json_schema.ts";
import { portableSchema, readArguments } from "./model_arguments.ts";

export type { JsonSchema, SchemaIssue, ZodSchema } from "./json_schema.ts";

/** The declaration of a tool's input or output. */
export type SchemaSource = ZodSchema | JsonSchema;

/** A schema for clients and for validation. */
export interface Schema {
  /** The JSON Schema for clients: `type: "object"` and no combinators at the root. */
  readonly json: JsonSchema;
  /** Arguments of a plugin's schema that clients do not see, such as references and unions. */
  readonly omitted: readonly string[];
  /** Why it cannot validate, such as an unresolved reference. */
  readonly problem: string | undefined;
  /**
   * Reads a value as models write it, validates it and returns it with defaults.
   *
   * @throws {RefraktError} `INVALID_ARGS`, one line per field.
   */
  parse(value: unknown): Promise<Record<string, unknown>>;
}

/** The declared properties; one that is not an object accepts anything. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const properties = Object.entries(asObject(schema["properties"]));
  return Object.fromEntries(properties.map(([name, property]) => [name, asObject(property)]));
}

function isZod(source: SchemaSource): source is ZodSchema {
  return typeof fieldOf(source, "safeParse") === "function";
}

/**
 * Creates a schema. The JSON Schema is computed on first use, because `initialize` does not need it.
 *
 * @param source Zod or JSON Schema; clients see {@linkcode portableSchema} of it.
 * @param withdrawn Hints for arguments that it no longer has.
 * @param dropsEmpty Whether an optional text that is empty is left out.
 */
export function defineSchema(
  source: SchemaSource,
  withdrawn: Readonly<Record<string, string>> = {},
  dropsEmpty = false,
): Schema {
  const listed = lazily(() => portableSchema(plainJson(source, "input")));
  const problem = lazily(() => isZod(source) ? undefined : schemaProblem(source));
  const compiled = lazily(() => {
    if (isZod(source)) return source;
    // Arguments are an object, which is closed if none is declared.
    const root = { ...source, type: "object" };
    const isClosed = listed().json["additionalProperties"] === false;
    return compileSchema(isClosed ? { ...root, additionalProperties: false } : root);
  });
  return {
    get json() {
      return listed().json;
    },
    get omitted() {
      return isZod(source) ? [] : listed().omitted;
    },
    get problem() {
      return problem();
    },
    async parse(value) {
      if (problem() !== undefined) {
        throw new RefraktError("TOOL_FAILED", `The input schema cannot be checked: ${problem()}`, {
          hint: "This is a defect of the plugin: its inputSchema must be valid JSON Schema.",
        });
      }
      // Zod drops this key silently.
      if (JSON.stringify(value ?? {}).includes('"__proto__":')) {
        throw new RefraktError("INVALID_ARGS", '"__proto__" cannot be a name', {
          hint: "Pass another name.",
        });
      }
      const type = await compiled();
      const read = (makesLists = false) =>
        type.safeParse(readArguments(value ?? {}, listed().json, { dropsEmpty, makesLists }));
      const plain = read();
      // A single value is accepted in place of a list, if only that is valid.
      const parsed = plain.success ? plain : read(true);
      if (parsed.success) return asObject(parsed.data);
      throw invalidArgs(parsed.error.issues, listed().json, value, withdrawn);
    },
  };
}

/** The errors of a value by a JSON Schema, a line for each field; `undefined` if it is valid. */
export async function breachOf(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const checked = (await compileSchema(schema)).safeParse(value);
  if (checked.success) return undefined;
  return checked.error.issues.map((issue) => describeIssue(issue, schema, value, "result"))
    .join("\n");
}

/** The field that a truncated result adds. */
const MORE: JsonSchema = {
  type: "object",
  description: "What was cut: pass cursor to refrakt_more",
  properties: {
    uri: { type: "string" },
    cursor: { type: "string" },
    total: { type: "integer" },
    shown: { type: "integer" },
    parts: { type: "object" },
  },
};

/** The field that the result of a writing call adds. */
const UNDO: JsonSchema = { type: "string", description: "Takes the write back: refrakt_undo" };

/**
 * Creates the schema of an output; the JSON Schema is computed on first use, too. A truncated result has
 * `more` besides its own fields.
 *
 * @param mayWrite Whether the tool may write files.
 */
export function defineOutput(
  source: SchemaSource,
  mayWrite = false,
): Pick<Schema, "json" | "problem"> {
  const added = mayWrite ? { more: MORE, undo: UNDO } : { more: MORE };
  const json = lazily(() => {
    const schema = plainJson(source, "output");
    if (!isZod(source) && schema["additionalProperties"] !== false) return schema;
    const { type: _type, properties, ...rest } = schema;
    return { type: "object", properties: { ...asObject(properties), ...added }, ...rest };
  });
  return {
    get json() {
      return json();
    },
    problem: isZod(source) ? undefined : schemaProblem(source),
  };
}

/**
 * JSON without Zod's additions: default dialect, safe-integer bounds, string keys; and outputs that are
 * not closed, because the caller selects fields of rows.
 */
function plainJson(source: SchemaSource, io: "input" | "output"): JsonSchema {
  if (!isZod(source)) return JSON.parse(JSON.stringify(source)) ?? null;
  const { $schema: _newest, ...schema } = asObject(source.toJSONSchema({ io }));
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return undefined;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return undefined;
    if (key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') return undefined;
    const isTyped = isObject(value) && Object.keys(value).length > 0;
    if (key === "additionalProperties" && io === "output" && !isTyped) return undefined;
    return value;
  });
}

function invalidArgs(
  issues: readonly SchemaIssue[],
  schema: JsonSchema,
  value: unknown,
  withdrawn: Readonly<Record<string, string>>,
): RefraktError {
  const names = issues.flatMap(({ path, keys = [] }) =>
    keys.map((key) => [...path, key].join("."))
  );
  const instead = new Set(names.flatMap((name) => withdrawn[name] ?? []));
  const all = describeProperties(schema);
  const usage = all === "" ? "The tool takes no arguments." : `The arguments are: ${all}.`;
  const lines = issues.map((issue) => describeIssue(issue, schema, value));
  return new RefraktError("INVALID_ARGS", lines.join("\n"), {
    hint: [...instead].join(" ") || usage,
  });
}

function describeIssue(
  issue: SchemaIssue,
  schema: JsonSchema,
  value: unknown,
  root = "arguments",
): string {
  const { code, path, keys, values, expected } = issue;
  if (code === "unrecognized_keys" && keys !== undefined) {
    const names = Object.keys(propertiesOf(schemaAt(schema, path)));
    return keys.map((key) =>
      `"${[...path, key].join(".")}": not an argument. ${didYouMean(key, names)}`.trim()
    ).join("\n");
  }
  const start = quotedName(path.map(String).join(".") || root);
  const input = path.reduce<unknown>((part, key) => fieldOf(part, String(key)), value);
  if (code === "invalid_value" && values !== undefined) {
    const all = values.map((each) => JSON.stringify(each)).join(", ");
    return `${start}: must be one of ${all}, got ${shortJson(input)}`;
  }
  if (code !== "invalid_type" || expected === undefined) return `${start}: ${issue.message}`;
  const wanted = `must be ${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
  return input === undefined
    ? `${start}: required, ${wanted}`
    : `${start}: ${wanted}, got ${shortJson(input)}`;
}

function schemaAt(schema: JsonSchema, path: SchemaIssue["path"]): JsonSchema {
  return path.reduce<JsonSchema>(
    (part, name) =>
      typeof name === "number" ? asObject(part["items"]) : propertiesOf(part)[String(name)] ?? {},
    schema,
  );
}

function describeProperties(schema: JsonSchema): string {
  const required = textsOf(schema["required"]);
  return Object.entries(propertiesOf(schema)).map(([name, { type }]) => {
    const notes = [textOf(type), required.includes(name) ? "required" : ""].filter(Boolean);
    return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
  }).join(", ");
}
