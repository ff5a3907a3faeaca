/** Full-text search in the text of entities, below their tags. */

import { RefraktError } from "../../../src/errors.ts";
import { shortLine } from "../../../src/plain_text.ts";
import { inSlices } from "../store/slices.ts";
import { type Item, type PlanView, sourceText } from "./access.ts";

/** The text of an item after its opening tag. */
interface Body {
  readonly text: string;
  /** The line of the file in which it starts, from 1. */
  readonly line: number;
}

type Bodies = ReadonlyMap<Item, Body>;

/** An item that contains every term. */
interface Hit {
  readonly item: Item;
  /** More is better. */
  readonly score: number;
  /** The line with the most terms, from 1, and its text. */
  readonly line: number;
  readonly text: string;
}

/** Reads the bodies of all items; cached until the plan changes. */
export function readBodies(plan: PlanView): Promise<Bodies> {
  return plan.state.derived("bodies", () => inSlices(bodiesOf(plan)));
}

function* bodiesOf(plan: PlanView): Generator<void, Bodies> {
  const bodies = new Map<Item, Body>();
  for (const item of plan.items) {
    const source = sourceText(plan, item);
    const start = item.contents.bodyStart;
    const line = source.slice(0, start).split("\n").length;
    bodies.set(item, { text: source.slice(start), line });
    yield;
  }
  return bodies;
}

/**
 * Finds the items whose id or text contains every term, in any case, the best first. A term is a
 * word, which must begin a word of the text, or a phrase in double quotes, which may begin anywhere.
 *
 * @throws {RefraktError} `INVALID_ARGS` if the text contains no term.
 */
export function searchText(bodies: Bodies, items: readonly Item[], text: string): Hit[] {
  const terms = termsIn(text);
  if (terms.length === 0) {
    throw new RefraktError("INVALID_ARGS", '"text": contains no word', {
      hint: 'Pass words, or a phrase in double quotes, such as index "open criteria".',
    });
  }
  const hits: Hit[] = [];
  for (const item of items) {
    const body = bodies.get(item) ?? { text: "", line: 1 };
    if (!terms.every((term) => term.test(body.text) || term.test(item.id))) continue;
    const title = `${item.id} ${item.title}`;
    const inTitle = terms.filter((term) => term.test(title)).length;
    const { line, found, text } = bestLine(body, terms);
    hits.push({ item, score: 10 * inTitle + found, line, text });
  }
  return hits.sort((a, b) => b.score - a.score);
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
const [MAX_LINE, AROUND] = [10_000, 50];

/** The first line with the most terms; the first line if only the id matches. */
function bestLine(body: Body, terms: readonly RegExp[]) {
  let best = { line: body.line, found: 0, text: "" };
  for (const [at, whole] of body.text.split("\n").entries()) {
    const line = whole.slice(0, MAX_LINE);
    const places = terms.map((term) => line.search(term)).filter((place) => place !== -1);
    if (places.length <= best.found) continue;
    best = {
      line: body.line + at,
      found: places.length,
      text: cutAround(line, Math.min(...places)),
    };
  }
  return best;
}

function cutAround(line: string, at: number): string {
  const [start, end] = [Math.max(0, at - AROUND), Math.min(line.length, at + 2 * AROUND)];
  const cut = shortLine(line.slice(start, end), 4 * AROUND);
  return `${start > 0 ? "…" : ""}${cut}${end < line.length ? "…" : ""}`;
}
