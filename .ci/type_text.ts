/** JSON Schemas as TypeScript types, for the snapshot of the public tools. */

import { isDeepStrictEqual } from "node:util";
import { asObject } from "../src/io/json.ts";
import { defineOutput, type JsonSchema, propertiesOf, requiredOf } from "../src/tools/schema.ts";

const WIDTH = 100;

/** Keywords that the text of a type expresses already. All others become comments. */
const SAID = new Set(
  ["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"],
);

/** The fields that every answer may have, printed once. */
const MORE = propertiesOf(
  defineOutput({ type: "object", additionalProperties: false }).json,
)["more"]!;

/** The types that the printed types reference. */
export const SHARED_TYPES = `type integer = number;\ntype More = ${printed(MORE, 0, true)};\n`;

/** A schema as a type, indented by `indent`, with `used` characters before it on the line. */
export function typeOf(schema: JsonSchema, indent = 0, used = 0): string {
  if (isDeepStrictEqual(schema, MORE)) return "More";
  const line = printed(schema, indent, false);
  return used + line.length < WIDTH ? line : printed(schema, indent, true);
}

/** On several lines, or on one. */
function printed(schema: JsonSchema, indent: number, inLines: boolean): string {
  const comments = Object.entries(schema).filter(([keyword]) => !SAID.has(keyword)).map((
    [keyword, value],
  ) => ` /* ${keyword === "description" ? value : `${keyword}: ${JSON.stringify(value)}`} */`);
  return textOf(schema, indent, inLines) + comments.join("");
}

function textOf(schema: JsonSchema, indent: number, inLines: boolean): string {
  const inner = indent + 2;
  const { enum: values, anyOf: choices, type } = schema;
  if (Array.isArray(values)) {
    const text = values.map((value) => JSON.stringify(value)).join(" | ");
    const lines = new RegExp(`(.{1,${WIDTH - inner - 3}}) \\| `, "g");
    return inLines ? text.replace(lines, (_all, end) => `${end}\n${" ".repeat(inner)}| `) : text;
  }
  if (Array.isArray(choices)) {
    return choices.map((choice) => printed(choice, indent, inLines)).join(" | ");
  }
  if (type === "array") {
    const items = printed(asObject(schema["items"]), indent, inLines);
    return items.includes("|") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
  }
  if (type !== "object") return [type ?? "unknown"].flat().join(" | ");
  const required = requiredOf(schema);
  const members = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const start = `${name}${required.includes(name) ? "" : "?"}: `;
    return start +
      (inLines ? typeOf(property, inner, inner + start.length) : printed(property, 0, false));
  });
  const others = schema["additionalProperties"] ?? false;
  if (others !== false) members.push(`[name: string]: ${typeOf(asObject(others), inner, 20)}`);
  if (members.length === 0) return "{}";
  if (!inLines) return `{ ${members.join("; ")} }`;
  const pad = " ".repeat(inner);
  const lines: string[] = [];
  for (const member of members) {
    const filled = `${lines.at(-1)} ${member};`;
    const isSimple = lines.length > 0 && filled.length <= WIDTH && !/[{|*]/.test(filled);
    if (isSimple) lines[lines.length - 1] = filled;
    else lines.push(`${pad}${member};`);
  }
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}
