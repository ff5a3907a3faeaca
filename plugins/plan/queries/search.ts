/**
 * Full-text search over titles and bodies: one regular expression a word, which takes 2 ms for the
 * real plan (681 entities, 4.6 MB).
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import { inSlices } from "../store/slices.ts";
import { type Item, type PlanView, sourceText } from "./access.ts";

/** A word of a question with at least so many characters is also found within others. */
const WITHIN = 4;

/** One entity that was found. */
export interface Hit {
  /** The entity. */
  readonly item: Item;
  /** How well it fits; more is better. */
  readonly score: number;
}

/** A word of a question: how it is found, and found as a word of its own. */
interface AskedWord {
  readonly anywhere: RegExp;
  readonly alone: RegExp;
}

/** The body of each item: its text after its opening tag. */
export type Bodies = ReadonlyMap<Item, string>;

/** Reads the bodies of all items; they are kept while the plan does not change. */
export function readBodies(plan: PlanView): Promise<Bodies> {
  return plan.state.derived("bodies", () => inSlices(bodiesOf(plan)));
}

function* bodiesOf(plan: PlanView): Generator<void, Bodies> {
  const bodies = new Map<Item, string>();
  for (const item of plan.items) {
    try {
      const start = item.stored.document.entity?.tag.end ?? 0;
      bodies.set(item, sourceText(plan, item).slice(start));
    } catch {
      // Gone since the last look: the next one leaves it out.
    }
    yield;
  }
  return bodies;
}

/**
 * Finds the items whose title or body has every word, the best first.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a text without a word.
 */
export function searchText(bodies: Bodies, items: readonly Item[], text: string): Hit[] {
  const asked = askedWords(text);
  if (asked.length === 0) {
    throw new RefraktError("INVALID_ARGS", '"text": holds no word', {
      hint: "Give words of letters or digits.",
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
    // An id is found as a whole.
    if (word.includes("-")) return { anywhere: alone, alone };
    return { anywhere: new RegExp(word.length < WITHIN ? start + word : word, "iu"), alone };
  });
}

/** How much of a line is looked through. */
const MOST_LINE = 10_000;

/** How much of the text a snippet shows on either side of the word. */
const AROUND = 60;

/** The place in an entity's text that shows why it was found. */
export function snippetOf(body: string, text: string): string | undefined {
  const asked = askedWords(text);
  const lines = body.split(/\r?\n/)
    .map((line) => plainLine(withoutTags(line), MOST_LINE))
    .filter((line) => line !== "" && !/^#\s/.test(line));
  let best: { line: string; at: number } | undefined;
  let most = 0;
  for (const line of lines) {
    const places = asked.map(({ anywhere }) => line.search(anywhere)).filter((at) => at !== -1);
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
export function withoutTags(line: string): string {
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
