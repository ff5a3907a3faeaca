/**
 * Validates values by JSON Schema with `@cfworker/json-schema`, which is imported at the first
 * validation: the library's entry points import no npm package.
 */

import type { OutputUnit } from "@cfworker/json-schema";
import { messageOf, orElse } from "../errors.ts";
import { isObject, isTextList } from "../io/json.ts";
import { lazily } from "../io/lazily.ts";
import { shortText } from "../plain_text.ts";
import { type PatternCompiler, patternCompiler } from "../io/pattern.ts";

/** A JSON Schema document. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A validation issue, in Zod's form. */
export interface SchemaIssue {
  /** The kind of issue, such as `invalid_type`. */
  readonly code?: string | undefined;
  /** The path of the field. */
  readonly path: readonly PropertyKey[];
  /** What is wrong. */
  readonly message: string;
  /** The unknown arguments, for `unrecognized_keys`. */
  readonly keys?: readonly string[] | undefined;
  /** The valid values, for `invalid_value`. */
  readonly values?: readonly unknown[] | undefined;
  /** The expected type, for `invalid_type`. */
  readonly expected?: string | undefined;
}

/** The part of a Zod 4 schema that is used here. */
export interface ZodSchema<Output = unknown> {
  /** Validates a value. */
  safeParse(value: unknown):
    | { success: true; data: Output }
    | { success: false; error: { issues: readonly SchemaIssue[] } };
  /** Converts it to JSON Schema. */
  toJSONSchema(options?: { io?: "input" | "output" }): unknown;
}

/** The validator's name of each dialect, by what `$schema` says after `json-schema.org/`. */
const DIALECTS = new Map<string, "4" | "7" | "2019-09" | "2020-12">([
  ["draft-04/schema", "4"],
  ["draft-06/schema", "7"],
  ["draft-07/schema", "7"],
  ["schema", "2020-12"],
  ["draft/2019-09/schema", "2019-09"],
  ["draft/2020-12/schema", "2020-12"],
]);

/** Keywords whose errors only say that something below them is wrong. */
const CONTAINERS = new Set(
  ("$ref $recursiveRef allOf contains dependencies dependentSchemas if items " +
    "additionalItems additionalProperties patternProperties prefixItems properties propertyNames " +
    "unevaluatedItems unevaluatedProperties").split(" "),
);

/** Compiles a schema without a {@linkcode schemaProblem}. */
export async function compileSchema(schema: JsonSchema): Promise<ZodSchema> {
  const { format, Validator } = await import("@cfworker/json-schema");
  const copy = structuredClone(schema);
  if (JSON.stringify(schema).includes('"pattern"')) {
    patternsToFormats(copy, format, await patternCompiler());
  }
  const validator = new Validator(copy, dialectOf(schema) ?? "2020-12", false);
  return {
    safeParse: (value) => {
      try {
        const data = withDefaults(copy, structuredClone(value));
        const { valid, errors } = validator.validate(withoutPrototypes(data));
        if (valid) return { success: true, data };
        return { success: false, error: { issues: issuesOf(errors) } };
      } catch (error) {
        // Input nested tens of thousands of levels deep overflows the stack.
        const isDeep = error instanceof RangeError;
        const message = isDeep ? "nested too deeply" : `cannot be checked: ${messageOf(error)}`;
        return { success: false, error: { issues: [{ path: [], message }] } };
      }
    },
    toJSONSchema: () => schema,
  };
}

/** The start of the name of a format that replaces a pattern. */
const PATTERN = "that matches ";

/**
 * Replaces the patterns of a schema by formats, which are functions: the validator would match
 * patterns with JavaScript's engine.
 */
function patternsToFormats(
  schema: JsonSchema,
  formats: Record<string, (text: string) => boolean>,
  compile: PatternCompiler,
): void {
  for (const { node } of nodesOf(schema)) {
    if (!isObject(node) || typeof node["pattern"] !== "string") continue;
    const { pattern, allOf = [] } = node;
    const name = PATTERN + JSON.stringify(pattern);
    const compiled = lazily(() => compile(pattern));
    formats[name] = (text) => compiled().test(text);
    delete node["pattern"];
    node["allOf"] = [allOf, { format: name }].flat();
  }
}

