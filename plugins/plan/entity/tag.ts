/**
 * The opening tag of an entity with the offsets of its attributes, which Markdoc does not report.
 */

import { tagEnd } from "./inline.ts";
import type { OpeningTag } from "./model.ts";
import type { TagMeta } from "./tokens.ts";

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;

/** A value is a string, a bracketed list or object, or a word. A string may also stand alone. */
const ATTRIBUTE = new RegExp(
  String
    .raw`([\w-]+)=((?:${STRING}|\[(?:${STRING}|[^\]"])*\]|\{(?:${STRING}|[^}"])*\}|[^\s"/[{])+)|${STRING}`,
  "gs",
);

/** Parses the tag that begins a line. */
export function openingTag(text: string, line: number, isSelfClosing: boolean): OpeningTag {
  const start = text.indexOf("{%", line);
  const end = tagEnd(text, start);
  const matches = text.slice(start, end - 2).matchAll(ATTRIBUTE);
  const attributes = Array.from(matches).flatMap(({ 0: { length }, 1: name, index }) => {
    if (name === undefined) return [];
    const span = { start: start + index, end: start + index + length };
    return {
      name: copied(name),
      ...span,
      valueSpan: { ...span, start: span.start + name.length + 1 },
    };
  });
  return { start, end, isSelfClosing, attributes };
}

/** Returns the attributes of a tag as text, like the plugin reads them. */
export function valuesOf(meta: TagMeta | null): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { type, name, value } of meta?.attributes ?? []) {
    const key = copied(type === "class" ? "class" : name);
    values[key] = type === "class" ? "[object Object]" : copied(String(value));
  }
  return values;
}

/** Returns the value that stands alone in a tag, such as the id of a reference. */
export function primaryOf(meta: TagMeta | null): string | undefined {
  const value = meta?.attributes?.findLast(({ name, type }) =>
    name === "primary" && type === "attribute"
  )?.value;
  return value === "" || typeof value !== "string" && typeof value !== "number"
    ? undefined
    : copied(String(value));
}

/** Copies a value: substrings keep the whole text in memory. */
export function detached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** Copies a string: a substring keeps the whole text in memory. */
export function copied(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
