/**
 * Finds what keeps a JSON Schema from being checked: the wrong form of a keyword, a
 * reference that leads nowhere, a dialect that nobody here knows. Such a schema must
 * not be taken as one that allows everything.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { asObject, fieldOf, isObject, isTextList } from "../io/json.ts";
import type { JsonSchema } from "./schema_types.ts";

/** The dialects by the address in `$schema`, as the validating library calls them. */
const DIALECTS: ReadonlyMap<string, "4" | "7" | "2019-09" | "2020-12"> = new Map([
  ["http://json-schema.org/draft-04/schema", "4"],
  ["http://json-schema.org/draft-06/schema", "7"],
  ["http://json-schema.org/draft-07/schema", "7"],
  ["http://json-schema.org/schema", "2020-12"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
]);

const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

/** Keywords that hold a schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Keywords that hold a list of schemas. */
const SCHEMA_LISTS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "prefixItems",
]);
/** Keywords that hold schemas by name. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

const NUMBERS = ["minimum", "maximum", "multipleOf"].concat(
  ["Length", "Items", "Properties"].flatMap((what) => [`min${what}`, `max${what}`]),
);

/** What a keyword must hold, and what is wrong where it does not. */
const FORMS: ReadonlyMap<string, readonly [fits: (value: unknown) => boolean, problem: string]> =
  new Map([
    ["required", [isTextList, "it is no list of names"]],
    ["enum", [Array.isArray, "it is no list"]],
    ["$ref", [(value) => typeof value === "string", "it is no text"]],
    ["$dynamicRef", [() => false, "dynamic references are not supported; use $ref"]],
    ["dependencies", [isObject, "it is no object"]],
    ["dependentRequired", [
      (value) => isObject(value) && Object.values(value).every(isTextList),
      "it is no object of lists of names",
    ]],
    ...NUMBERS.map((name): [string, [(value: unknown) => boolean, string]] => [
      name,
      [(value) => typeof value === "number", "it is no number"],
    ]),
  ]);

/** How deep a schema may be nested. */
const MOST_LEVELS = 100;

/** An address for schemas that have none of their own; nothing is fetched from it. */
const NO_ADDRESS = "schema:/";

/** The dialect of a schema; the newest where it names none. */
export function dialectOf(schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" | undefined {
  const named = schema["$schema"];
  if (named === undefined) return "2020-12";
  return typeof named === "string" ? DIALECTS.get(named.replace(/#$/, "")) : undefined;
}

/** What is wrong with a schema, or `undefined` where it can be checked. */
export function schemaProblem(schema: unknown): string | undefined {
  try {
    if (!isObject(schema)) throw new Problem("", "it is no object");
    if (dialectOf(schema) === undefined) {
      throw new Problem("$schema", `the dialect ${quoted(schema["$schema"])} is not known`);
    }
    const walk: Walk = { targets: new Set(), references: [] };
    checkSchema(schema, "", NO_ADDRESS, walk, 0);
    for (const { path, target } of walk.references) {
      if (!walk.targets.has(target) && !pointsInto(schema, target)) {
        throw new Problem(path, `${quoted(target.replace(NO_ADDRESS, ""))} is not in the schema`);
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) return messageOf(error);
    return error.path === "" ? error.message : `${error.path}: ${error.message}`;
  }
}

class Problem extends Error {
  constructor(readonly path: string, message: string) {
    super(message);
  }
}

interface Walk {
  /** The addresses of parts that have one. */
  readonly targets: Set<string>;
  /** What is referred to, and where. */
  readonly references: { path: string; target: string }[];
}

function checkSchema(schema: unknown, path: string, base: string, walk: Walk, level: number): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) throw new Problem(path, `${quoted(schema)} is no schema`);
  if (level > MOST_LEVELS) throw new Problem(path, `it is nested more than ${MOST_LEVELS} deep`);
  const own = addressOf(schema, path, base, walk);
  const deeper = (part: unknown, way: string) => checkSchema(part, way, own, walk, level + 1);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = path === "" ? keyword : `${path}.${keyword}`;
    if (SCHEMA_KEYWORDS.has(keyword)) deeper(value, at);
    else if (SCHEMA_MAPS.has(keyword)) {
      if (!isObject(value)) throw new Problem(at, "it is no object");
      for (const [name, part] of Object.entries(value)) {
        if (keyword === "patternProperties") checkPattern(name, at);
        deeper(part, `${at}.${name}`);
      }
    } else if (SCHEMA_LISTS.has(keyword) || keyword === "items" && Array.isArray(value)) {
      if (!Array.isArray(value)) throw new Problem(at, "it is no list");
      value.forEach((part, index) => deeper(part, `${at}.${index}`));
    } else if (keyword === "items") deeper(value, at);
    else checkKeyword(keyword, value, at, own, walk, deeper);
  }
}

/** The keywords that hold something else than schemas. */
function checkKeyword(
  keyword: string,
  value: unknown,
  at: string,
  base: string,
  walk: Walk,
  deeper: (part: unknown, way: string) => void,
): void {
  const [fits, problem] = FORMS.get(keyword) ?? [];
  if (fits?.(value) === false) throw new Problem(at, problem!);
  if (keyword === "type" && ![value].flat().every((type) => TYPES.has(type))) {
    throw new Problem(at, `${quoted(value)} is no type`);
  }
  if (keyword === "pattern") checkPattern(value, at);
  if (keyword === "$ref") {
    walk.references.push({ path: at, target: resolve(String(value), base, at) });
  }
  if (keyword !== "dependencies") return;
  for (const [name, part] of Object.entries(asObject(value))) {
    if (!isTextList(part)) deeper(part, `${at}.${name}`);
  }
}

/** The address that references within a schema are relative to; notes the schema's own. */
function addressOf(schema: JsonSchema, path: string, base: string, walk: Walk): string {
  const id = schema["$id"];
  const own = typeof id === "string" ? resolve(id, base, path) : base;
  if (path === "" || own !== base) walk.targets.add(own).add(`${own}#`);
  const anchor = schema["$anchor"];
  if (typeof anchor === "string") walk.targets.add(`${own}#${anchor}`);
  return own;
}

function resolve(reference: string, base: string, path: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw new Problem(path, `${quoted(reference)} is no address`);
  }
}

/** Whether a reference such as `#/$defs/name` leads to something within the schema. */
function pointsInto(schema: JsonSchema, target: string): boolean {
  const root = typeof schema["$id"] === "string"
    ? new URL(schema["$id"], NO_ADDRESS).href
    : NO_ADDRESS;
  if (!target.startsWith(`${root.replace(/#$/, "")}#/`)) return false;
  const pointer = decodeURIComponent(target.slice(target.indexOf("#/") + 2));
  let part: unknown = schema;
  for (const step of pointer.split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return false;
    part = fieldOf(part, key);
  }
  return isObject(part) || typeof part === "boolean";
}

function checkPattern(pattern: unknown, path: string): void {
  if (typeof pattern !== "string") throw new Problem(path, "it is no text");
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    throw new Problem(path, messageOf(error));
  }
}

function quoted(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