/** Adds the defaults of missing properties. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !isObject(value) || !isObject(schema["properties"])) return value;
  for (const [name, property] of Object.entries(schema["properties"])) {
    if (!isObject(property) || name === "__proto__") continue;
    if (Object.hasOwn(value, name)) withDefaults(property, value[name]);
    else if (property["default"] !== undefined) value[name] = structuredClone(property["default"]);
  }
  return value;
}

/** A copy without prototypes: otherwise a property called `constructor` would never be missing. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part);
  return copy;
}

/** Converts the validator's innermost errors. */
function issuesOf(units: readonly OutputUnit[]): SchemaIssue[] {
  const inner = units.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const issues = (inner.length === 0 ? units : inner).map(issueOf);
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

function issueOf({ keyword, error, instanceLocation }: OutputUnit): SchemaIssue {
  const path = pointerSteps(instanceLocation);
  const message = error.replace(/\.$/, "").replace(/format "that matches (".*")"$/s, "pattern $1");
  // The validator's sentence ends with the expected value.
  const [, wanted = ""] =
    /(?:Expected| any of| match| property) (".*"|\[.*\]|[\w.-]+|\{.*\})\.$/s.exec(error) ?? [];
  const text = wanted.slice(1, -1);
  if (wanted !== "" && keyword === "required") {
    return { path: [...path, text], message: "required" };
  }
  if (wanted !== "" && keyword === "type") {
    return { code: "invalid_type", path, message, expected: text.replaceAll('", "', " or ") };
  }
  if (wanted !== "" && (keyword === "enum" || keyword === "const")) {
    return { code: "invalid_value", path, message, values: [JSON.parse(wanted)].flat() };
  }
  const key = path.at(-1);
  if (keyword !== "false" || key === undefined) return { path, message };
  return /^\d+$/.test(key)
    ? { path, message: "is not allowed" }
    : { code: "unrecognized_keys", path: path.slice(0, -1), keys: [key], message };
}

function dialectOf({ $schema: named = "json-schema.org/schema" }: JsonSchema) {
  const [, dialect = ""] = /^(?:https?:\/\/)?json-schema\.org\/(.*?)#?$/.exec(String(named)) ?? [];
  return DIALECTS.get(dialect);
}

const TYPES = new Set<unknown>("array boolean integer null number object string".split(" "));
/** Keywords with a schema, a list of schemas, and schemas by name. */
const SCHEMAS = new Set(
  ("additionalItems additionalProperties contains else if items not propertyNames then " +
    "unevaluatedItems unevaluatedProperties").split(" "),
);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set(["$defs", "definitions", "dependentSchemas", "properties"]);

const MOST_LEVELS = 100;

/** Why a schema cannot be used: the validator itself ignores malformed keywords. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "must be an object";
  if (dialectOf(schema) === undefined) {
    return `$schema: unknown dialect ${shortJson(schema["$schema"])}`;
  }
  const anchors = new Set<unknown>();
  const references: [path: string, target: unknown][] = [];
  for (const { path, node, level } of nodesOf(schema)) {
    if (typeof node === "boolean") continue;
    if (!isObject(node)) return `${path}: ${shortJson(node)} is not a schema`;
    if (level > MOST_LEVELS) return `${path}: nested more than ${MOST_LEVELS} levels deep`;
    anchors.add(node["$id"]).add(`#${node["$anchor"]}`);
    if (node["$ref"] !== undefined) references.push([pathTo(path, "$ref"), node["$ref"]]);
    for (const [keyword, value] of Object.entries(node)) {
      const problem = keywordProblem(keyword, value);
      if (problem !== undefined) return `${pathTo(path, keyword)}: ${problem}`;
    }
  }
  const isLost = (target: unknown) =>
    !anchors.has(target) && (typeof target !== "string" || targetOf(schema, target) === undefined);
  const [path, target] = references.find(([, target]) => isLost(target)) ?? [];
  return path && `${path}: ${shortJson(target)} is not in the schema`;
}

/** A schema and all that are in it, each with its path. */
function* nodesOf(
  node: unknown,
  path = "",
  level = 0,
): Generator<{ readonly path: string; readonly node: unknown; readonly level: number }> {
  yield { path, node, level };
  for (const [keyword, value] of Object.entries(isObject(node) ? node : {})) {
    const isList = LISTS.has(keyword) || keyword === "items" && Array.isArray(value);
    if (SCHEMAS.has(keyword) && !isList) yield* nodesOf(value, pathTo(path, keyword), level + 1);
    for (const [name, part] of isList || MAPS.has(keyword) ? Object.entries(value ?? {}) : []) {
      yield* nodesOf(part, pathTo(path, `${keyword}.${name}`), level + 1);
    }
  }
}

function pathTo(path: string, keyword: string): string {
  return path === "" ? keyword : `${path}.${keyword}`;
}

function keywordProblem(keyword: string, value: unknown): string | undefined {
  if (keyword === "type" && ![value].flat().every((type) => TYPES.has(type))) {
    return `${shortJson(value)} is not a type`;
  }
  if (keyword === "required" && !isTextList(value)) return "must be a list of names";
  if ((keyword === "enum" || LISTS.has(keyword)) && !Array.isArray(value)) return "must be a list";
  if (MAPS.has(keyword) && !isObject(value)) return "must be an object";
  if (keyword === "$dynamicRef") return "dynamic references are not supported; use $ref";
  if (keyword === "patternProperties") return "not supported; name the properties";
  if (keyword !== "pattern") return undefined;
  try {
    new RegExp(String(value), "u");
  } catch (error) {
    return messageOf(error);
  }
  return BACKTRACKING.test(String(value))
    ? "lookahead, lookbehind and references to groups are not supported"
    : undefined;
}

/** A part of a pattern that no engine matches in linear time. */
const BACKTRACKING = /\(\?<?[=!]|(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/;

/** Resolves a reference such as `#/$defs/name`. */
function targetOf(root: JsonSchema, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  return pointerSteps(reference).reduce<unknown>(
    (part, key) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? Reflect.get(part, key)
        : undefined,
    root,
  );
}

/** The steps of a JSON pointer, which may be percent-encoded. */
function pointerSteps(pointer: string): string[] {
  return pointer.split("/").slice(1).map((step) => {
    const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return orElse(() => decodeURIComponent(plain), plain);
  });
}

export function shortJson(value: unknown): string {
  return shortText(JSON.stringify(value) ?? "nothing", 80);
}
