/** Ranks entities by the words of a text (BM25), in titles, headings and text. */

import { inSlices } from "../store/slices.ts";
import type { Item, PlanView } from "./access.ts";
import { readBodies } from "./search.ts";

/** How much a word counts by where it stands. */
const [IN_TITLE, IN_HEADING] = [8, 4];

/** How soon more of the same word counts less, and how much a long text counts less. */
const [SATURATION, LENGTH] = [1.2, 0.75];

const WORD = /[\p{L}\p{N}]+/gu;

/** Words that say nothing about a subject. */
const COMMON = new Set(
  ("a an and are as at be by for from has have how in into is it its not of on or our that the " +
    "their this to was we what when which with").split(" "),
);

/** English forms of one word are the same: `searches`, `searching`, `search`. */
function stemsIn(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) =>
    word.length > 3
      ? word.replace(/ies$/, "y").replace(/(?:ing|ed|s)$/, "").replace(/e$/, "")
      : word
  );
}

/** Returns the items that have words of a text, the nearest first. */
export async function nearest(
  plan: PlanView,
  items: readonly Item[],
  text: string,
): Promise<Item[]> {
  const bodies = await readBodies(plan);
  const wanted = new Set(stemsIn(text).filter((word) => !COMMON.has(word)));
  const counted = await inSlices(counts(items, wanted, (item) => bodies.get(item)?.text ?? ""));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const scored = counted.map(({ item, length, found }) => {
    let score = 0;
    for (const [stem, count] of found) {
      const having = counted.filter((one) => one.found.has(stem)).length;
      const rarity = Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
      const norm = SATURATION * (1 - LENGTH + LENGTH * length / average);
      score += rarity * count * (SATURATION + 1) / (count + norm);
    }
    return { item, score };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

function* counts(
  items: readonly Item[],
  wanted: ReadonlySet<string>,
  textOf: (item: Item) => string,
) {
  const all: { item: Item; length: number; found: ReadonlyMap<string, number> }[] = [];
  for (const item of items) {
    const found = new Map<string, number>();
    let length = 0;
    const count = (text: string, weight: number) => {
      for (const stem of stemsIn(text)) {
        length++;
        if (wanted.has(stem)) found.set(stem, (found.get(stem) ?? 0) + weight);
      }
    };
    const text = textOf(item);
    count(item.title, IN_TITLE);
    count((text.match(/^#{1,6} .*$/gm) ?? []).join("\n"), IN_HEADING);
    count(text, 1);
    all.push({ item, length, found });
    yield;
  }
  return all;
}
