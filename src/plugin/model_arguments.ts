/**
 * Input schemas as clients list them, in the subset of JSON Schema that every model API accepts: one
 * `type` per node, `items` in every array, no references and no combinators. For one unsupported
 * property (OpenAI: an array without `items`; Gemini: a list of types) an API rejects the whole
 * request. Arguments beyond the subset are left out of an open object, and bounds to save space: the
 * original validates calls. Also reads arguments as models write them: clients pass lists, objects,
 * numbers and booleans as JSON text, and null or an empty text for an argument that is left out.
 */

import { orElse } from "../errors.ts";
import { asObject, defined, isObject, textOf, textsOf, unlessEmpty } from "../io/json.ts";
import type { JsonSchema } from "./json_schema.ts";

/** Keywords that no list of arguments can express. */
const UNLISTED = ["$ref", "allOf", "anyOf", "if", "not", "oneOf"];
/** Removes a combinator whose only choice is taken: a schema or null, a list or single values. */
const NO_CHOICE = { anyOf: undefined, oneOf: undefined };

/** Longer lists of values are not listed as an `enum`; deeper arguments are not listed. */
const MOST_ENUM_VALUES = 100;
const DEEPEST_LISTED = 12;

/**
 * Rewrites a tool's input schema: an object, closed if it takes no arguments. Also returns the paths of
 * the arguments that it leaves out.
 */
export function portableSchema(schema: JsonSchema) {
  const omitted: string[] = [];
  if (!isObject(schema)) return { json: { type: "object", additionalProperties: true }, omitted };
  const { properties, additionalProperties: others } = schema;
  const combined = Object.keys(schema).find((name) =>
    [...UNLISTED, "patternProperties"].includes(name)
  );
  // With properties, the root's combinators usually say which of them are required together.
  if (properties === undefined && combined !== undefined) omitted.push(combined);
  const node = objectNode({ properties: {}, ...schema }, [], omitted);
  const isEmpty = isObject(properties) && Object.keys(properties).length === 0;
  const isClosed = isEmpty && !others && combined === undefined;
  const isOpen = properties === undefined && combined !== undefined;
  const json = isClosed || isOpen ? { ...node, additionalProperties: isOpen } : node;
  return { json, omitted };
}

/** Rewrites the schema of an argument, or returns `undefined` and records its path. */
function portable(
  schema: unknown,
  path: readonly string[],
  omitted: string[],
): JsonSchema | undefined {
  // Every model can write a string.
  if (!isObject(schema)) return { type: "string" };
  const choices = [schema["anyOf"], schema["oneOf"]].find(Array.isArray)
    ?.filter((choice) => typesOf(choice).length > 0);
  // A list also takes single values, and a model writes every scalar as a text.
  const ofType = (type: string) => (each: unknown) =>
    typesOf(each).includes(type) && !("enum" in asObject(each) || "const" in asObject(each));
  const choice = choices?.length === 1
    ? choices[0]
    : choices?.every((each) => typesOf(each)[0] !== "object") &&
      (choices.find(ofType("array")) ?? choices.find(ofType("string")));
  if (choice) return portable({ ...schema, ...NO_CHOICE, ...asObject(choice) }, path, omitted);
  const types = typesOf(schema);
  const isMixed = types.includes("object") && types.length > 1;
  if (
    isMixed || path.length > DEEPEST_LISTED ||
    UNLISTED.some((name) => schema[name] !== undefined)
  ) {
    omitted.push(path.join("."));
    return undefined;
  }
  if (types.includes("array")) return arrayNode(schema, path, omitted);
  if (types[0] === "object") return annotate(objectNode(schema, path, omitted), schema);
  return scalarNode(types.includes("string") ? "string" : types[0]!, schema);
}

function arrayNode(schema: JsonSchema, path: readonly string[], omitted: string[]): JsonSchema {
  const { items, prefixItems } = schema;
  const [item] = [prefixItems, items].flat().filter(isObject);
  const listed = portable(item, [...path, "items"], omitted) ?? { type: "object" };
  return annotate({ type: "array", items: listed }, schema);
}

function objectNode(schema: JsonSchema, path: readonly string[], omitted: string[]): JsonSchema {
  const { properties, additionalProperties: others, patternProperties } = schema;
  const before = omitted.length;
  const fields = Object.entries(asObject(properties)).flatMap(([name, property]) => {
    const isListed = property !== false && asObject(property)["unlisted"] !== true;
    const node = isListed ? portable(property, [...path, name], omitted) : undefined;
    return node === undefined ? [] : [[name, node] as const];
  });
  const names = new Set(fields.map(([name]) => name));
  const required = [...new Set(textsOf(schema["required"]))].filter((name) => names.has(name));
  const isTyped = isObject(others) && Object.keys(others).length > 0;
  const listedOthers = isTyped ? portable(others, [...path, "*"], omitted) : undefined;
  const isOpen = omitted.length > before || patternProperties !== undefined ||
    others !== undefined && others !== false;
  return defined({
    type: "object",
    properties: isObject(properties) ? Object.fromEntries(fields) : undefined,
    required: unlessEmpty(required),
    // Closed objects are not listed as such: a call rejects other arguments and names the nearest.
    additionalProperties: isOpen ? listedOthers ?? true : undefined,
  });
}

