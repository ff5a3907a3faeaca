/**
 * Rewrites input schemas to the subset of JSON Schema that every model API accepts. For one
 * unsupported property (OpenAI: an array without `items`; Gemini: a list of types) an API rejects
 * the whole request. The original validates the actual call.
 */

import { asObject, isObject, textOf, textsOf } from "../io/json.ts";
import { type JsonSchema, targetOf } from "./json_schema.ts";

/** Keywords that imply a type, and those that every API accepts, by type. */
const IMPLYING: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "additionalProperties", "required", "patternProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  number: ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"],
};
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  array: ["minItems", "maxItems"],
};

/** Longer lists of values are not listed as an `enum`. */
const MOST_VALUES = 100;

/** Limits of a listed schema; references can multiply nodes. */
const MOST_LEVELS = 12;
const MOST_NODES = 2000;

/** Keywords besides `properties` that may declare arguments. */
const COMBINATORS = ["$ref", "allOf", "anyOf", "if", "not", "oneOf", "patternProperties"];

interface Rewriting {
  readonly root: JsonSchema;
  readonly following: readonly unknown[];
  readonly level: number;
  readonly budget: { nodes: number };
}

/**
 * Rewrites a tool's input schema: an object, closed if it takes no arguments; one `type` per node,
 * `items` in every array, no references, and `anyOf` only below the root and between disjoint types.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return { type: "object", additionalProperties: true };
  const at = { root: schema, following: [], level: 0, budget: { nodes: MOST_NODES } };
  const { properties = {}, ...rest } = portable({ ...schema, type: "object" }, at);
  const { properties: declared, additionalProperties } = schema;
  const isClosed = isObject(declared) && Object.keys(declared).length === 0 &&
    !additionalProperties && COMBINATORS.every((keyword) => !(keyword in schema));
  return { ...rest, properties, ...(isClosed ? { additionalProperties: false } : {}) };
}

/** An empty schema becomes a string, which every model can write. */
function portable(schema: unknown, at: Rewriting): JsonSchema {
  if (!isObject(schema)) return { type: "string" };
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const types = typesOf(own);
  if (at.level > MOST_LEVELS || at.budget.nodes-- <= 0) {
    return { type: types[0], ...(types[0] === "array" ? { items: { type: "string" } } : {}) };
  }
  if ($ref !== undefined) {
    const target = at.following.includes($ref) ? undefined : targetOf(at.root, String($ref));
    if (!isObject(target)) return described({ type: "object" }, own);
    return portable({ ...target, ...own }, { ...at, following: [...at.following, $ref] });
  }
  const choices = [anyOf, oneOf].find(Array.isArray) ?? [];
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => resolved(part, at));
    return portable(merged([...parts, own, choices.length > 0 ? { anyOf: choices } : {}]), at);
  }
  // Siblings of the choices apply to each: usually properties, of which each choice requires some.
  const { description: _description, default: _default, title: _title, ...shared } = own;
  if (choices.length > 0) {
    const parts = choices.map((choice) => resolved(choice, at))
      .filter((part) => part["type"] !== "null" && part["const"] !== null)
      .map((part) => Object.keys(shared).length === 0 ? part : merged([shared, part]));
    return described(united(parts.map((part) => portable(part, at))), own);
  }
  if (types.length === 1) return nodeOf(types[0]!, own, { ...at, level: at.level + 1 });
  return described(united(types.map((type) => portable({ ...shared, type }, at))), own);
}

