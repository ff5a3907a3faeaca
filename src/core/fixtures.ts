/**
 * The example of a rune, and how attributes and a number of items are put into
 * it. Values are data: they are written so that Markdoc reads the same value back,
 * or they are refused.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { SiteContext } from "./site_context.ts";
import type { Markdoc, MarkdocNode, Rune } from "./upstream.ts";

/** The value of an attribute, as a caller gives it. */
export type AttributeValue = string | number | boolean;

/** Runes that only other parts of refrakt make; their own examples would not render. */
const INTERNAL_EXAMPLES: Readonly<Record<string, string>> = {
  error: '{% error tag="hint" lines=[1, 2] ' +
    'error={id: "attribute-value-invalid", level: "error", message: "Invalid value"} /%}',
  snippet: '{% snippet path="examples/hello.ts" lang="ts" /%}',
};

/** Whether a rune has an example of its own, by its plugin or the core. */
export function hasExample(context: SiteContext, rune: Rune): boolean {
  return exampleOf(context, rune) !== undefined;
}

/** The example of a rune: its plugin's, the core's, or a stub. */
export function fixtureOf(context: SiteContext, rune: Rune): string {
  const { name } = rune;
  const example = exampleOf(context, rune);
  if (example !== undefined) return example;
  if (Object.hasOwn(INTERNAL_EXAMPLES, name) && context.source[name] === "core") {
    return INTERNAL_EXAMPLES[name]!;
  }
  return `{% ${name} %}\nSample content for the ${name} rune.\n{% /${name} %}`;
}

function exampleOf({ fixtures, upstream }: SiteContext, { name }: Rune): string | undefined {
  if (Object.hasOwn(fixtures, name)) return fixtures[name];
  const examples = upstream.runes.RUNE_EXAMPLES;
  return Object.hasOwn(examples, name) ? examples[name] || undefined : undefined;
}

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

/**
 * Repeats or removes the repeating children of an example until there are `count`
 * of them: child tags of one name, sections under headings of one level, or list items.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` where nothing repeats.
 */
export function setItems(markdoc: Markdoc, source: string, rune: Rune, count: number): string {
  const node = firstTag(markdoc.parse(source), [rune.name, ...rune.aliases]);
  const lines = source.split("\n");
  const units = node === undefined ? [] : repeatingUnits(node);
  if (units.length === 0) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `The example of "${rune.name}" has no repeating children`,
      { hint: "Leave out items: it has a meaning for lists, sections and child tags only." },
    );
  }
  const texts = units.map(([start, end]) => lines.slice(start, end).join("\n"));
  const kept = Array.from({ length: count }, (_, index) => texts[index % texts.length]!);
  // Copies of a section must not run into each other.
  const joined = kept.map((text, index) =>
    index >= texts.length && !kept[index - 1]!.endsWith("\n") && /^\s*(#|\{%)/.test(text)
      ? `\n${text}`
      : text
  );
  const [first, last] = [units[0]![0], units.at(-1)![1]];
  return [...lines.slice(0, first), ...joined, ...lines.slice(last)].join("\n");
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

function firstTag(ast: MarkdocNode, names: readonly string[]): MarkdocNode | undefined {
  for (const node of ast.walk()) {
    if (node.type === "tag" && names.includes(node.tag ?? "")) return node;
  }
  return undefined;
}

/** The line ranges of what repeats among the children of a tag. */
function repeatingUnits(node: MarkdocNode): [number, number][] {
  const end = Math.max(...node.lines) - 1;
  const tags = largestGroup(node.children.filter((child) => child.type === "tag"), (c) => c.tag);
  if (tags.length > 0) return contiguous(tags.map(linesOf));
  const headings = largestGroup(
    node.children.filter((child) => child.type === "heading"),
    (child) => child.attributes["level"],
  );
  if (headings.length > 1) {
    const level = Number(headings[0]!.attributes["level"]);
    return headings.map((heading): [number, number] => {
      const start = linesOf(heading)[0];
      const next = node.children.find((child) =>
        child.type === "heading" && Number(child.attributes["level"]) <= level &&
        linesOf(child)[0] > start
      );
      return [start, next === undefined ? end : linesOf(next)[0]];
    });
  }
  const lists = node.children.filter((child) => child.type === "list");
  const longest = lists.sort((a, b) => b.children.length - a.children.length)[0];
  return longest === undefined ? [] : contiguous(longest.children.map(linesOf));
}

/** What stands between two units belongs to the first of them. */
function contiguous(ranges: [number, number][]): [number, number][] {
  return ranges.map(([start, end], index) => [start, ranges[index + 1]?.[0] ?? end]);
}

function linesOf(node: MarkdocNode): [number, number] {
  return [Math.min(...node.lines), Math.max(...node.lines)];
}

function largestGroup(nodes: MarkdocNode[], keyOf: (node: MarkdocNode) => unknown): MarkdocNode[] {
  const groups = new Map<unknown, MarkdocNode[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    groups.set(key, [...groups.get(key) ?? [], node]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}
