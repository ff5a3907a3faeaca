/**
 * Rewrites input schemas to the subset of JSON Schema that every model API accepts. For one
 * unsupported property (OpenAI: an array without `items`; Gemini: a list of types) an API rejects
 * the whole request.
 *
 * A rewritten schema accepts no more than the original, which validates the actual call.
 */

import { asObject, isObject, textOf, textsOf } from "../io/json.ts";
import { type JsonSchema, type SchemaIssue, targetOf } from "./json_schema.ts";

/** Numeric keywords that every API accepts, by type. */
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

/** Keywords that imply a type. */
const TELLTALES = {
  object: ["properties", "additionalProperties", "required", "patternProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  number: ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"],
};

/** Keywords besides `properties` that may declare arguments. */
const COMBINATORS = new Set(["$ref", "allOf", "anyOf", "if", "not", "oneOf", "patternProperties"]);

interface Rewriting {
  readonly root: JsonSchema;
  readonly following: readonly string[];
  readonly level: number;
  readonly budget: { nodes: number };
}

/**
 * Rewrites a tool's input schema: an object, closed if it takes no arguments; one `type` per node,
 * `items` in every array, no references, and `anyOf` only below the root and between disjoint types.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return { type: "object", additionalProperties: true };
  const rewriting = { root: schema, following: [], level: 0, budget: { nodes: MOST_NODES } };
  const listed = portable({ ...schema, type: "object" }, rewriting);
  const { properties = {}, ...rest } = listed;
  const isClosed = isObject(schema["properties"]) &&
    Object.keys(schema["properties"]).length === 0 &&
    rest["additionalProperties"] === undefined &&
    !Object.keys(schema).some((keyword) => COMBINATORS.has(keyword));
  return {
    ...rest,
    type: "object",
    properties,
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** An empty schema becomes a string, which every model can write. */
function portable(schema: unknown, at: Rewriting): JsonSchema {
  if (!isObject(schema)) return { type: "string" };
  if (at.level > MOST_LEVELS || at.budget.nodes-- <= 0) return leafOf(schema);
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if (typeof $ref === "string") {
    const target = at.following.includes($ref) ? undefined : targetOf(at.root, $ref);
    const following = [...at.following, $ref];
    if (!isObject(target)) return described({ type: "object" }, own);
    return portable({ ...target, ...own }, { ...at, following });
  }
  if (Array.isArray(allOf) && allOf.length > 0) {
    const parts = allOf.map((part) => isObject(part) ? resolved(part, at) : {});
    return portable(merged([...parts, { ...own, anyOf, oneOf }]), at);
  }
  const choices = [anyOf, oneOf].find(Array.isArray) ?? [];
  if (choices.length > 0) return choiceOf(own, choices, at);
  const types = typesOf(own);
  if (types.length > 1) {
    return choiceOf(
      { description: own["description"], default: own["default"] },
      types.map((type) => ({ ...own, type })),
      at,
    );
  }
  return nodeOf(types[0]!, own, at);
}

