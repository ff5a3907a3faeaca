/**
 * What a tool takes, in words and as an example.
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

/** Values that read better in an example than the name of the argument. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  id: "WORK-001",
  rune: "hint",
  runes: ["hint"],
  status: "in-progress",
  title: "A short title",
  milestone: "v1.0.0",
  attributes: { type: "warning" },
  attrs: { priority: "high" },
  source: '{% hint type="warning" %}\nMind the gap.\n{% /hint %}',
  since: "14d",
  name: "my-spec",
  goal: "What is to be built",
};

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

/** Arguments that the schema accepts: what is required, or else one that shows how it is done. */
export function sampleInput(schema: JsonSchema): Record<string, unknown> {
  const required = requiredOf(schema);
  const all = Object.entries(propertiesOf(schema));
  // An id alone changes nothing.
  const names = required.length > 0
    ? required.join() === "id" ? ["id", "status"] : required
    : all.map(([name]) => name).filter((name) => name !== "dir" && name !== "site").slice(0, 1);
  return Object.fromEntries(
    all.filter(([name]) => names.includes(name)).map((
      [name, property],
    ) => [name, sample(name, property)]),
  );
}

function sample(name: string, property: JsonSchema): unknown {
  const example = firstOf(property["examples"]);
  if (example !== undefined) return example;
  const values = property["enum"];
  if (Array.isArray(values)) return values.includes(SAMPLES[name]) ? SAMPLES[name] : values[0];
  if (property["const"] !== undefined) return property["const"];
  const option = firstOf(property["anyOf"] ?? property["oneOf"]);
  if (option !== undefined) return sample(name, asObject(option));
  if (property["default"] !== undefined) return property["default"];
  const type = Array.isArray(property["type"]) ? property["type"][0] : property["type"];
  if (fits(SAMPLES[name], type)) return SAMPLES[name];
  if (type === "integer" || type === "number") return Number(property["minimum"] ?? 1);
  if (type === "boolean") return true;
  if (type === "array") return [sample(name, asObject(property["items"]))];
  return type === "object" ? sampleInput(property) : `<${name}>`;
}

function fits(value: unknown, type: unknown): boolean {
  if (value === undefined) return false;
  return type === (Array.isArray(value) ? "array" : typeof value);
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}
