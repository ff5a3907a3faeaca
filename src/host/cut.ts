/**
 * Splits a value into the largest head that fits a budget, and the rest. Lists and maps keep whole
 * entries from the start, long texts whole lines; records keep all fields, whose long values share
 * the space that the short ones leave.
 */

/** How much of a list, map or text the head contains, in entries or characters. */
export interface CutPart {
  readonly shown: number;
  readonly total: number;
}

/** The part that fits, and the rest: `undefined` if everything fits. */
interface Cut {
  readonly head: unknown;
  readonly rest: unknown;
}

type Parts = Map<string, CutPart>;

/** Shorter texts are never cut: ids, titles, enum values. */
const SHORT_TEXT = 200;

/** An object with more fields counts as a map. */
const MOST_FIELDS = 24;

/** With less space per field, a record's fields are omitted instead of cut. */
const LEAST_SHARE = 60;

export function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** Cuts JSON data to `budget` characters, and adds what was cut to `parts`. */
export function cutToFit(value: unknown, budget: number, parts: Parts, path = ""): Cut {
  if (jsonLength(value) <= budget) return { head: value, rest: undefined };
  if (typeof value === "string") return cutText(value, budget, parts, path);
  if (typeof value !== "object" || value === null) return { head: value, rest: undefined };
  const { length } = Object.keys(value);
  const isRecord = !Array.isArray(value) && length <= MOST_FIELDS && budget / length >= LEAST_SHARE;
  return (isRecord ? cutRecord : cutEntries)(value, budget, parts, path);
}

function cutText(text: string, budget: number, parts: Parts, path: string): Cut {
  if (text.length <= SHORT_TEXT) return { head: text, rest: undefined };
  let fits = 0;
  let over = Math.min(text.length, budget) + 1;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (jsonLength(text.slice(0, middle)) <= budget) fits = middle;
    else over = middle;
  }
  // Never splits a surrogate pair: half of one is longer as JSON than the pair.
  const line = text.lastIndexOf("\n", fits - 1) + 1;
  if (line > fits * 0.9) fits = line;
  parts.set(path, { shown: fits, total: text.length });
  return { head: text.slice(0, fits), rest: text.slice(fits) };
}

/** Keeps entries from the start; cuts the first one if it is too long itself. */
function cutEntries(value: object, budget: number, parts: Parts, path: string): Cut {
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const headOf = (kept: typeof entries) =>
    isList ? kept.map(([, part]) => part) : Object.fromEntries(kept);
  const overhead = (key: string) => isList ? 1 : keyLength(key);
  let used = 2;
  let shown = 0;
  for (const [key, part] of entries) {
    used += overhead(key) + jsonLength(part);
    if (used > budget + 1) break;
    shown++;
  }
  const [first, ...others] = entries;
  if (shown === 0 && first !== undefined) {
    const [key, part] = first;
    const room = budget - 2 - overhead(key);
    const { head, rest } = cutToFit(part, room, parts, join(path, key));
    if (rest !== undefined && jsonLength(head) <= room + 1) {
      if (others.length > 0) parts.set(path, { shown: 1, total: entries.length });
      return { head: headOf([[key, head]]), rest: headOf([[key, rest], ...others]) };
    }
  }
  parts.set(path, { shown, total: entries.length });
  return { head: headOf(entries.slice(0, shown)), rest: headOf(entries.slice(shown)) };
}

function cutRecord(value: object, budget: number, parts: Parts, path: string): Cut {
  const entries = Object.entries(value);
  let space = budget - 1 - entries.reduce((sum, [key]) => sum + keyLength(key), 0);
  const heads = new Map<string, unknown>(entries);
  const rests = new Map<string, unknown>();
  const bySize = entries.map(([key, part]) => ({ key, part, size: jsonLength(part) }))
    .sort((a, b) => a.size - b.size);
  for (const [index, { key, part }] of bySize.entries()) {
    const share = Math.max(Math.floor(space / (bySize.length - index)), 2);
    const { head, rest } = cutToFit(part, share, parts, join(path, key));
    heads.set(key, head);
    if (rest !== undefined) rests.set(key, rest);
    space -= jsonLength(head);
  }
  const rest = rests.size === 0 ? undefined : Object.fromEntries(rests);
  return { head: Object.fromEntries(heads), rest };
}

function keyLength(key: string): number {
  return jsonLength(key) + 2;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
