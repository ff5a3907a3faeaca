/**
 * Checks values by JSON Schemas with `@cfworker/json-schema`, which is imported when the first value
 * is checked: the library's entry points import no npm package.
 *
 * @module
 */

import type { OutputUnit } from "@cfworker/json-schema";
import { messageOf, RefraktError } from "../errors.ts";
import { isObject, isTextList } from "../io/json.ts";
import { inTime } from "../io/time_limit.ts";

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

/** The dialects by the address in `$schema`, as the validating library calls them. */
const DIALECTS: ReadonlyMap<unknown, "4" | "7" | "2019-09" | "2020-12"> = new Map([
  [undefined, "2020-12"],
  ["json-schema.org/draft-04/schema", "4"],
  ["json-schema.org/draft-06/schema", "7"],
  ["json-schema.org/draft-07/schema", "7"],
  ["json-schema.org/schema", "2020-12"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** How long a value may be checked, in milliseconds: a package's patterns may be slow. */
const CHECK_LIMIT_MS = 250;

/** Keywords whose own error only says that something below them is wrong. */
const CONTAINERS = new Set(
  ("$ref $recursiveRef allOf contains dependencies dependentSchemas if items " +
    "additionalItems additionalProperties patternProperties prefixItems properties propertyNames " +
    "unevaluatedItems unevaluatedProperties").split(" "),
);

/** Makes the check of a schema that {@linkcode schemaProblem} found nothing wrong with. */
export async function compileSchema(schema: JsonSchema): Promise<ZodSchema> {
  const { Validator } = await import("@cfworker/json-schema");
  const copy = structuredClone(schema);
  const validator = new Validator(copy, dialectOf(schema) ?? "2020-12", false);
  return {
    safeParse: (value) => {
      try {
        const data = withDefaults(copy, structuredClone(value));
        const { valid, errors } = inTime(
          CHECK_LIMIT_MS,
          () => validator.validate(withoutPrototypes(data)),
        );
        if (valid) return { success: true, data };
        return { success: false, error: { issues: issuesOf(errors) } };
      } catch (error) {
        return { success: false, error: { issues: [{ path: [], message: unchecked(error) }] } };
      }
    },
    toJSONSchema: () => schema,
  };
}

/** Why a value cannot be checked; it is refused. */
function unchecked(error: unknown): string {
  // The stack ends where input is nested tens of thousands deep.
  if (error instanceof RangeError) return "nested too deeply";
  return error instanceof RefraktError && error.code === "TIMEOUT"
    ? "takes too long to check; give shorter texts"
    : `cannot be checked: ${messageOf(error)}`;
}

/** Fills in the defaults of properties that are missing. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !isObject(value) || !isObject(schema["properties"])) return value;
  for (const [name, property] of Object.entries(schema["properties"])) {
    if (!isObject(property) || name === "__proto__") continue;
    if (Object.hasOwn(value, name)) withDefaults(property, value[name]);
    else if (property["default"] !== undefined) value[name] = structuredClone(property["default"]);
  }
  return value;
}

/** A copy that has only what was sent: a property called `constructor` is missing where it is not. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part);
  return copy;
}

/** The library's innermost errors in Zod's form. */
function issuesOf(units: readonly OutputUnit[]): SchemaIssue[] {
  const inner = units.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const issues = (inner.length === 0 ? units : inner).map(issueOf);
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

function issueOf({ keyword, error, instanceLocation }: OutputUnit): SchemaIssue {
  const path = pointerSteps(instanceLocation);
  const message = error.replace(/\.$/, "");
  // What the keyword wants stands at the end of the library's sentence.
  const wanted = /(?:Expected| any of| match| property) (".*"|\[.*\]|[\w.-]+|\{.*\})\.$/s
    .exec(error)?.[1];
  switch (wanted === undefined ? "" : keyword) {
    case "type":
      return {
        code: "invalid_type",
        path,
        message,
        expected: wanted!.slice(1, -1).replaceAll('", "', " or "),
      };
    case "enum":
    case "const":
      return { code: "invalid_value", path, message, values: [JSON.parse(wanted!)].flat() };
    case "required":
      return { path: [...path, wanted!.slice(1, -1)], message: "required" };
  }
  const key = path.at(-1);
  if (keyword !== "false" || key === undefined) return { path, message };
  return /^\d+$/.test(key)
    ? { path, message: "is not allowed" }
    : { code: "unrecognized_keys", path: path.slice(0, -1), keys: [key], message };
}

function dialectOf({ $schema: named }: JsonSchema) {
  return DIALECTS.get(
    typeof named === "string" ? named.replace(/^https?:\/\//, "").replace(/#$/, "") : named,
  );
}

const TYPES = new Set<unknown>(
  ["array", "boolean", "integer", "null", "number", "object", "string"],
);
/** Keywords that hold a schema, a list of schemas, and schemas by name. */
const SCHEMAS = new Set(
  ("additionalItems additionalProperties contains else if items not propertyNames then " +
    "unevaluatedItems unevaluatedProperties").split(" "),
);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** How deep a schema may be nested. */
const MOST_LEVELS = 100;

/**
 * What keeps a schema from being checked, or `undefined`: the library takes a malformed keyword as
 * one that allows everything.
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "it is no object";
  if (dialectOf(schema) === undefined) {
    return `$schema: the dialect ${shortJson(schema["$schema"])} is not known`;
  }
  const anchors = new Set<unknown>();
  const references: { path: string; target: unknown }[] = [];
  const walk = (part: unknown, path: string, level: number): string | undefined => {
    if (typeof part === "boolean") return undefined;
    if (!isObject(part)) return `${path}: ${shortJson(part)} is no schema`;
    if (level > MOST_LEVELS) return `${path}: it is nested more than ${MOST_LEVELS} deep`;
    anchors.add(part["$id"]).add(`#${part["$anchor"]}`);
    if (part["$ref"] !== undefined) {
      references.push({ path: `${path}.$ref`.replace(/^\./, ""), target: part["$ref"] });
    }
    for (const [keyword, value] of Object.entries(part)) {
      const at = path === "" ? keyword : `${path}.${keyword}`;
      const problem = keywordProblem(keyword, value);
      if (problem !== undefined) return `${at}: ${problem}`;
      const isList = LISTS.has(keyword) || keyword === "items" && Array.isArray(value);
      const inner = isList || MAPS.has(keyword)
        ? Object.entries(value ?? {}).map(([name, one]) => [`${at}.${name}`, one] as const)
        : SCHEMAS.has(keyword)
        ? [[at, value] as const]
        : [];
      for (const [way, one] of inner) {
        const found = walk(one, way, level + 1);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const found = walk(schema, "", 0);
  if (found !== undefined) return found;
  const lost = references.find(({ target }) =>
    !anchors.has(target) && (typeof target !== "string" || targetOf(schema, target) === undefined)
  );
  return lost && `${lost.path}: ${shortJson(lost.target)} is not in the schema`;
}

/** What is wrong with the form of a keyword's value. */
function keywordProblem(keyword: string, value: unknown): string | undefined {
  if (keyword === "type" && ![value].flat().every((type) => TYPES.has(type))) {
    return `${shortJson(value)} is no type`;
  }
  if (keyword === "required" && !isTextList(value)) return "it is no list of names";
  if ((keyword === "enum" || LISTS.has(keyword)) && !Array.isArray(value)) return "it is no list";
  if (MAPS.has(keyword) && !isObject(value)) return "it is no object";
  if (keyword === "$dynamicRef") return "dynamic references are not supported; use $ref";
  try {
    if (keyword === "pattern") new RegExp(String(value), "u");
    if (keyword === "patternProperties") {
      Object.keys(value ?? {}).map((one) => new RegExp(one, "u"));
    }
  } catch (error) {
    return messageOf(error);
  }
  return undefined;
}

/** What a reference such as `#/$defs/name` leads to. */
export function targetOf(root: JsonSchema, reference: string): unknown {
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

/** The steps of a JSON pointer, which may be a part of a URI. */
function pointerSteps(pointer: string): string[] {
  return pointer.split("/").slice(1).map((step) => {
    const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
    try {
      return decodeURIComponent(plain);
    } catch {
      return plain;
    }
  });
}

function shortJson(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
