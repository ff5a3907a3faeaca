/** Finds the place of a node in the source. Markdoc reports only lines. */

import type { MarkdocNode } from "../../upstream/shapes.ts";
import type { Fix, Place } from "./diagnostics.ts";
import { linesOf } from "./lines.ts";

export interface Locator {
  /** The whole file, as far as it can be read. */
  readonly source: string;
  /** The lines before the content. */
  readonly offset: number;
  /** The place of the tag's name. */
  tag(node: MarkdocNode): Place;
  closing(node: MarkdocNode): Place;
  /** The place of the name in the closing tag of a node; `undefined` if there is none. */
  closingOf(node: MarkdocNode): Place | undefined;
  attribute(node: MarkdocNode, name: string): Place;
  /** The place of a tag's attribute; of anything else, that of the node. */
  attributeOf(node: MarkdocNode, name: string | undefined): Place;
  /** The place of the tag's name, or of the first tag in a text. */
  node(node: MarkdocNode): Place;
  /** Returns `undefined` for a value over several lines. */
  value(node: MarkdocNode, name: string): Fix | undefined;
  isAt(place: Place, text: string): boolean;
  nameAt(place: Partial<Place>): string;
  isEscaped(place: Place): boolean;
  start(node: MarkdocNode): Place;
  text(node: MarkdocNode, text: string): Place;
}

export function createLocator(source: string, offset: number): Locator {
  const lines = linesOf(source);
  const [opened, closed] = [new Map<MarkdocNode, Place>(), new Map<MarkdocNode, Place>()];
  const used = new Set<string>();
  /** Where the next match of a pattern in a line can be: the ones before belong to other nodes. */
  const resumed = new Map<string, number>();
  const first = (node: MarkdocNode) => Math.min((node.lines[0] ?? 0) + offset, lines.length - 1);
  const last = (node: MarkdocNode) =>
    Math.min(Math.max(first(node) + 1, (node.lines.at(-1) ?? 0) + offset), lines.length);

  /** Finds the first match that belongs to no other node. */
  const search = (node: MarkdocNode, pattern: RegExp, from: Place | undefined): Place => {
    for (
      let index = from === undefined ? first(node) : from.line - 1;
      index < last(node);
      index++
    ) {
      const pass = `${index} ${pattern.source}`;
      const start = from === undefined
        ? resumed.get(pass) ?? 0
        : index === from.line - 1
        ? from.column - 1
        : 0;
      for (const match of lines[index]!.slice(start).matchAll(pattern)) {
        const column = start + match.index + (match[1]?.length ?? 0) + 1;
        if (from !== undefined) return { line: index + 1, column };
        if (used.has(`${index}:${column}`)) continue;
        used.add(`${index}:${column}`);
        resumed.set(pass, start + match.index + match[0].length);
        return { line: index + 1, column };
      }
      if (from === undefined) resumed.set(pass, lines[index]!.length);
    }
    return from ?? { line: first(node) + 1, column: 1 };
  };
  const place = (places: Map<MarkdocNode, Place>, node: MarkdocNode, pattern: RegExp): Place =>
    places.getOrInsertComputed(node, () => search(node, pattern, undefined));
  const nameIn = (before: string, { tag = "" }: MarkdocNode, after: string) =>
    new RegExp(before + RegExp.escape(tag) + after, "g");
  const tag = (node: MarkdocNode) =>
    place(opened, node, nameIn("(\\{%\\s*)", node, "(?=[\\s/%]|$)"));
  const text = (node: MarkdocNode, text: string) =>
    search(node, new RegExp(RegExp.escape(text), "g"), undefined);
  const node = (node: MarkdocNode) => node.tag === undefined ? text(node, "{%") : tag(node);
  const attribute = (node: MarkdocNode, name: string) =>
    search(node, new RegExp(`(\\s)${RegExp.escape(name)}(?==)`, "g"), tag(node));
  return {
    source,
    offset,
    tag,
    text,
    node,
    attribute,
    attributeOf: (each, name) =>
      name === undefined || each.tag === undefined ? node(each) : attribute(each, name),
    closing: (node) => place(closed, node, nameIn("(\\{%\\s*/\\s*)", node, "(?=[\\s%]|$)")),
    closingOf: (node) => {
      const { line, column } = tag(node);
      const text = lines.slice(line - 1, last(node)).join("\n");
      const tags = nameIn("(\\{%\\s*(/?)\\s*)", node, "(?=[\\s/%])[^%]*(?:%(?!\\})[^%]*)*%\\}");
      tags.lastIndex = text.lastIndexOf("{%", column - 1);
      let depth = 0;
      for (const match of text.matchAll(tags)) {
        const [whole, before, slash] = match;
        if (slash === "/") depth--;
        else if (!whole.endsWith("/%}")) depth++;
        if (depth > 0) continue;
        if (slash !== "/") return undefined;
        const above = text.slice(0, match.index + before!.length).split("\n");
        return { line: line - 1 + above.length, column: above.at(-1)!.length + 1 };
      }
      return undefined;
    },
    value: (node, name) => {
      const { line, column } = attribute(node, name);
      const [before, text] = /^[\w-]+=("(?:[^"\\]|\\.)*"|[^\s%}]+)/.exec(
        lines[line - 1]!.slice(column - 1),
      ) ?? [];
      if (before === undefined || text === undefined) return undefined;
      return { line, column: column + before.length - text.length, length: text.length, text };
    },
    isAt: ({ line, column }, text) => lines[line - 1]!.startsWith(text, column - 1),
    nameAt: ({ line = 1, column = 1 }) =>
      /^[^{]*\{%\s*([\w-]+)/.exec(lines[line - 1]!.slice(column - 1))?.[1] ?? "",
    isEscaped: ({ line, column }) => lines[line - 1]![column - 2] === "\\",
    start: (node) => ({ line: first(node) + 1, column: 1 }),
  };
}
