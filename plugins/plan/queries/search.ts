/**
 * Full-text search in titles and bodies: one regular expression per word. Takes 2 ms for the real
 * plan (681 entities, 4.6 MB).
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import { withoutTags } from "../entity/document.ts";
import { inSlices } from "../store/slices.ts";
import { type Item, type PlanView, sourceText } from "./access.ts";

/** Query words with at least this many characters also match inside other words. */
const WITHIN = 4;

interface Hit {
  readonly item: Item;
  /** More is better. */
  readonly score: number;
}

/** Patterns for a query word: anywhere, and as a whole word. */
interface AskedWord {
  readonly anywhere: RegExp;
  readonly alone: RegExp;
}

/** The text of each item after its opening tag, without tags. */
type Bodies = ReadonlyMap<Item, string>;

/** Reads the bodies of all items; cached until the plan changes. */
export function readBodies(plan: PlanView): Promise<Bodies> {
  return plan.state.derived("bodies", () => inSlices(bodiesOf(plan)));
}

function* bodiesOf(plan: PlanView): Generator<void, Bodies> {
  const bodies = new Map<Item, string>();
  for (const item of plan.items) {
    try {
      const source = sourceText(plan, item).slice(item.stored.document.bodyStart);
      bodies.set(item, withoutTags(source));
    } catch {
      // Removed since the plan was read.
    }
    yield;
  }
  return bodies;
}

/**
 * Finds the items whose title or body contains every word, the best first.
 *
 * @throws {RefraktError} `INVALID_ARGS` if the text contains no word.
 */
export function searchText(bodies: Bodies, items: readonly Item[], text: string): Hit[] {
  const asked = askedWords(text);
  if (asked.length === 0) {
    throw new RefraktError("INVALID_ARGS", '"text": contains no word', {
      hint: "Pass words made of letters or digits.",
    });
  }
  const hits: Hit[] = [];
  for (const item of items) {
    const body = bodies.get(item) ?? "";
    if (!asked.every(({ anywhere }) => anywhere.test(body) || anywhere.test(item.id))) continue;
    const title = `${item.id} ${item.title}`;
    const score = asked.reduce(
      (sum, { anywhere, alone }) =>
        sum + (anywhere.test(title) ? 10 : 0) + (alone.test(body) ? 2 : 1),
      0,
    );
    hits.push({ item, score });
  }
  return hits.sort((a, b) => b.score - a.score);
}

function askedWords(text: string): AskedWord[] {
  const words = text.toLowerCase().match(/\p{L}+-\p{N}+|[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].map((word) => {
    const start = "(?<![\\p{L}\\p{N}\\p{M}])";
    const alone = new RegExp(`${start}${word}(?![\\p{L}\\p{N}\\p{M}])`, "iu");
    // Ids match only as a whole.
    if (word.includes("-")) return { anywhere: alone, alone };
    return { anywhere: new RegExp(word.length < WITHIN ? start + word : word, "iu"), alone };
  });
}

/** How many characters of a line are searched. */
const MAX_LINE = 10_000;

/** How many characters a snippet shows on either side of the word. */
const AROUND = 60;

/** Returns the part of an entity's text with the most matching words. */
export function snippetOf(body: string, text: string): string | undefined {
  const asked = askedWords(text);
  const lines = body.split("\n").map((line) => plainLine(line, MAX_LINE))
    .filter((line) => line !== "" && !line.startsWith("# "));
  const found = lines.map((line) => {
    const places = asked.map(({ anywhere }) => line.search(anywhere)).filter((at) => at !== -1);
    return { line, words: places.length, at: Math.min(...places) };
  }).reduce((best, one) => one.words > best.words ? one : best, { line: "", words: 0, at: 0 });
  const line = found.line || (lines.find((one) => !one.startsWith("#")) ?? "");
  const { at } = found;
  if (line === "") return undefined;
  const start = at <= AROUND ? 0 : line.indexOf(" ", at - AROUND) + 1 || at;
  const end = at + 2 * AROUND >= line.length ? line.length : line.lastIndexOf(" ", at + 2 * AROUND);
  const cut = line.slice(start, end > at ? end : at + 2 * AROUND);
  return `${start > 0 ? "…" : ""}${cut}${end < line.length ? "…" : ""}`;
}
