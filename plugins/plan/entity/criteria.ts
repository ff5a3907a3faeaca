/** Finds the check boxes of an entity. */

import type { Criterion, Section } from "./model.ts";
import type { Outline, Range } from "./outline.ts";
import { own } from "./tag.ts";

/** The plugin's pattern, which it applies line by line. */
const BOX = /^([^\S\n]*-[^\S\n]+\[)([ xX])\][^\S\n]+(\S.*)/gm;

/** Skips check boxes in code, comments and tags that span several lines. */
export function criteriaOf(
  outline: Outline,
  range: Range,
  sections: readonly Section[],
): Criterion[] {
  const { text, lines: { startOf, lineAt }, hidden } = outline;
  const { body } = range;
  if (!text.includes("[", body.start)) return [];
  const criteria: Criterion[] = [];
  let ends: ReadonlyMap<number, ItemEnd> | undefined;
  let section = 0;
  BOX.lastIndex = body.start;
  for (let match; (match = BOX.exec(text)) !== null && match.index < body.end;) {
    const { index: start, 1: before, 2: mark, 3: rest } = match;
    const line = lineAt(start);
    if (hidden.has(line)) continue;
    ends ??= endsOfItems(outline, range);
    const box = start + before!.length;
    while (section < sections.length && sections[section]!.end <= start) section++;
    criteria.push({
      number: criteria.length + 1,
      text: own(rest!.trim()),
      checked: mark !== " ",
      box: { start: box, end: box + 1 },
      section,
      start,
      end: startOf(ends.get(line)?.own ?? line + 1),
      itemEnd: startOf(ends.get(line)?.outer ?? line + 1),
    });
  }
  return criteria;
}

/** The lines after a list item. */
interface ItemEnd {
  /** Without nested lists and trailing blank lines. */
  readonly own: number;
  /** After the outermost item that contains it. */
  readonly outer: number;
}

/** Returns where each item ends, by its first line. */
function endsOfItems(
  { text, lines: { startOf }, tokens }: Outline,
  { from, to }: Range,
): Map<number, ItemEnd> {
  const ends = new Map<number, ItemEnd>();
  const items: { readonly line: number; end: number; depth: number; readonly outer: number }[] = [];
  const afterText = (line: number, first: number) => {
    while (line > first + 1 && text.slice(startOf(line - 1), startOf(line)).trim() === "") line--;
    return line;
  };
  for (const { type, map } of tokens.slice(from, to)) {
    if (type === "list_item_open") {
      const [line, end] = map!;
      items.push({ line, end, depth: 0, outer: items[0]?.outer ?? afterText(end, line) });
    }
    const item = items.at(-1);
    if (item === undefined) continue;
    if (type.endsWith("_list_open") && item.depth++ === 0) item.end = Math.min(item.end, map![0]);
    if (type.endsWith("_list_close")) item.depth--;
    if (type !== "list_item_close") continue;
    ends.set(item.line, { own: afterText(item.end, item.line), outer: item.outer });
    items.pop();
  }
  return ends;
}
