/** Finds the check boxes of an entity. */

import { shortText } from "../../../src/plain_text.ts";
import type { Section } from "./model.ts";
import type { Outline, Range } from "./outline.ts";

/** The plugin's pattern. It is applied line by line, so the plugin's text ends with the line. */
const CHECK_BOX = /^([^\S\n]*-[^\S\n]+\[)([ xX])\][^\S\n]+(?=\S)/gm;

/** Likely check boxes: also after other list marks, in quotations, or with other characters. */
const LIKE_CHECK_BOX =
  /^(?:[^\S\n]*(?:>|[-*+•]|\d{1,9}[.)]))*?[^\S\n]*(?:-[^\S\n]*|(?:[*+•]|\d{1,9}[.)])[^\S\n]+)\[(?:[^\]\w\n]{0,4}|[^\S\n]*\p{L}[^\S\n]*)\](?![([:]).*$/gmu;

/** How many characters of a line are kept. */
const LINE_LENGTH = 80;

/**
 * Returns the lines outside code and comments, from 1, that look like check boxes, such as
 * `- [~] Text` or `* [ ] Text`: the plugin counts `- [ ]` and `- [x]` alone.
 */
export function uncountedBoxes({ text, lines: { lineAt }, hidden }: Outline, { body }: Range) {
  if (!text.includes("[", body.start)) return [];
  const matches = [...text.slice(body.start, body.end).matchAll(LIKE_CHECK_BOX)];
  return matches.flatMap(({ 0: row, index }) => {
    const line = lineAt(body.start + index);
    if (hidden.has(line) || isCheckBox(row)) return [];
    return { line: line + 1, text: shortText(row.trim(), LINE_LENGTH) };
  });
}

/**
 * A check box: a line such as `- [ ] Text`, at any depth of a list. The span covers its own lines
 * including the last line end, without nested items.
 */
export type Criterion = Readonly<ReturnType<typeof criteriaIn>[number]>;

/** Returns the check boxes outside code, comments and tags that span several lines. */
export function criteriaIn(outline: Outline, range: Range, sections: readonly Section[]) {
  const { text, lines: { startOf, lineAt }, hidden } = outline;
  const { body } = range;
  if (!text.includes("[", body.start)) return [];
  const criteria = [];
  let number = 0;
  let ends: ReturnType<typeof endsOfItems> | undefined;
  let section = 0;
  CHECK_BOX.lastIndex = body.start;
  for (let match; (match = CHECK_BOX.exec(text)) !== null && match.index < body.end;) {
    const { 0: { length }, index: start, 1: before, 2: mark } = match;
    const line = lineAt(start);
    if (hidden.has(line)) continue;
    ends ??= endsOfItems(outline, range);
    const box = start + before!.length;
    while (section < sections.length && sections[section]!.end <= start) section++;
    const first = start + length;
    const end = ends.get(line) ?? { text: 0, own: 0, whole: 0, outer: 0 };
    // A later line of the paragraph that looks like a check box is a criterion of its own.
    let next = line + 1;
    while (next < end.text && !isCheckBox(text.slice(startOf(next), startOf(next + 1)))) next++;
    const words = text.slice(first, startOf(next)).trimEnd();
    criteria.push({
      // From 1, within the entity.
      number: ++number,
      // Its first paragraph on one line, and as written, which may go on in further lines.
      text: words.replace(/\s*\n\s*/g, " "),
      words: { start: first, end: first + words.length },
      checked: mark !== " ",
      // The character between the brackets.
      box: { start: box, end: box + 1 },
      // The index of its section.
      section,
      start,
      end: startOf(next < end.text ? next : Math.max(end.own, line + 1)),
      // The end of its list item, with nested items and further paragraphs.
      wholeEnd: startOf(Math.max(end.whole, line + 1)),
      // The end of the outermost list item that contains it.
      itemEnd: startOf(Math.max(end.outer, line + 1)),
    });
  }
  return criteria;
}

const isCheckBox = (line: string) => line.search(CHECK_BOX) === 0;

/** Returns the lines after each list item, by its first line. */
function endsOfItems({ text, lines: { startOf }, tokens }: Outline, { from, to }: Range) {
  type Item = Record<"line" | "depth" | "text" | "own" | "whole" | "outer", number>;
  const items = new Map<number, Item>();
  const open: Item[] = [];
  const afterText = (line: number, first: number) => {
    while (line > first + 1 && text.slice(startOf(line - 1), startOf(line)).trim() === "") line--;
    return line;
  };
  for (const { type, map } of tokens.slice(from, to)) {
    if (type === "list_item_open") {
      const [line, end] = map!;
      // After nested lists and further paragraphs, without trailing blank lines.
      const whole = afterText(end, line);
      // After the outermost item that contains it.
      const outer = open[0]?.outer ?? whole;
      open.push({ line, depth: 0, text: line + 1, own: whole, whole, outer });
      items.set(line, open.at(-1)!);
    }
    const item = open.at(-1);
    if (item === undefined) continue;
    // After the paragraph that it begins with.
    if (type === "inline" && map?.[0] === item.line) item.text = map[1];
    // Without nested lists.
    if (type.endsWith("_list_open") && item.depth++ === 0) {
      item.own = Math.min(item.own, afterText(map![0], item.line));
    }
    if (type.endsWith("_list_close")) item.depth--;
    if (type === "list_item_close") open.pop();
  }
  return items;
}
