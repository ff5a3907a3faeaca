/**
 * What a tool takes, in words.
 *
 * @module
 */

import { asObject } from "../io/json.ts";
import { type JsonSchema, propertiesOf, requiredOf } from "../tools/schema.ts";

/** One argument of a tool. */
export interface Argument {
  /** Its name. */
  readonly name: string;
  /** Whether the tool cannot do without it. */
  readonly required: boolean;
  /** Its type, or its values. */
  readonly type: string;
  /** What it means. */
  readonly description: string;
}

/** The arguments of a tool, in the order of its schema. */
export function argumentsOf(schema: JsonSchema): Argument[] {
  const required = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    required: required.has(name),
    type: typeText(property),
    description: String(property["description"] ?? ""),
  }));
}

/** The type of a property: its values where they are listed. */
export function typeText(property: JsonSchema): string {
  const values = property["enum"];
  if (Array.isArray(values)) return values.map(String).join(" | ");
  if (property["const"] !== undefined) return JSON.stringify(property["const"]);
  const options = property["anyOf"] ?? property["oneOf"];
  if (Array.isArray(options)) return [...new Set(options.map(typeText))].join(" or ");
  if (property["type"] === "array") return `list of ${typeText(asObject(property["items"]))}`;
  const { type } = property;
  const name = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  return property["default"] === undefined
    ? name
    : `${name}, default ${JSON.stringify(property["default"])}`;
}
