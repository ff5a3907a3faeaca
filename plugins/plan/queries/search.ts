/** Full-text search in the text of entities, below their tags. */

import { nearestNames } from "../../../src/errors.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { quoted, shortLine, textFrom } from "../../../src/plain_text.ts";
import { invalidArguments } from "../entity/values.ts";
import type { Entity } from "../entity/entity.ts";
import { derived, type PlanView, sourceText } from "./access.ts";

/** The texts of items after their opening tags, and the lines in which they start, from 1. */
type Bodies = ReadonlyMap<Entity, { readonly text: string; readonly line: number }>;

/** Reads the bodies of all items; cached until the plan changes. */
function readBodies(plan: PlanView): Promise<Bodies> {
  return derived(plan, "bodies", async () => {
    const bodies = new Map<Entity, { text: string; line: number }>();
    for await (const item of inTurns(plan.entities)) {
      const source = sourceText(plan, item);
      const line = source.slice(0, item.bodyStart).split("\n").length;
      bodies.set(item, { text: source.slice(item.bodyStart), line });
    }
    return bodies;
  });
}

/**
 * Finds the items whose id or text contains every term, in any case, the best first. A term is a
 * word, which must begin a word of the text, or a phrase in double quotes, which may begin anywhere.
 *
 * @returns The best line of each item, with its text unless that is the title; and why there is none.
 * @throws {RefraktError} `INVALID_ARGS` if the text contains no term.
 */
export async function searchItems(plan: PlanView, items: readonly Entity[], text: string) {
  if (termsIn(text).length === 0) {
    const hint = 'Pass words, or a phrase in double quotes, such as index "open criteria".';
    throw invalidArguments('"text": contains no word', hint);
  }
  const bodies = await readBodies(plan);
  const hits = searchText(bodies, items, text).map(({ item, line, text }) => {
    const isTitle = text.replace(/^#\s+/, "") === item.title;
    return [item, { line, text: isTitle ? undefined : text }] as const;
  });
  const note = hits.length === 0 ? await whyNoHits(bodies, items, text) : undefined;
  return { hits: new Map(hits), note };
}

function searchText(bodies: Bodies, items: readonly Entity[], text: string) {
  const terms = termsIn(text);
  const hits = items.filter((item) => terms.every((term) => has(bodies, item, term)));
  return hits.map((item) => {
    const title = `${item.id} ${item.title}`;
    const inTitle = terms.filter((term) => term.test(title)).length;
    const { line, count, text } = bestLine(bodies.get(item) ?? { text: "", line: 1 }, terms);
    return { item, score: 10 * inTitle + count, line, text };
  }).sort((a, b) => b.score - a.score);
}

const has = (bodies: Bodies, item: Entity, term: RegExp) =>
  term.test(bodies.get(item)?.text ?? "") || term.test(item.id);

/** Words that say nothing about a subject. */
const COMMON = new Set(
  ("a an and are as at be by for from has have how in into is it its not of on or our that the " +
    "their this to was we what when which with").split(" "),
);

/** The items that have words of a text, the nearest first: rare words and titles count most. */
export async function relatedItems(plan: PlanView, items: readonly Entity[], text: string) {
  const bodies = await readBodies(plan);
  const scores = new Map<Entity, number>();
  for (const word of new Set(text.toLowerCase().match(WORD)).difference(COMMON)) {
    const hits = searchText(bodies, items, word);
    for (const { item, score } of hits) {
      scores.set(item, (scores.get(item) ?? 0) + score / hits.length);
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}

/** How many terms without a hit are explained, and how much longer or shorter a near word is. */
const [MOST_TERMS, MOST_LONGER] = [4, 3];
const WORD = /[\p{L}\p{N}]+/gu;

/** Why a search found nothing among some items: with the words nearest to those that none has. */
async function whyNoHits(bodies: Bodies, items: readonly Entity[], text: string): Promise<string> {
  const elsewhere = searchText(bodies, [...bodies.keys()], text).length;
  if (elsewhere > 0) return `${elsewhere} without the other filters`;
  const words = await wordCounts(bodies);
  const terms = [...text.matchAll(TERM)].slice(0, MOST_TERMS);
  const counts = terms.flatMap(([term]) =>
    termsIn(term).map((test) => ({
      term,
      count: items.filter((item) => has(bodies, item, test)).length,
    }))
  );
  const missing = counts.filter(({ count }) => count === 0);
  return missing.length > 0
    ? missing.map(({ term }) => `Nowhere: ${quoted(term)}${nearestOf(term, words)}`).join("; ")
    : `Not together: ${counts.map(({ term, count }) => `${quoted(term)} in ${count}`).join(", ")}`;
}

/** The words of a term that do not exist, with those that are nearest and how many items have them. */
function nearestOf(term: string, words: ReadonlyMap<string, number>): string {
  const strange = term.toLowerCase().match(WORD)?.filter((word) => !words.has(word)) ?? [];
  const lines = strange.flatMap((word) => {
    const near = words.keys()
      .filter((other) => Math.abs(other.length - word.length) <= MOST_LONGER);
    return nearestNames(word, near).map((other) => `${quoted(other)} in ${words.get(other)}`);
  });
  return lines.length === 0 ? "" : `, nearest: ${lines.join(", ")}`;
}

/** How many items have each word. */
async function wordCounts(bodies: Bodies): Promise<Map<string, number>> {
  const words = new Map<string, number>();
  for await (const [{ id, title }, { text }] of inTurns(bodies)) {
    for (const word of new Set(`${id} ${title} ${text}`.toLowerCase().match(WORD))) {
      words.set(word, (words.get(word) ?? 0) + 1);
    }
  }
  return words;
}

/** A quoted phrase, or characters without white space. */
const TERM = /"([^"]+)"|[^\s"]+/g;

function termsIn(text: string): RegExp[] {
  return [...text.matchAll(TERM)].flatMap(([word, phrase]) => {
    if (phrase !== undefined) return new RegExp(RegExp.escape(phrase), "iu");
    if (!/[\p{L}\p{N}]/u.test(word)) return [];
    const start = /^[\p{L}\p{N}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
    // WORK-1 is not WORK-10.
    const end = /\p{N}$/u.test(word) ? "(?!\\p{N})" : "";
    return new RegExp(start + RegExp.escape(word) + end, "iu");
  });
}

/** How many characters of a line are searched, and shown on either side of a term. */
const [SEARCHED_LENGTH, AROUND_TERM] = [10_000, 40];

/** The first line with the most terms; the first line if only the id matches. */
function bestLine(body: { text: string; line: number }, terms: readonly RegExp[]) {
  let best = { line: body.line, count: 0, text: "" };
  for (const [at, whole] of body.text.split("\n").entries()) {
    const line = whole.slice(0, SEARCHED_LENGTH);
    const places = terms.map((term) => line.search(term)).filter((place) => place !== -1);
    if (places.length <= best.count) continue;
    const text = cutAround(line, Math.min(...places));
    best = { line: body.line + at, count: places.length, text };
  }
  return best;
}

function cutAround(line: string, at: number): string {
  const start = Math.max(0, at - AROUND_TERM);
  return (start > 0 ? "…" : "") + shortLine(textFrom(line, start), at - start + 2 * AROUND_TERM);
}