function nodeOf(type: string, schema: JsonSchema, at: Rewriting): JsonSchema {
  const deeper = { ...at, level: at.level + 1 };
  const node: Record<string, unknown> = { type };
  const notes: string[] = [];
  for (const keyword of BOUNDS[type] ?? []) {
    if (typeof schema[keyword] === "number") node[keyword] = schema[keyword];
  }
  const values = valuesOf(schema);
  if (values !== undefined && type !== "object" && type !== "array") {
    // Gemini accepts only string values.
    if (type === "string" && values.length <= MOST_VALUES) node["enum"] = values;
    else {
      const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
      notes.push(`One of ${shown.join(", ")}`);
    }
  }
  const format = textOf(schema["format"]);
  if (format !== undefined && type === "string") {
    // Gemini accepts no other format.
    if (format === "date-time") node["format"] = format;
    else notes.push(`Format: ${format}`);
  }
  const pattern = textOf(schema["pattern"]);
  if (pattern !== undefined && type === "string") {
    // OpenAI rejects lookarounds.
    if (!/\(\?[=!<]/.test(pattern)) node["pattern"] = pattern;
    else notes.push(`Pattern: ${pattern}`);
  }
  if (type === "array") node["items"] = itemsOf(schema, deeper);
  if (type === "object") Object.assign(node, fieldsOf(schema, deeper));
  return described(node, schema, notes);
}

function itemsOf({ items, prefixItems }: JsonSchema, at: Rewriting): JsonSchema {
  const places = [prefixItems, items].filter(Array.isArray).flat();
  if (places.length === 0) return portable(items, at);
  return choiceOf({}, isObject(items) ? [...places, items] : places, at);
}

function fieldsOf(schema: JsonSchema, at: Rewriting): JsonSchema {
  const { properties, additionalProperties: others } = schema;
  const fields = Object.fromEntries(
    Object.entries(asObject(properties)).filter(([, property]) => property !== false)
      .map(([name, property]) => [name, portable(property, at)]),
  );
  const required = textsOf(schema["required"]).filter((name) => Object.hasOwn(fields, name));
  const open = typeof others === "boolean"
    ? others
    : isObject(others)
    ? Object.keys(others).length === 0 || portable(others, at)
    : undefined;
  return {
    ...(isObject(properties) ? { properties: fields } : {}),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(open === undefined ? {} : { additionalProperties: open }),
  };
}

function choiceOf(own: JsonSchema, choices: readonly unknown[], at: Rewriting): JsonSchema {
  const parts = choices.map((choice) => isObject(choice) ? resolved(choice, at) : {});
  // Siblings of the choices apply to each: usually properties, of which each choice requires some.
  const { description: _description, default: _default, title: _title, ...shared } = own;
  const nodes = parts.filter((part) => part["type"] !== "null" && part["const"] !== null)
    .map((part) => portable(Object.keys(shared).length === 0 ? part : merged([shared, part]), at));
  const united = unitedNodes(nodes);
  if (united.length === 1) return described(united[0]!, own);
  if (united.length === 0) return described({ type: "string" }, own);
  return described({ anyOf: united }, own);
}

/** The smallest list of nodes that accepts no more than the given ones. */
function unitedNodes(nodes: readonly JsonSchema[]): JsonSchema[] {
  const flat = nodes.flatMap((node) =>
    Array.isArray(node["anyOf"]) ? node["anyOf"].filter(isObject) : [node]
  );
  const byType = new Map<unknown, JsonSchema>();
  for (const node of flat) {
    const type = node["type"];
    const known = byType.get(type);
    byType.set(type, known === undefined ? node : unitedPair(known, node));
  }
  const array = byType.get("array");
  if (array !== undefined) {
    // A single value is accepted in place of a list; see `withLists`.
    const single = [...byType.values()].filter((node) =>
      node !== array && node["type"] !== "object"
    );
    if (single.length > 0) {
      for (const { type } of single) byType.delete(type);
      byType.set("array", {
        ...array,
        items: atMostOne(unitedNodes([asObject(array["items"]), ...single])),
      });
    }
  }
  if (isAnyText(byType.get("string"))) {
    for (const type of ["number", "integer", "boolean"]) byType.delete(type);
  }
  if (byType.has("number")) byType.delete("integer");
  return [...byType.values()];
}

function atMostOne(nodes: readonly JsonSchema[]): JsonSchema {
  return nodes.length === 1 ? nodes[0]! : { anyOf: nodes };
}

function isAnyText(node: JsonSchema | undefined): boolean {
  return node !== undefined &&
    Object.keys(node).every((key) => key === "type" || key === "description");
}

function unitedPair(a: JsonSchema, b: JsonSchema): JsonSchema {
  const type = a["type"];
  const description = a["description"] ?? b["description"];
  const about = description === undefined ? {} : { description };
  if (type === "object") {
    const first = asObject(a["properties"]);
    const second = asObject(b["properties"]);
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    const properties = Object.fromEntries(names.map((name) => {
      const both = [first[name], second[name]].filter(isObject);
      return [name, both.length === 1 ? both[0]! : atMostOne(unitedNodes(both))];
    }));
    const needed = textsOf(b["required"]);
    const required = textsOf(a["required"]).filter((name) => needed.includes(name));
    const isClosed = a["additionalProperties"] === false && b["additionalProperties"] === false;
    return {
      type,
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(isClosed ? { additionalProperties: false } : {}),
      ...about,
    };
  }
  if (type === "array") {
    return {
      type,
      items: atMostOne(unitedNodes([asObject(a["items"]), asObject(b["items"])])),
      ...about,
    };
  }
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) {
    return { type, enum: [...new Set([...a["enum"], ...b["enum"]])], ...about };
  }
  return JSON.stringify(a) === JSON.stringify(b) ? a : { type, ...about };
}

