/**
 * Puts attributes into an example. Values are data: they are written so that Markdoc
 * reads the same value back, or they are refused.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { firstTag } from "./ast.ts";
import type { Markdoc, Rune } from "./shapes.ts";

/** The value of an attribute, as a caller gives it. */
export type AttributeValue = string | number | boolean;

/**
 * Sets attributes on the first tag of a rune in an example.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` where the example has no such tag, or a value
 * cannot be written in Markdoc.
 */
export function setAttributes(
  markdoc: Markdoc,
  source: string,
  rune: Rune,
  attributes: Readonly<Record<string, AttributeValue>>,
): string {
  const wanted = Object.entries(attributes);
  if (wanted.length === 0) return source;
  const tag = findOpeningTag(source, [rune.name, ...rune.aliases]);
  if (tag === undefined) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `The example of "${rune.name}" has no {% ${rune.name} %} tag that could take attributes`,
      { hint: "Leave out the attributes." },
    );
  }
  const changed = spliced(source, tag, wanted);
  checkReadsBack(markdoc, changed, rune, wanted);
  return changed;
}

/**
 * Sets an attribute to one of the values of its schema, which need no check; an
 * example without the tag stays as it is.
 */
export function setVariant(source: string, rune: Rune, name: string, value: string): string {
  const tag = findOpeningTag(source, [rune.name, ...rune.aliases]);
  return tag === undefined ? source : spliced(source, tag, [[name, value]]);
}

interface OpeningTag {
  bodyStart: number;
  bodyEnd: number;
}

function spliced(
  source: string,
  tag: OpeningTag,
  wanted: readonly [string, AttributeValue][],
): string {
  let body = source.slice(tag.bodyStart, tag.bodyEnd);
  for (const [name, value] of wanted) body = setAttribute(body, name, written(name, value));
  return source.slice(0, tag.bodyStart) + body + source.slice(tag.bodyEnd);
}

function findOpeningTag(source: string, names: readonly string[]): OpeningTag | undefined {
  for (const name of names) {
    for (let at = source.indexOf("{%"); at !== -1; at = source.indexOf("{%", at + 2)) {
      const lead = /^\{%\s*/.exec(source.slice(at))![0].length;
      const start = at + lead + name.length;
      if (!source.startsWith(name, at + lead) || !/^[\s/%]/.test(source.slice(start))) continue;
      const end = closingOf(source, start);
      if (end === undefined) continue;
      const slash = /\/\s*$/.exec(source.slice(start, end));
      return { bodyStart: start, bodyEnd: slash === null ? end : start + slash.index };
    }
  }
  return undefined;
}

/** Where the `%}` of a tag is, strings left aside. */
function closingOf(source: string, start: number): number | undefined {
  let quoted = false;
  for (let at = start; at < source.length; at++) {
    if (quoted && source[at] === "\\") at++;
    else if (source[at] === '"') quoted = !quoted;
    else if (!quoted && source.startsWith("%}", at)) return at;
  }
  return undefined;
}

/** Replaces an attribute of a tag's text, or adds it at the end. */
function setAttribute(body: string, name: string, value: string): string {
  for (const { key, start, end } of attributesIn(body)) {
    if (key === name) return `${body.slice(0, start)}${name}=${value}${body.slice(end)}`;
  }
  return `${body.trimEnd()} ${name}=${value} `;
}

function* attributesIn(body: string): Iterable<{ key: string; start: number; end: number }> {
  let at = 0;
  while (at < body.length) {
    if (/\s/.test(body[at]!)) {
      at++;
      continue;
    }
    const start = at;
    const key = /^[\w-]+(?==)/.exec(body.slice(at))?.[0];
    let depth = 0;
    let quoted = false;
    for (; at < body.length; at++) {
      const char = body[at]!;
      if (quoted && char === "\\") at++;
      else if (char === '"') quoted = !quoted;
      else if (quoted) continue;
      else if ("[{(".includes(char)) depth++;
      else if ("]})".includes(char)) depth--;
      else if (depth === 0 && /\s/.test(char)) break;
    }
    if (key !== undefined) yield { key, start, end: at };
  }
}

function written(name: string, value: AttributeValue): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && /^-?\d+(\.\d+)?$/.test(String(value))) return String(value);
  const escapes: Record<string, string> = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
  };
  let text = "";
  for (const char of String(value)) {
    if (char < " " && escapes[char] === undefined) throw unwritable(name);
    text += escapes[char] ?? char;
  }
  return `"${text}"`;
}

function checkReadsBack(
  markdoc: Markdoc,
  source: string,
  rune: Rune,
  wanted: readonly [string, AttributeValue][],
): void {
  const node = firstTag(markdoc.parse(source), [rune.name, ...rune.aliases]);
  for (const [name, value] of wanted) {
    const read = node !== undefined && Object.hasOwn(node.attributes, name)
      ? node.attributes[name]
      : undefined;
    if (read !== value) throw unwritable(name);
  }
}

function unwritable(name: string): RefraktError {
  return new RefraktError(
    "VALIDATION_ERROR",
    `The value of "${name}" cannot be written as a Markdoc attribute`,
    { hint: "Use text without control characters." },
  );
}
