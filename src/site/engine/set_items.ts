/**
 * Puts a number of items into an example.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { firstTag } from "./ast.ts";
import type { Markdoc, MarkdocNode, Rune } from "./shapes.ts";

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
  const part = (start: number, end: number) => lines.slice(start, end).join("\n");
  const texts = units.map(([start, end]) => part(start, end));
  // What stands between two units is no part of either: a rule (---), a blank line.
  const gaps = units.slice(1).map(([start], index) => part(units[index]![1], start));
  const joined: string[] = [];
  for (let index = 0; index < count; index++) {
    const text = texts[index % texts.length]!;
    const gap = gaps[(index - 1) % Math.max(gaps.length, 1)];
    if (index > 0 && gap !== undefined && gap !== "") joined.push(gap);
    // Copies of a section must not run into each other.
    else if (index >= texts.length && !joined.at(-1)!.endsWith("\n") && /^\s*(#|\{%)/.test(text)) {
      joined.push("");
    }
    joined.push(text);
  }
  const [first, last] = [units[0]![0], units.at(-1)![1]];
  return [...lines.slice(0, first), ...joined, ...lines.slice(last)].join("\n");
}

/** The line ranges of what repeats among the children of a tag. */
function repeatingUnits(node: MarkdocNode): [number, number][] {
  const end = Math.max(...node.lines) - 1;
  const tags = largestGroup(node.children.filter((child) => child.type === "tag"), (c) => c.tag);
  if (tags.length > 0) return tags.map(linesOf);
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