/** Merges the parts of an intersection. */
function merged(parts: readonly JsonSchema[]): JsonSchema {
  const whole: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      const known = whole[keyword];
      if (value === undefined) continue;
      if (keyword === "properties") whole[keyword] = { ...asObject(known), ...asObject(value) };
      else if (keyword === "required") whole[keyword] = [...textsOf(known), ...textsOf(value)];
      // In an intersection, each closed part would forbid the properties of the others.
      else if (keyword === "additionalProperties" && parts.length > 1) continue;
      else whole[keyword] = value;
    }
  }
  return whole;
}

/** Resolves the reference of a schema, if it has one. */
function resolved(schema: JsonSchema, at: Rewriting): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== "string" || at.following.includes($ref)) return schema;
  const target = targetOf(at.root, $ref);
  return isObject(target) && target["$ref"] === undefined ? { ...target, ...own } : schema;
}

/** The types without `null`: optional arguments are omitted instead. */
function typesOf(schema: JsonSchema): string[] {
  const named = [schema["type"]].flat().filter((type) => typeof type === "string");
  const types = named.filter((type) => type !== "null");
  if (types.length > 0) return types;
  const values = (valuesOf(schema) ?? [schema["default"]]).filter((value) =>
    value !== undefined && value !== null
  );
  if (values.length > 0) {
    return [...new Set(values.map((value) => Array.isArray(value) ? "array" : typeof value))];
  }
  const implied = Object.entries(TELLTALES).find(([, keywords]) =>
    keywords.some((name) => schema[name] !== undefined)
  );
  return [implied?.[0] ?? "string"];
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]];
  const values = schema["enum"];
  return Array.isArray(values) ? values.filter((value) => value !== null) : undefined;
}

/** Shown for a node below the depth limit. */
function leafOf(schema: JsonSchema): JsonSchema {
  const [type = "string"] = typesOf(schema);
  return type === "array" ? { type, items: { type: "string" } } : { type };
}

function described(
  node: JsonSchema,
  { description, default: preset }: JsonSchema,
  notes: readonly string[] = [],
): JsonSchema {
  const text = [textOf(description) ?? textOf(node["description"]), ...notes].filter(Boolean).join(
    ". ",
  );
  return {
    ...node,
    ...(text === "" ? {} : { description: text }),
    ...(["string", "number", "boolean"].includes(typeof preset) ? { default: preset } : {}),
  };
}

/** Wraps single values in lists if only that is valid, so that filters take one or several. */
export function withLists(
  value: unknown,
  listed: JsonSchema,
  refused: readonly Pick<SchemaIssue, "path">[],
): unknown {
  if (!isObject(value)) return value;
  const properties = asObject(listed["properties"]);
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const property = Object.hasOwn(properties, name) ? asObject(properties[name]) : {};
      const within = refused.filter(({ path: [first] }) => first === name)
        .map(({ path }) => ({ path: path.slice(1) }));
      if (within.length === 0) return [name, given];
      if (property["type"] === "object") return [name, withLists(given, property, within)];
      const isSingle = property["type"] === "array" && !Array.isArray(given) &&
        given !== undefined && given !== null;
      return [name, isSingle ? [given] : given];
    }),
  );
}
