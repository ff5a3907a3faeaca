/**
 * Reads arguments as models write them: clients pass lists, objects, numbers and booleans as JSON
 * text, and null or an empty text for an argument that is left out.
 */

import { asObject, isObject, textsOf } from "../io/json.ts";
import type { JsonSchema } from "./json_schema.ts";

/**
 * Returns the arguments as their schema wants them; what fits no other way stays as it is, for the
 * check of the schema. A text stays a text wherever the schema takes one.
 *
 * @param schema The listed schema of the arguments: one type a node.
 * @param dropsEmpty Whether an optional text that is empty is left out: where it is a filter.
 */
export function readArguments(value: unknown, schema: JsonSchema, dropsEmpty: boolean): unknown {
  if (!isObject(value)) return value;
  const properties = asObject(schema["properties"]);
  const required = new Set(textsOf(schema["required"]));
  const read = Object.entries(value).flatMap(([name, given]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, given]];
    const property = asObject(properties[name]);
    if (!required.has(name) && isAbsent(given, property, dropsEmpty)) return [];
    return [[name, readValue(given, property, dropsEmpty)]];
  });
  return Object.fromEntries(read);
}

function isAbsent(given: unknown, property: JsonSchema, dropsEmpty: boolean): boolean {
  if (given === null) return true;
  const { type } = property;
  return given === "" && type !== undefined && (dropsEmpty || type !== "string");
}

function readValue(given: unknown, property: JsonSchema, dropsEmpty: boolean): unknown {
  const { type } = property;
  if (typeof given === "string" && type !== "string" && type !== undefined) {
    const parsed = parsedText(given);
    return isOf(parsed, type) ? readValue(parsed, property, dropsEmpty) : given;
  }
  if (type === "array" && Array.isArray(given)) {
    return given.map((item) => readValue(item, asObject(property["items"]), dropsEmpty));
  }
  return type === "object" ? readArguments(given, property, dropsEmpty) : given;
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
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
