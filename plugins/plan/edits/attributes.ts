/**
 * Attributes in an opening tag, on one line or several.
 *
 * @module
 */

import type { Editable, Splice } from "./outcome.ts";

/**
 * Sets attributes. Every occurrence of a repeated one is set.
 *
 * @param values The values, which are fit for quotes; an empty one removes its attribute.
 */
export function setAttributes(
  { text, entity: { tag } }: Editable,
  values: Readonly<Record<string, string>>,
): Splice[] {
  const splices: Splice[] = [];
  let added = "";
  const last = tag.attributes.at(-1);
  const lineBefore = last === undefined
    ? ""
    : text.slice(text.lastIndexOf("\n", last.start), last.start);
  // A new one gets a line of its own where the last one has one.
  const space = lineBefore.startsWith("\n") && lineBefore.trim() === "" ? lineBefore : " ";
  for (const [name, value] of Object.entries(values)) {
    const old = tag.attributes.filter((attribute) => attribute.name === name);
    for (const { start, end, valueSpan } of old) {
      splices.push(
        value === ""
          ? { start: text.slice(0, start).trimEnd().length, end, text: "" }
          : { ...valueSpan, text: `"${value}"` },
      );
    }
    if (old.length === 0 && value !== "") added += `${space}${name}="${value}"`;
  }
  if (added === "") return splices;
  const inside = text.slice(tag.start, tag.end - 2).trimEnd();
  const { length } = tag.isSelfClosing ? inside.slice(0, -1).trimEnd() : inside;
  const at = tag.start + length;
  return [...splices, { start: at, end: at, text: added }];
}
