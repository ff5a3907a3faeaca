/**
 * Sets attributes and the number of items of an example. A value is rejected unless Markdoc reads it
 * back unchanged.
 */

import type { MarkdocNode } from "../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import { firstTag } from "./example_page.ts";
import type { Markdoc, MarkdocSchema, Rune } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

export type AttributeValue = string | number | boolean;

export function setAttributes(
  markdoc: Markdoc,
  source: string,
  rune: Rune,
  attributes: Readonly<Record<string, AttributeValue>>,
): string {
  let changed = source;
  for (const [name, value] of Object.entries(attributes)) {
    const next = withAttribute(changed, rune, name, value);
    if (next === undefined) {
      const tag = `{% ${rune.name} %} tag`;
      const message = `The example of ${quotedName(rune.name)} has no ${tag} for the attributes`;
      throw new RefraktError("VALIDATION_ERROR", message, { hint: "Omit attributes." });
    }
    changed = next;
  }
  const written = firstTag(markdoc.parse(changed), [rune.name, ...rune.aliases])?.attributes;
  for (const [name, value] of Object.entries(attributes)) {
    if (written !== undefined && Object.hasOwn(written, name) && written[name] === value) continue;
    const message = `The value of ${quotedName(name)} cannot be written as a Markdoc attribute`;
    throw new RefraktError("VALIDATION_ERROR", message, {
      hint: "Use text without control characters.",
    });
  }
  return changed;
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';

/** Sets an attribute; `undefined` for an example without the tag. */
export function withAttribute(
  source: string,
  rune: Rune,
  name: string,
  value: AttributeValue,
): string | undefined {
  const written = `${name}=${typeof value === "string" ? JSON.stringify(value) : value}`;
  const attribute = new RegExp(
    `(?<=\\s)${name}=(?:${STRING}|\\[(?:${STRING}|[^\\]"])*\\]|\\{(?:${STRING}|[^}"])*\\}|[^\\s"]+)`,
  );
  for (const tag of [rune.name, ...rune.aliases]) {
    const opening = new RegExp(
      `(\\{%\\s*${RegExp.escape(tag)}(?=[\\s/%]))((?:${STRING}|%(?!\\})|[^"%])*?)(/?%\\})`,
    );
    if (!opening.test(source)) continue;
    return source.replace(opening, (_, head: string, body: string, end: string) =>
      head +
      (attribute.test(body)
        ? body.replace(attribute, () => written)
        : `${body.trimEnd()} ${written} `) +
      end);
  }
  return undefined;
}

export function variantsOf(schema: MarkdocSchema): Record<string, string[]> {
  const variants: Record<string, string[]> = {};
  for (const [name, { matches }] of Object.entries(schema.attributes ?? {})) {
    if (Array.isArray(matches) && matches.length > 0) variants[name] = matches.map(String);
  }
  return variants;
}

export function isUniversal(context: SiteContext, attribute: string): boolean {
  return context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES.has(attribute);
}

/**
 * Repeats or removes the repeating children of an example: child tags of one name, sections under
 * headings of one level, or list items.
 */
export function setItems(markdoc: Markdoc, source: string, rune: Rune, count: number): string {
  const node = firstTag(markdoc.parse(source), [rune.name, ...rune.aliases]);
  const lines = source.split("\n");
  const units = node === undefined ? [] : repeatingUnits(node);
  if (units.length === 0) {
    const message = `The example of ${quotedName(rune.name)} has no repeating children`;
    throw new RefraktError("VALIDATION_ERROR", message, {
      hint: "Omit items: it only applies to lists, sections and child tags.",
    });
  }
  const part = (start: number, end: number) => lines.slice(start, end).join("\n");
  const texts = units.map(([start, end]) => part(start, end));
  // Text between two units, such as a rule (---) or a blank line.
  const gaps = units.slice(1).map(([start], index) => part(units[index]![1], start));
  const joined: string[] = [];
  for (let index = 0; index < count; index++) {
    const text = texts[index % texts.length]!;
    const gap = gaps[(index - 1) % Math.max(gaps.length, 1)];
    if (index > 0 && gap !== undefined && gap !== "") joined.push(gap);
    // Separate copies of a section by a blank line.
    else if (index >= texts.length && !joined.at(-1)!.endsWith("\n") && /^\s*(#|\{%)/.test(text)) {
      joined.push("");
    }
    joined.push(text);
  }
  const [first, last] = [units[0]![0], units.at(-1)![1]];
  return [...lines.slice(0, first), ...joined, ...lines.slice(last)].join("\n");
}

function repeatingUnits(node: MarkdocNode): [number, number][] {
  const end = Math.max(...node.lines) - 1;
  const ofType = (type: string) => node.children.filter((child) => child.type === type);
  const tags = largestGroup(ofType("tag"), ({ tag }) => tag);
  if (tags.length > 0) return tags.map(linesOf);
  const levelOf = ({ attributes }: MarkdocNode) => Number(attributes["level"]);
  const headings = largestGroup(ofType("heading"), levelOf);
  if (headings.length > 1) {
    const ends = ofType("heading").filter((each) => levelOf(each) <= levelOf(headings[0]!));
    return headings.map((heading): [number, number] => {
      const next = ends[ends.indexOf(heading) + 1];
      return [linesOf(heading)[0], next === undefined ? end : linesOf(next)[0]];
    });
  }
  const [longest] = ofType("list").sort((a, b) => b.children.length - a.children.length);
  // Each item extends to the start of the next.
  const ranges = longest?.children.map(linesOf) ?? [];
  return ranges.map(([start, end], index) => [start, ranges[index + 1]?.[0] ?? end]);
}

function linesOf(node: MarkdocNode): [number, number] {
  return [Math.min(...node.lines), Math.max(...node.lines)];
}

function largestGroup(nodes: MarkdocNode[], keyOf: (node: MarkdocNode) => unknown): MarkdocNode[] {
  return [...Map.groupBy(nodes, keyOf).values()].sort((a, b) => b.length - a.length)[0] ?? [];
}
