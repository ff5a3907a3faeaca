/** Input and output schemas: Zod in this package, JSON Schema in plugins. */

import { quotedName, shortText } from "../plain_text.ts";
import { didYouMean, RefraktError } from "../errors.ts";
import { asObject, fieldOf, isObject, textsOf } from "../io/json.ts";
import {
  compileSchema,
  type JsonSchema,
  type SchemaIssue,
  schemaProblem,
  type ZodSchema,
} from "./json_schema.ts";
import { readArguments } from "./model_input.ts";
import { type ListedSchema, portableSchema } from "./portable_schema.ts";

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
  return Object.fromEntries(
    Object.entries(asObject(schema["properties"])).map((
      [name, property],
    ) => [name, asObject(property)]),
  );
}

export function requiredOf(schema: JsonSchema): string[] {
  return textsOf(schema["required"]);
}

export function isZod(source: SchemaSource): source is ZodSchema {
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
  let plain: ListedSchema | undefined;
  let type: ZodSchema | undefined;
  let problem: string | undefined;
  const listed = () => plain ??= portableSchema(plainJson(source, "input"));
  const schemaDefect = () => problem ??= isZod(source) ? undefined : schemaProblem(source);
  return {
    get json() {
      return listed().json;
    },
    get omitted() {
      return isZod(source) ? [] : listed().omitted;
    },
    get problem() {
      return schemaDefect();
    },
    async parse(value) {
      if (schemaDefect() !== undefined) {
        throw new RefraktError(
          "TOOL_FAILED",
          `The input schema cannot be checked: ${schemaDefect()}`,
          {
            hint: "This is a defect of the plugin: its inputSchema must be valid JSON Schema.",
          },
        );
      }
      // Zod drops this key without a word.
      if (JSON.stringify(value ?? {}).includes('"__proto__":')) {
        throw new RefraktError("INVALID_ARGS", '"__proto__" cannot be a name', {
          hint: "Pass another name.",
        });
      }
      type ??= isZod(source) ? source : await compileSchema({ ...source, ...atRoot(source) });
      const read = (makesLists = false) =>
        type!.safeParse(readArguments(value ?? {}, listed().json, { dropsEmpty, makesLists }));
      const plainResult = read();
      // A single value is accepted in place of a list, if only that is valid.
      const parsed = plainResult.success ? plainResult : read(true);
      if (parsed.success) return asObject(parsed.data);
      throw invalidArgs(parsed.error.issues, listed().json, value, withdrawn);
    },
  };
}

/** What of a value does not keep a JSON Schema, a line for each field; `undefined` if it does. */
export async function breachOf(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const checked = (await compileSchema(schema)).safeParse(value);
  if (checked.success) return undefined;
  return checked.error.issues.map((issue) => describeIssue(issue, schema, value, "result"))
    .join("\n");
}

/** Additional checks at the root: arguments are an object, closed if none is declared. */
function atRoot(schema: JsonSchema): JsonSchema {
  const { additionalProperties } = portableSchema(schema).json;
  return { type: "object", ...(additionalProperties === false ? { additionalProperties } : {}) };
}

/** What a truncated result adds: see `More` in `shape.ts`. */
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

/** What the answer of a call adds that has written files. */
const UNDO: JsonSchema = { type: "string", description: "Takes the write back: refrakt_undo" };

/**
 * Creates the schema of an output; the JSON Schema is computed on first use, too.
 *
 * @param mayWrite Whether the tool may write files.
 */
export function defineOutput(
  source: SchemaSource,
  mayWrite = false,
): Pick<Schema, "json" | "problem"> {
  let json: JsonSchema | undefined;
  return {
    get json() {
      return json ??= outputSchema(source, mayWrite ? { more: MORE, undo: UNDO } : { more: MORE });
    },
    problem: isZod(source) ? undefined : schemaProblem(source),
  };
}

/**
 * The output schema for clients. A truncated result has `more` besides its own fields; objects from Zod
 * are open, because the caller selects fields of rows.
 */
function outputSchema(
  source: SchemaSource,
  added: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const json = plainJson(source, "output");
  if (!isZod(source)) {
    if (json["additionalProperties"] !== false) return json;
    return { ...json, properties: { ...asObject(json["properties"]), ...added } };
  }
  const { type: _type, properties, ...rest } = withoutClosing(json);
  return { type: "object", properties: { ...asObject(properties), ...added }, ...rest };
}

/** Opens all objects of a schema. */
function withoutClosing(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!isObject(value) || typeof value["type"] !== "string") return value;
    const { additionalProperties: others, ...rest } = value;
    const isTyped = isObject(others) && Object.keys(others).length > 0;
    return isTyped ? value : rest;
  });
}

/** JSON without Zod's additions: default dialect, safe-integer bounds, string keys. */
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
  withdrawn: Readonly<Record<string, string>>,
): RefraktError {
  const argumentNames = Object.keys(propertiesOf(schema));
  const names = issues.flatMap(({ path, keys = [] }) =>
    keys.map((key) => [...path, key].join("."))
  );
  const instead = new Set(names.flatMap((name) => withdrawn[name] ?? []));
  const lines = issues.map((issue) => describeIssue(issue, schema, value));
  const hint = instead.size > 0
    ? [...instead].join(" ")
    : argumentNames.length === 0
    ? "The tool takes no arguments."
    : `The arguments are: ${describeProperties(schema)}.`;
  return new RefraktError("INVALID_ARGS", lines.join("\n"), { hint });
}

function describeIssue(
  issue: SchemaIssue,
  schema: JsonSchema,
  value: unknown,
  root = "arguments",
): string {
  const path = issue.path.map(String).join(".") || root;
  const { keys, values, expected } = issue;
  if (issue.code === "unrecognized_keys" && keys !== undefined) {
    const names = Object.keys(propertiesOf(schemaAt(schema, issue.path)));
    return keys.map((key) =>
      `"${[...issue.path, key].join(".")}": not an argument. ${didYouMean(key, names)}`.trim()
    ).join("\n");
  }
  if (issue.code === "invalid_value" && values !== undefined) {
    return `${quotedName(path)}: must be one of ${
      values.map((value) => JSON.stringify(value)).join(", ")
    }, got ${quoted(at(value, issue.path))}`;
  }
  if (issue.code === "invalid_type" && expected !== undefined) {
    const input = at(value, issue.path);
    return input === undefined
      ? `${quotedName(path)}: required, must be ${article(expected)}`
      : `${quotedName(path)}: must be ${article(expected)}, got ${quoted(input)}`;
  }
  return `${quotedName(path)}: ${issue.message}`;
}

/** The schema of a part of a value. */
function schemaAt(schema: JsonSchema, path: SchemaIssue["path"]): JsonSchema {
  return path.reduce<JsonSchema>(
    (part, name) =>
      typeof name === "number" ? asObject(part["items"]) : propertiesOf(part)[String(name)] ?? {},
    schema,
  );
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
  return shortText(text, 80);
}
