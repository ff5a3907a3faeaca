/**
 * The check boxes of an entity.
 *
 * @module
 */

import type { Criterion, Section, Span } from "./model.ts";
import type { Outline } from "./outline.ts";
import { own } from "./tag.ts";

/** As the plugin finds them, which looks at every line of its own. */
const BOX = /^([^\S\n]*-[^\S\n]+\[)([ xX])\][^\S\n]+(\S.*)/gm;

/** Reads them; those in code, comments and tags of several lines are left out. */
export function criteriaOf(
  { source, tokens, hidden }: Outline,
  { range, body, sections }: {
    readonly range: { readonly from: number; readonly to: number };
    /** In the text with LF. */
    readonly body: Span;
    readonly sections: readonly Section[];
  },
): Criterion[] {
  const { plain, at } = source;
  if (!plain.includes("[", body.start)) return [];
  const criteria: Criterion[] = [];
  let ends: ReadonlyMap<number, ItemEnd> | undefined;
  let section = 0;
  BOX.lastIndex = body.start;
  for (let match; (match = BOX.exec(plain)) !== null && match.index < body.end;) {
    const line = source.lineAt(match.index);
    if (hidden.has(line)) continue;
    ends ??= endsOfItems();
    const start = at(match.index);
    const box = at(match.index + match[1]!.length);
    while (section < sections.length && sections[section]!.end <= start) section++;
    criteria.push({
      number: criteria.length + 1,
      text: own(match[3]!.trim()),
      checked: match[2] !== " ",
      box: { start: box, end: box + 1 },
      section,
      start,
      end: at(source.startOf(ends.get(line)?.own ?? line + 1)),
      itemEnd: at(source.startOf(ends.get(line)?.outer ?? line + 1)),
    });
  }
  return criteria;

  /** Where each item ends, by its first line. */
  function endsOfItems(): Map<number, ItemEnd> {
    const ends = new Map<number, ItemEnd>();
    const items: { readonly line: number; end: number; depth: number; readonly outer: number }[] =
      [];
    const afterText = (line: number, from: number) => {
      while (line > from + 1 && source.lineText(line - 1).trim() === "") line--;
      return line;
    };
    for (let index = range.from; index < range.to; index++) {
      const { type, map } = tokens[index]!;
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
}

/** The lines, from 0, after an item. */
interface ItemEnd {
  /** After what belongs to the item alone, without the lists in it and blank lines. */
  readonly own: number;
  /** After the outermost item around it. */
  readonly outer: number;
}