function nodeOf(type: string, schema: JsonSchema, at: Rewriting): JsonSchema {
  const node: Record<string, unknown> = { type };
  const notes: string[] = [];
  for (const keyword of BOUNDS[type] ?? []) {
    if (typeof schema[keyword] === "number") node[keyword] = schema[keyword];
  }
  const values = valuesOf(schema);
  // Gemini accepts only string values.
  if (type === "string" && values !== undefined && values.length <= MOST_VALUES) {
    node["enum"] = values;
  } else if (values !== undefined && type !== "object" && type !== "array") {
    const listed = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    notes.push(`One of ${listed.join(", ")}`);
  }
  const { format, pattern } = schema;
  // Gemini accepts no other format, OpenAI no lookarounds.
  if (format === "date-time") node["format"] = format;
  else if (typeof format === "string" && type === "string") notes.push(`Format: ${format}`);
  if (typeof pattern === "string" && type === "string") {
    if (!/\(\?[=!<]/.test(pattern)) node["pattern"] = pattern;
    else notes.push(`Pattern: ${pattern}`);
  }
  if (type === "array") {
    const { items, prefixItems } = schema;
    const places = [prefixItems, items].filter(Array.isArray).flat();
    if (isObject(items) || places.length === 0) places.push(items);
    node["items"] = united(places.map((place) => portable(place, at)));
  }
  if (type === "object") Object.assign(node, fieldsOf(schema, at));
  return described(node, schema, notes);
}

function fieldsOf(schema: JsonSchema, at: Rewriting): JsonSchema {
  const { properties, additionalProperties: others } = schema;
  const fields = Object.fromEntries(
    Object.entries(asObject(properties)).filter(([, property]) => property !== false)
      .map(([name, property]) => [name, portable(property, at)]),
  );
  const required = textsOf(schema["required"]).filter((name) => Object.hasOwn(fields, name));
  const isTyped = isObject(others) && Object.keys(others).length > 0;
  return {
    ...(isObject(properties) ? { properties: fields } : {}),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    // Closed objects are not listed as such: a call rejects other arguments and names the nearest.
    ...(others === undefined || others === false
      ? {}
      : { additionalProperties: isTyped ? portable(others, at) : true }),
  };
}

/** One node for several: those of one type are united, and a list stands for its single values. */
function united(nodes: readonly JsonSchema[]): JsonSchema {
  const byType = new Map<unknown, JsonSchema>();
  for (const node of nodes.flatMap((one) => Array.isArray(one["anyOf"]) ? one["anyOf"] : [one])) {
    const same = byType.get(node.type);
    byType.set(node.type, same === undefined ? node : unitedPair(same, node));
  }
  const array = byType.get("array");
  const single = [...byType].filter(([type]) => type !== "array" && type !== "object");
  if (array !== undefined && single.length > 0) {
    // A single value is accepted in place of a list.
    for (const [type] of single) byType.delete(type);
    const items = united([asObject(array["items"]), ...single.map(([, node]) => node)]);
    byType.set("array", { ...array, items });
  }
  const { type: text, description: _, ...limits } = byType.get("string") ?? {};
  if (text !== undefined && Object.keys(limits).length === 0) {
    for (const type of ["number", "integer", "boolean"]) byType.delete(type);
  }
  if (byType.has("number")) byType.delete("integer");
  const [first = { type: "string" }, ...more] = byType.values();
  return more.length === 0 ? first : { anyOf: [first, ...more] };
}

function unitedPair(a: JsonSchema, b: JsonSchema): JsonSchema {
  const { type, description = b["description"] } = a;
  const node = { type, ...(description === undefined ? {} : { description }) };
  const [first, second] = [a["properties"], b["properties"]].map(asObject);
  const required = textsOf(a["required"]).filter((name) => textsOf(b["required"]).includes(name));
  if (type === "object") {
    const properties = Object.keys({ ...first, ...second })
      .map((name) => [name, united([first![name], second![name]].filter(isObject))]);
    return {
      ...node,
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }
  if (type === "array") {
    return { ...node, items: united([asObject(a["items"]), asObject(b["items"])]) };
  }
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) {
    return { ...node, enum: [...new Set([...a["enum"], ...b["enum"]])] };
  }
  return JSON.stringify(a) === JSON.stringify(b) ? a : node;
}

/** An intersection. Each closed part would forbid the properties of the others. */
function merged(parts: readonly JsonSchema[]): JsonSchema {
  const { additionalProperties: _closed, ...whole } = Object.assign({}, ...parts);
  const properties = Object.assign({}, ...parts.map((part) => asObject(part["properties"])));
  const required = parts.flatMap((part) => textsOf(part["required"]));
  return {
    ...whole,
    ...("properties" in whole ? { properties } : {}),
    ...("required" in whole ? { required } : {}),
  };
}

/** Resolves the reference of a schema, if it has one. */
function resolved(schema: unknown, at: Rewriting): JsonSchema {
  const { $ref, ...own } = asObject(schema);
  const target = at.following.includes($ref) ? undefined : targetOf(at.root, String($ref));
  return isObject(target) && target["$ref"] === undefined
    ? { ...target, ...own }
    : asObject(schema);
}

/** The types without `null`: optional arguments are omitted instead. */
function typesOf(schema: JsonSchema): string[] {
  const types = textsOf([schema["type"]].flat()).filter((type) => type !== "null");
  if (types.length > 0) return types;
  const values = (valuesOf(schema) ?? [schema["default"]]).filter((value) => value != null);
  if (values.length > 0) {
    return [...new Set(values.map((value) => Array.isArray(value) ? "array" : typeof value))];
  }
  const implied = Object.entries(IMPLYING).find(([, keywords]) =>
    keywords.some((name) => schema[name] !== undefined)
  );
  return [implied?.[0] ?? "string"];
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]];
  const values = schema["enum"];
  return Array.isArray(values) ? values.filter((value) => value !== null) : undefined;
}

function described(
  node: JsonSchema,
  { description, default: preset }: JsonSchema,
  notes: readonly string[] = [],
): JsonSchema {
  const text = [textOf(description) ?? textOf(node["description"]), ...notes].filter(Boolean)
    .join(". ");
  return {
    ...node,
    ...(text === "" ? {} : { description: text }),
    ...(["string", "number", "boolean"].includes(typeof preset) ? { default: preset } : {}),
  };
}
