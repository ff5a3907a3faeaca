/** Which lines of a text differ from those of another. */

import { diffIndices } from "node-diff3";

/** How many pairs of lines are compared: a comparison of many equal lines takes minutes. */
export const MOST_PAIRS = 4_000_000;

/** Returns the changes in order, by lines of the old text; too many lines count as one change. */
export function lineChanges(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  if (removed.length * added.length > MOST_PAIRS) return [{ at: start, removed, added }];
  return diffIndices(removed, added).map((change) => ({
    at: start + change.buffer1[0],
    removed: change.buffer1Content,
    added: change.buffer2Content,
  }));
}

/** How many lines around a change are shown, and how many lines in all. */
const [AROUND, MOST_LINES] = [2, 400];

/**
 * A difference for readers: each line begins with `-`, `+` or a space; `…` stands for lines that are
 * the same on both sides.
 */
export function shownDifference(before: string, after: string): string[] {
  const lines = before === "" ? [] : before.split("\n");
  const rows: string[] = [];
  let at = 0;
  const same = (to: number) => rows.push(...lines.slice(at, to).map((line) => ` ${line}`));
  for (const change of lineChanges(lines, after === "" ? [] : after.split("\n"))) {
    const from = Math.max(at, change.at - AROUND);
    const isCut = from > Math.min(at + AROUND, change.at);
    if (isCut) {
      if (at > 0) same(at + AROUND);
      rows.push("…");
      at = from;
    }
    same(change.at);
    rows.push(
      ...change.removed.map((line) => `-${line}`),
      ...change.added.map((line) => `+${line}`),
    );
    at = change.at + change.removed.length;
  }
  same(at + AROUND);
  return rows.length > MOST_LINES ? [...rows.slice(0, MOST_LINES), "…"] : rows;
}
