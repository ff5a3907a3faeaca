/**
 * Criteria in a merge. Their ticks are merged by text; then each is one token, however many lines it
 * has, and the tokens are merged as lines are.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { lineChanges } from "../../entity/line_diff.ts";
import { type Criterion, keyOf } from "../../entity/document.ts";
import { applySplices, type Editable } from "../edits.ts";
import { mapSides, type Sides } from "./three_way.ts";

/**
 * Characters that no text has: lone surrogates stand for the bracket of a box, for that of a box which
 * one side has ticked and the other removed, and for line ends within a criterion.
 */
const [BOX, CONTESTED, LINE_END] = ["\uD800", "\uD801", "\uD802"];

interface Box extends Criterion {
  readonly mark: string;
  /** The name of its section, as it is compared. */
  readonly sectionKey: string;
}

/** Criteria by their text with an empty box, and a number that tells equal ones apart. */
type Boxes = ReadonlyMap<string, Box>;

/** Whether a token is a criterion. */
export function isBox(token: string): boolean {
  return /[\uD800\uD801]/u.test(token);
}

/** The lines of a part of a text with criteria as tokens. */
export function tokensIn(text: string): string[] {
  return text === "" ? [] : text.replace(/[\n\uD802]$/u, "").split("\n");
}

export function tokenText(tokens: readonly string[]): string {
  return tokens.join("\n").replace(/[\uD800\uD801]/gu, "[").replace(/\uD802/gu, "\n");
}

/**
 * Merges the ticks in all texts, in which each criterion becomes one line; they stay as long as they are.
 *
 * @returns The texts, and which criteria are open again: one side has ticked them, the other reworded.
 */
export function mergeTicks(documents: Sides<Editable>) {
  const boxes = mapSides(documents, boxesIn);
  const { base, ours, theirs } = boxes;
  const reworded = { ours: rewordedIn(base, ours), theirs: rewordedIn(base, theirs) };
  /** The merged mark; `undefined` if one side has ticked it, and the other removed. */
  const markOf = (key: string): string | undefined => {
    const [was, a, b] = [base, ours, theirs].map((side) => side.get(key)?.mark);
    if (a !== undefined && b !== undefined) return a === (was ?? " ") ? b : a;
    const mark = a ?? b ?? was;
    const isReworded = reworded[a === undefined ? "ours" : "theirs"].has(key);
    return was === undefined || was === mark || isReworded ? mark : undefined;
  };
  const reopened = (["ours", "theirs"] as const).flatMap((side) =>
    [...reworded[side]].flatMap(([key, newKey]) => {
      const [before, after] = [base.get(key)!, boxes[side].get(newKey)!];
      const isTicked = markOf(key) !== " " && markOf(key) !== before.mark;
      if (!isTicked || after.mark !== " ") return [];
      return `${quotedName(before.text)} → ${quotedName(after.text)}`;
    })
  );
  const texts = mapSides(documents, ({ text }, side) => {
    const splices = boxes[side].entries().map(([key, { box, end, mark }]) => {
      const merged = markOf(key);
      const words = text.slice(box.end, end - 1).replaceAll("\n", () => LINE_END);
      const token = `${merged === undefined ? CONTESTED : BOX}${merged ?? mark}${words}`;
      return { start: box.start - 1, end: end - 1, text: token };
    });
    return applySplices(text, [...splices]);
  });
  return { texts, reopened };
}

function boxesIn({ text, entity: { criteria, sections } }: Editable): Boxes {
  const boxes = new Map<string, Box>();
  const counts = new Map<string, number>();
  for (const criterion of criteria) {
    const { start, end, box, section } = criterion;
    const bare = `${text.slice(start, box.start)} ${text.slice(box.end, end)}`;
    const count = (counts.get(bare) ?? 0) + 1;
    counts.set(bare, count);
    const mark = text.slice(box.start, box.end);
    const sectionKey = keyOf(sections[section]?.name ?? "");
    boxes.set(`${bare}${count}`, { ...criterion, mark, sectionKey });
  }
  return boxes;
}

/** Criteria that one side has reworded: the new key by the old one. */
function rewordedIn(base: Boxes, side: Boxes): Map<string, string> {
  const reworded = new Map<string, string>();
  const bySection = (boxes: Boxes) =>
    Map.groupBy(boxes.keys(), (key) => boxes.get(key)!.sectionKey);
  const after = bySection(side);
  for (const [section, before] of bySection(base)) {
    for (const { removed, added } of lineChanges(before, after.get(section) ?? [])) {
      // Between criteria that both have, as many new ones stand for the old ones.
      const old = removed.filter((key) => !side.has(key));
      const now = added.filter((key) => !base.has(key));
      if (old.length === now.length) old.forEach((key, at) => reworded.set(key, now[at]!));
    }
  }
  return reworded;
}

/** The tokens of a piece without criteria that one side has removed and the other not ticked. */
export function withoutRemoved(sides: Sides<string[]>): Sides<string[]> {
  const { base, ours, theirs } = mapSides(sides, (tokens) => new Set(tokens));
  const removed = new Set(
    [...base].filter((token) => token.includes(BOX) && !(ours.has(token) && theirs.has(token))),
  );
  return mapSides(sides, (tokens) => tokens.filter((token) => !removed.has(token)));
}
