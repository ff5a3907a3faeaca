/**
 * Attributes in an opening tag, on one line or several.
 *
 * @module
 */

import { findEntityTag } from "../../../src/project/entities.ts";
import { applySplices, type Splice } from "../outline.ts";

/** One attribute in a tag's text. */
interface Written {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/**
 * Sets attributes of the first entity in a text.
 *
 * @param values The values, which are fit for quotes; an empty one removes its attribute.
 */
export function setAttributes(
  source: string,
  values: Readonly<Record<string, string>>,
): string {
  let text = source;
  for (const [name, value] of Object.entries(values)) {
    const tag = findEntityTag(text);
    if (tag === undefined) return text;
    const start = tag.end - 2 - tag.attributes.length;
    const written = attributesOf(tag.attributes);
    const old = written.filter((attribute) => attribute.name === name);
    const splices: Splice[] = old.map((attribute) =>
      value === ""
        ? {
          start: start + spaceBefore(tag.attributes, attribute.start),
          end: start + attribute.end,
          text: "",
        }
        : { start: start + attribute.valueStart, end: start + attribute.end, text: `"${value}"` }
    );
    if (old.length === 0 && value !== "") {
      splices.push(addition(tag.attributes, start, written.at(-1), `${name}="${value}"`));
    }
    text = applySplices(text, splices);
  }
  return text;
}

/** Where a new attribute goes: last, on a line of its own where the others have theirs. */
function addition(
  attributes: string,
  start: number,
  last: Written | undefined,
  text: string,
): Splice {
  const own = last === undefined ? null : /\n([ \t]*)$/.exec(attributes.slice(0, last.start));
  if (last !== undefined && own !== null) {
    const at = start + last.end;
    return { start: at, end: at, text: `\n${own[1]}${text}` };
  }
  const before = attributes.replace(/\/\s*$/, "");
  const at = start + before.length;
  return { start: at, end: at, text: /\s$/.test(before) ? `${text} ` : ` ${text} ` };
}

function spaceBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\s/.test(text[start - 1]!)) start--;
  return start;
}

/** The attributes with their places; shortcuts (`#id`, `.class`) and a bare value are passed over. */
function attributesOf(text: string): Written[] {
  const found: Written[] = [];
  for (let at = 0; at < text.length;) {
    const name = /^[A-Za-z_][\w-]*(?==)/.exec(text.slice(at))?.[0];
    if (name === undefined || at > 0 && !/\s/.test(text[at - 1]!)) {
      at = text[at] === '"' ? valueEnd(text, at) : at + 1;
      continue;
    }
    const valueStart = at + name.length + 1;
    const end = valueEnd(text, valueStart);
    found.push({ name, start: at, valueStart, end });
    at = end;
  }
  return found;
}

/** Where a value ends: a string, something in brackets, or a word. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      if (depth === 0) return Math.min(at + 1, text.length);
    } else if ("[{(".includes(char)) depth++;
    else if ("]})".includes(char)) {
      if (--depth <= 0) return at + 1;
    } else if (depth === 0 && /\s/.test(char)) return at;
  }
  return text.length;
}
