/**
 * Reads arguments as models write them: clients pass lists, objects, numbers and booleans as JSON
 * text, and null or an empty text for an argument that is left out.
 */

import { orElse } from "../errors.ts";
import { asObject, isObject, textsOf } from "../io/json.ts";
import type { JsonSchema } from "./json_schema.ts";

/** How arguments are read. */
interface Reading {
  /** Whether an optional text that is empty is left out: where it is a filter. */
  readonly dropsEmpty: boolean;
  /** Whether a single value stands for a list of it. */
  readonly makesLists?: boolean;
}

/**
 * Returns the arguments as their schema wants them; what fits no other way stays as it is, for the
 * check of the schema. A text stays a text wherever the schema takes one.
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

/** What a text says as JSON, or with the booleans of Python; `undefined` if it is neither. */
function parsedText(text: string): unknown {
  const json = text.trim().replace(/^(?:True|False)$/, (word) => word.toLowerCase());
  return orElse(() => JSON.parse(json), undefined);
}
