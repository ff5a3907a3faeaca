/** Finds the place of a node in the source. Markdoc reports only lines. */

import type { MarkdocNode } from "./node.ts";
import type { Edit, Place } from "./edits.ts";
import { linesOf } from "./lines.ts";

const VALUE = /^[\w-]+=("(?:[^"\\]|\\.)*"|[^\s%}]+)/;
const PRIMARY = /^[\w-]+\s+("(?:[^"\\]|\\.)*"|[^\s%}]+)/;

export type Locator = ReturnType<typeof createLocator>;

export function createLocator(source: string, offset: number) {
  const lines = linesOf(source);
  const [opened, closed] = [new Map<MarkdocNode, Place>(), new Map<MarkdocNode, Place>()];
  const used = new Set<string>();
  /** The column to search a pattern from, by line: earlier matches belong to other nodes. */
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
  /** The place of the tag's name. */
  const tag = (node: MarkdocNode) =>
    place(opened, node, nameIn("(\\{%\\s*)", node, "(?=[\\s/%]|$)"));
  const text = (node: MarkdocNode, text: string) =>
    search(node, new RegExp(RegExp.escape(text), "g"), undefined);
  /** The place of the tag's name, or of the first tag in a text. */
  const node = (node: MarkdocNode) => node.tag === undefined ? text(node, "{%") : tag(node);
  const attribute = (node: MarkdocNode, name: string) =>
    search(node, new RegExp(`(\\s)${RegExp.escape(name)}(?==)`, "g"), tag(node));
  return {
    /** The source of the whole file. */
    source,
    /** The lines before the content. */
    offset,
    tag,
    text,
    node,
    attribute,
    /** The place of a tag's attribute; of anything else, that of the node. */
    attributeOf: (each: MarkdocNode, name: string | undefined) =>
      name === undefined || each.tag === undefined ? node(each) : attribute(each, name),
    closing: (node: MarkdocNode) =>
      place(closed, node, nameIn("(\\{%\\s*/\\s*)", node, "(?=[\\s%]|$)")),
    /** The place of the name in the closing tag of a node; `undefined` if there is none. */
    closingOf: (node: MarkdocNode): Place | undefined => {
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
    /** Returns `undefined` for a value over several lines. */
    value: (node: MarkdocNode, name: string): Edit | undefined => {
      // A value without a name follows that of the tag.
      const { line, column } = name === "primary" ? tag(node) : attribute(node, name);
      const pattern = name === "primary" ? PRIMARY : VALUE;
      const [before, text] = pattern.exec(lines[line - 1]!.slice(column - 1)) ?? [];
      if (before === undefined || text === undefined) return undefined;
      return { line, column: column + before.length - text.length, length: text.length, text };
    },
    isAt: ({ line, column }: Place, text: string) => lines[line - 1]!.startsWith(text, column - 1),
    nameAt: ({ line = 1, column = 1 }: Partial<Place>) =>
      /^[^{]*\{%\s*([\w-]+)/.exec(lines[line - 1]!.slice(column - 1))?.[1] ?? "",
    isEscaped: ({ line, column }: Place) => lines[line - 1]![column - 2] === "\\",
    start: (node: MarkdocNode): Place => ({ line: first(node) + 1, column: 1 }),
  };
}