/** A text, number or boolean. Only texts have an `enum`: Gemini accepts no others. */
function scalarNode(type: string, schema: JsonSchema): JsonSchema {
  const { enum: values = [schema["const"]], format, pattern } = schema;
  const allowed = [values].flat().filter((value) => value != null);
  const isEnum = type === "string" && allowed.length <= MOST_ENUM_VALUES;
  const texts = allowed.slice(0, MOST_ENUM_VALUES).map((value) => JSON.stringify(value));
  const node = defined({
    type,
    enum: isEnum ? unlessEmpty([...new Set(allowed)]) : undefined,
    format: format === "date-time" ? format : undefined,
    // OpenAI accepts no lookarounds.
    pattern: typeof pattern === "string" && !/\(\?[=!<]/.test(pattern) ? pattern : undefined,
  });
  return annotate(node, schema, isEnum || texts.length === 0 ? "" : `One of ${texts.join(", ")}`);
}

/** The types without `null`: optional arguments are omitted instead. Every model writes texts. */
function typesOf(schema: unknown): string[] {
  const { type, properties, items, ...rest } = asObject(schema);
  const { const: only = [rest["enum"]].flat().find((value) => value !== null) } = rest;
  if (type === "null" || only === null) return [];
  const types = textsOf([type].flat()).filter((each) => each !== "null");
  if (types.length > 0) return types;
  if (only !== undefined) return [Array.isArray(only) ? "array" : typeof only];
  return [properties !== undefined ? "object" : items !== undefined ? "array" : "string"];
}

function annotate(
  node: JsonSchema,
  { description, default: preset }: JsonSchema,
  note = "",
): JsonSchema {
  const texts = [textOf(description) ?? textOf(node["description"]), note].filter(Boolean);
  const isListed = ["string", "number", "boolean"].includes(typeof preset);
  return defined({
    ...node,
    description: texts.join(". ") || undefined,
    default: isListed ? preset : undefined,
  });
}

/** How arguments are converted. */
interface Reading {
  /** Whether an optional text that is empty is left out: where it is a filter. */
  readonly dropsEmpty: boolean;
  /** Whether a single value becomes a list of one. */
  readonly makesLists?: boolean;
}

/**
 * Converts arguments to the types of their schema. A value that cannot be converted stays, so that
 * validation reports it; a text stays a text wherever the schema accepts one.
 *
 * @param schema The listed schema of the arguments: one type a node.
 */
export function readArguments(value: unknown, schema: JsonSchema, reading: Reading): unknown {
  if (!isObject(value)) return value;
  const properties = asObject(schema["properties"]);
  const required = new Set(textsOf(schema["required"]));
  const read = Object.entries(value).flatMap(([name, argument]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, argument]];
    const property = asObject(properties[name]);
    if (!required.has(name) && isAbsent(argument, property, reading)) return [];
    return [[name, readValue(argument, property, reading)]];
  });
  return Object.fromEntries(read);
}

function isAbsent(input: unknown, property: JsonSchema, reading: Reading): boolean {
  if (input === null) return true;
  const { type } = property;
  return input === "" && type !== undefined && (reading.dropsEmpty || type !== "string");
}

function readValue(input: unknown, property: JsonSchema, reading: Reading): unknown {
  const { type } = property;
  if (typeof input === "string" && type !== "string" && type !== undefined) {
    const parsed = parsedText(input);
    if (isOf(parsed, type)) return readValue(parsed, property, reading);
  }
  const isList = Array.isArray(input) || reading.makesLists && input !== null;
  if (type === "array" && isList) {
    return [input].flat().map((item) => readValue(item, asObject(property["items"]), reading));
  }
  return type === "object" ? readArguments(input, property, reading) : input;
}

function isOf(value: unknown, type: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  // deno-lint-ignore valid-typeof -- a type of JSON Schema
  return typeof value === type;
}

/** Parses a text as JSON or as a boolean of Python; `undefined` if it is neither. */
function parsedText(text: string): unknown {
  const json = text.trim().replace(/^(?:True|False)$/, (word) => word.toLowerCase());
  return orElse(() => JSON.parse(json), undefined);
}
