/**
 * Tags and comments with their offsets, which Markdoc does not report, and the values of tags.
 */

import type { Span } from "./model.ts";
import type { TagMeta } from "./tokens.ts";

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;

/** A value is a string, a bracketed list or object, or a word. A string may also stand alone. */
const ATTRIBUTE = new RegExp(
  String
    .raw`([\w-]+)=((?:${STRING}|\[(?:${STRING}|[^\]"])*\]|\{(?:${STRING}|[^}"])*\}|[^\s"/[{])+)|${STRING}`,
  "gs",
);

/** Parses the tag that begins a line; one that closes itself has no body. */
export function openingTag(text: string, line: number, isSelfClosing: boolean) {
  const start = text.indexOf("{%", line);
  const end = tagEnd(text, start);
  const matches = text.slice(start, end - 2).matchAll(ATTRIBUTE);
  const attributes = Array.from(matches).flatMap(({ 0: { length }, 1: name, index }) => {
    if (name === undefined) return [];
    const span = { start: start + index, end: start + index + length };
    // The value with its quotes.
    return { name, ...span, valueSpan: { ...span, start: span.start + name.length + 1 } };
  });
  // Attributes in the order of the text, including repeated ones; without shortcuts (`#id`).
  return { start, end, isSelfClosing, attributes };
}

/** Returns the attributes of a tag as text, like the plugin reads them. */
export function valuesOf(meta: TagMeta | null): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { type, name, value } of meta?.attributes ?? []) {
    const key = type === "class" ? "class" : name;
    values[key] = type === "class" ? "[object Object]" : String(value);
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
    : String(value);
}

/** Copies a value: substrings keep the whole text in memory. */
export function detached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Returns the tags and comments of a text in order, except in code and after a backslash. The end of
 * one that is not closed is -1.
 *
 * @param to The end of the block that begins at `from`; a tag or comment may end after it.
 */
export function* marksIn(
  text: string,
  from: number,
  to: number,
): Generator<Span & { readonly kind: "tag" | "comment" }> {
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "`") at = codeEnd(text, at, to) - 1;
    else if (char === "<" && text.startsWith("<!--", at)) {
      const close = text.indexOf("-->", at + 4);
      yield { kind: "comment", start: at, end: close === -1 ? -1 : close + 3 };
      if (close === -1) at += 3;
      else at = close + 2;
    } else if (char === "{" && text[at + 1] === "%") {
      const end = tagEnd(text, at);
      yield { kind: "tag", start: at, end };
      at = end === -1 ? at + 1 : end - 1;
    }
  }
}

/**
 * Returns the end of the code that a run of backquotes opens, or of the run if nothing closes it.
 */
function codeEnd(text: string, start: number, to: number): number {
  let after = start;
  while (text[after] === "`") after++;
  const length = after - start;
  for (let at = text.indexOf("`", after); at !== -1 && at < to; at = text.indexOf("`", at)) {
    const open = at;
    while (text[at] === "`") at++;
    if (at - open === length) return at;
  }
  return after;
}

/** Returns the offset after a tag's `%}`, as Markdoc finds it, or -1. */
export function tagEnd(text: string, start: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "%" && text[at + 1] === "}") return at + 2;
  }
  return -1;
}
