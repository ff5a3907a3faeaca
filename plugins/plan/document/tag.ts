/**
 * The opening tag of an entity with the places of its attributes. What they mean is Markdoc's; it
 * says nothing about where they are.
 *
 * @module
 */

import { tagEnd } from "./inline.ts";
import type { OpeningTag } from "./model.ts";
import type { TagMeta } from "./tokens.ts";

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;

/** A value is a string, something in brackets, or a word. A string may also stand alone. */
const ATTRIBUTE = new RegExp(
  String
    .raw`([\w-]+)=((?:${STRING}|\[(?:${STRING}|[^\]"])*\]|\{(?:${STRING}|[^}"])*\}|[^\s"/[{])+)|${STRING}`,
  "gs",
);

/** Reads the tag that begins a line. */
export function openingTag(text: string, line: number, isSelfClosing: boolean): OpeningTag {
  const start = text.indexOf("{%", line);
  const end = tagEnd(text, start);
  const found = text.slice(start, end - 2).matchAll(ATTRIBUTE);
  const attributes = Array.from(found).flatMap(({ 0: { length }, 1: name, index }) => {
    if (name === undefined) return [];
    const span = { start: start + index, end: start + index + length };
    return {
      name: own(name),
      ...span,
      valueSpan: { ...span, start: span.start + name.length + 1 },
    };
  });
  return { start, end, isSelfClosing, attributes };
}

/** The attributes of a tag as text, as the plugin has them. */
export function valuesOf(meta: TagMeta | null): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { type, name, value } of meta?.attributes ?? []) {
    const key = own(type === "class" ? "class" : name);
    values[key] = type === "class" ? "[object Object]" : own(String(value));
  }
  return values;
}

/** A copy that does not keep alive the text that a string is a part of. */
export function own(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
