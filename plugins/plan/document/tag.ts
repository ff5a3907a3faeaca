/**
 * The opening tag of an entity with the places of its attributes. What they mean is Markdoc's; it
 * says nothing about where they are.
 *
 * @module
 */

import { tagEnd } from "./inline.ts";
import type { Attribute, OpeningTag } from "./model.ts";
import type { Source } from "./source.ts";
import type { TagMeta, Token } from "./tokens.ts";

/** Reads the tag that begins a line. */
export function openingTag(source: Source, token: Token): OpeningTag {
  const { plain, at } = source;
  const line = token.map![0];
  const start = plain.indexOf("{%", source.startOf(line));
  const end = tagEnd(plain, start);
  const isSelfClosing = token.nesting === 0;
  const attributes = Array.from(
    writtenIn(plain, start + 2, end - 2),
    ({ name, start, valueStart, end }): Attribute => ({
      name: own(name),
      start: at(start),
      end: at(end),
      valueSpan: { start: at(valueStart), end: at(end) },
    }),
  );
  return { start: at(start), end: at(end), isSelfClosing, attributes };
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

interface Written {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const NAME = /[A-Za-z0-9_-]+=/y;

/** The attributes with a name between two offsets. */
function* writtenIn(text: string, from: number, to: number): Generator<Written> {
  for (let at = from; at < to;) {
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name === undefined) {
      at = isSpace(text[at]!) ? at + 1 : valueEnd(text, at, to);
      continue;
    }
    const valueStart = at + name.length;
    const end = valueEnd(text, valueStart, to);
    yield { name: name.slice(0, -1), start: at, valueStart, end };
    at = end;
  }
}

/** Where a value ends, at least one character on: a string, something in brackets, or a word. */
function valueEnd(text: string, start: number, to: number): number {
  let depth = 0;
  for (let at = start; at < to; at++) {
    const char = text[at]!;
    if (char === '"') {
      for (at++; at < to && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      if (depth === 0) return at + 1;
    } else if ("[{(".includes(char)) depth++;
    else if ("]})".includes(char)) {
      if (--depth <= 0) return at + 1;
    } else if (depth === 0 && (isSpace(char) || char === "/")) return Math.max(at, start + 1);
  }
  return to;
}

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\t";
}
