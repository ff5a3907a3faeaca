/**
 * Full text over titles and bodies: an index from words to entities, made when the
 * first question asks for it and kept current by what the scan says has changed.
 * Measured at 6,810 entities: a few milliseconds a question, where looking through
 * the texts took 20 to 35, and a third of their memory.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import type { PlanEntity } from "../entity.ts";
import { type Item, type PlanView, sourceOf } from "./access.ts";
import { wordsOf } from "./words.ts";

/** How long indexing may hold up other work, in milliseconds. */
const SLICE_MS = 15;

/** A word of a question with at least so many characters is also found within others. */
const WITHIN = 4;

/** The index of one plan. */
interface TextIndex {
  /** The entity of each number; `undefined` where its text has changed since. */
  readonly entities: (PlanEntity | undefined)[];
  /** The number of each entity that is current. */
  readonly numbers: Map<PlanEntity, number>;
  /** The numbers of the entities that hold a word, rising. */
  readonly postings: Map<string, number[]>;
  /** The update that runs, or the last one. */
  updated: Promise<void>;
}

/** By the plan's directory. */
const indexes = new Map<string, TextIndex>();

/** One entity that was found. */
export interface Hit {
  /** The entity. */
  readonly item: Item;
  /** How well it fits; more is better. */
  readonly score: number;
}

/**
 * Finds the items whose title or body has every word, the best first.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a text without a word.
 */
export async function searchText(
  plan: PlanView,
  items: readonly Item[],
  text: string,
): Promise<Hit[]> {
  const asked = [...wordsOf(text)];
  if (asked.length === 0) {
    throw new RefraktError("INVALID_ARGS", '"text": holds no word', {
      hint: "Give words of letters or digits.",
    });
  }
  const index = await currentIndex(plan);
  const found = scoresOf(index, asked);
  const hits: Hit[] = [];
  for (const item of items) {
    const number = index.numbers.get(item.entity);
    const score = number === undefined ? 0 : found.get(number) ?? 0;
    if (score === 0) continue;
    const title = `${item.id} ${item.title}`.toLowerCase();
    hits.push({ item, score: score + 10 * asked.filter((word) => title.includes(word)).length });
  }
  return hits.sort((a, b) => b.score - a.score);
}

/** The entities that have every word, with a score of how exactly. */
function scoresOf({ postings, entities }: TextIndex, asked: readonly string[]) {
  const stage = new Uint16Array(entities.length);
  const scores = new Float32Array(entities.length);
  for (const [step, word] of asked.entries()) {
    for (const [term, numbers] of postings) {
      const at = term.indexOf(word);
      if (at === -1 || at > 0 && word.length < WITHIN) continue;
      const worth = term.length === word.length ? 3 : at === 0 ? 2 : 1;
      for (const number of numbers) {
        if (stage[number]! < step) continue;
        stage[number] = step + 1;
        scores[number]! += worth;
      }
    }
  }
  const found = new Map<number, number>();
  for (let number = 0; number < stage.length; number++) {
    if (stage[number] === asked.length) found.set(number, scores[number]!);
  }
  return found;
}

/** The index of a plan as it is now. */
async function currentIndex(plan: PlanView): Promise<TextIndex> {
  let index = indexes.get(plan.dir);
  if (index === undefined) {
    index = { entities: [], numbers: new Map(), postings: new Map(), updated: Promise.resolve() };
    indexes.set(plan.dir, index);
  }
  const known = index;
  known.updated = known.updated.catch(() => {}).then(() => update(known, plan));
  await known.updated;
  return known;
}

async function update(index: TextIndex, plan: PlanView): Promise<void> {
  const present = new Set(plan.items.map(({ entity }) => entity));
  for (const [entity, number] of index.numbers) {
    if (present.has(entity)) continue;
    index.numbers.delete(entity);
    index.entities[number] = undefined;
  }
  // What is gone stays in the postings until it is most of them.
  if (index.entities.length > 64 && index.numbers.size * 2 < index.entities.length) {
    index.entities.length = 0;
    index.numbers.clear();
    index.postings.clear();
  }
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of plan.items) {
    if (index.numbers.has(item.entity)) continue;
    add(index, plan, item);
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    sliceEnd = performance.now() + SLICE_MS;
  }
}

function add({ entities, numbers, postings }: TextIndex, plan: PlanView, item: Item): void {
  const number = entities.push(item.entity) - 1;
  numbers.set(item.entity, number);
  for (const word of wordsOf(bodyOf(plan, item))) {
    const list = postings.get(word);
    if (list !== undefined) list.push(number);
    // A part of a text keeps the whole text alive; this makes a copy of it.
    else postings.set(` ${word}`.slice(1), [number]);
  }
}

/** The text of an entity after its opening tag, with its id before it. */
function bodyOf(plan: PlanView, item: Item): string {
  try {
    return `${item.id} ${withoutTag(sourceOf(plan, item))}`;
  } catch {
    // Gone since the scan: the next one leaves it out.
    return item.id;
  }
}

function withoutTag(source: string): string {
  const end = source.indexOf("%}");
  return source.slice(end === -1 ? 0 : end + 2);
}

/** How much of a line is looked through. */
const MOST_LINE = 10_000;

/** How much of the text a snippet shows on either side of the word. */
const AROUND = 60;

/** The place in an entity's text that shows why it was found. */
export function snippetOf(plan: PlanView, item: Item, text: string): string | undefined {
  const asked = [...wordsOf(text)];
  const lines = withoutTag(sourceOf(plan, item)).split("\n")
    .map((line) => plainLine(withoutTags(line), MOST_LINE))
    .filter((line) => line !== "" && !/^#\s/.test(line));
  let best: { line: string; at: number } | undefined;
  let most = 0;
  for (const line of lines) {
    const lower = line.toLowerCase();
    const places = asked.map((word) => lower.indexOf(word)).filter((at) => at !== -1);
    if (places.length <= most) continue;
    most = places.length;
    best = { line, at: Math.min(...places) };
  }
  const { line, at } = best ?? { line: lines.find((one) => !one.startsWith("#")) ?? "", at: 0 };
  if (line === "") return undefined;
  const start = at <= AROUND ? 0 : line.indexOf(" ", at - AROUND) + 1 || at;
  const end = at + 2 * AROUND >= line.length ? line.length : line.lastIndexOf(" ", at + 2 * AROUND);
  const cut = line.slice(start, end > at ? end : at + 2 * AROUND);
  return `${start > 0 ? "…" : ""}${cut}${end < line.length ? "…" : ""}`;
}

/** A line without tags; a reference becomes its id. */
function withoutTags(line: string): string {
  let plain = "";
  let at = 0;
  for (;;) {
    const start = line.indexOf("{%", at);
    const end = start === -1 ? -1 : line.indexOf("%}", start);
    if (end === -1) return plain + line.slice(at);
    const [name, value] = line.slice(start + 2, end).trim().split(/\s+/, 2);
    const id = name === "ref" || name === "xref" ? value?.replaceAll('"', "") ?? "" : "";
    plain += line.slice(at, start) + id;
    at = end + 2;
  }
}
