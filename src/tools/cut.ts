/**
 * Cuts a value in two: the largest head that fits a budget, and the rest. Lists keep
 * whole entries from the front, maps whole keys, long texts whole lines; records keep all their
 * fields, and the long ones share what the short ones leave.
 *
 * @module
 */

/** How much of one list, map or text the head holds, in entries or characters. */
export interface CutPart {
  /** How much is shown. */
  readonly shown: number;
  /** How much there is. */
  readonly total: number;
}

/** A value in two. */
export interface Cut {
  /** What fits. */
  readonly head: unknown;
  /** What does not; `undefined` where all fits. */
  readonly rest: unknown;
}

/** Texts up to this length are never cut: ids, titles, enum values. */
const SHORT_TEXT = 200;

/** A record with more fields than this, none of which dominates, is a map: whole keys are kept. */
const MOST_FIELDS = 24;

/** With less than this for each, the fields of a record are not shortened but left out. */
const LEAST_SHARE = 60;

/** The length of a value as compact JSON. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/**
 * Cuts plain JSON data.
 *
 * @param value The data.
 * @param budget The most characters of compact JSON.
 * @param parts Filled with what was cut, by its path such as `items` or `counts.work`.
 */
export function cutToFit(value: unknown, budget: number, parts: Map<string, CutPart>): Cut {
  return cut(value, budget, "", parts);
}

function cut(value: unknown, budget: number, path: string, parts: Map<string, CutPart>): Cut {
  if (jsonLength(value) <= budget) return { head: value, rest: undefined };
  if (typeof value === "string") return cutText(value, budget, path, parts);
  if (Array.isArray(value)) return cutList(value, budget, path, parts);
  if (typeof value !== "object" || value === null) return { head: value, rest: undefined };
  const entries = Object.entries(value);
  return isMap(entries, budget)
    ? cutMap(entries, budget, path, parts)
    : cutRecord(entries, budget, path, parts);
}

function cutText(text: string, budget: number, path: string, parts: Map<string, CutPart>): Cut {
  if (text.length <= SHORT_TEXT) return { head: text, rest: undefined };
  let fits = 0;
  let over = Math.min(text.length, budget) + 1;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (jsonLength(text.slice(0, middle)) <= budget) fits = middle;
    else over = middle;
  }
  const line = text.lastIndexOf("\n", fits - 1) + 1;
  if (line > fits * 0.9) fits = line;
  else if (isHighSurrogate(text, fits - 1)) fits -= 1;
  parts.set(path, { shown: fits, total: text.length });
  return { head: text.slice(0, fits), rest: text.slice(fits) };
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit < 0xdc00;
}

/** How many parts from the front fit into brackets or braces; a part's size counts its comma. */
function fittingCount<Part>(
  parts: readonly Part[],
  budget: number,
  sizeOf: (part: Part) => number,
): number {
  let used = 2;
  let count = 0;
  for (const part of parts) {
    used += sizeOf(part);
    if (used > budget + 1) break;
    count++;
  }
  return count;
}

function cutList(
  list: readonly unknown[],
  budget: number,
  path: string,
  parts: Map<string, CutPart>,
): Cut {
  const shown = fittingCount(list, budget, (value) => jsonLength(value) + 1);
  if (shown === 0 && list.length > 0) {
    const first = cut(list[0], budget - 2, join(path, "0"), parts);
    if (first.rest !== undefined && jsonLength(first.head) + 2 <= budget) {
      if (list.length > 1) parts.set(path, { shown: 1, total: list.length });
      return { head: [first.head], rest: [first.rest, ...list.slice(1)] };
    }
  }
  parts.set(path, { shown, total: list.length });
  return { head: list.slice(0, shown), rest: list.slice(shown) };
}

/**
 * Whether an object is a map: many fields of similar size, of which some whole ones say more
 * than parts of all.
 */
function isMap(entries: readonly [string, unknown][], budget: number): boolean {
  if (budget / entries.length < LEAST_SHARE) return true;
  if (entries.length <= MOST_FIELDS) return false;
  const sizes = entries.map(([, value]) => jsonLength(value));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.every((size) => size < total / 4);
}

function cutMap(
  entries: readonly [string, unknown][],
  budget: number,
  path: string,
  parts: Map<string, CutPart>,
): Cut {
  const shown = fittingCount(
    entries,
    budget,
    ([key, value]) => keyLength(key) + jsonLength(value),
  );
  if (shown === 0) {
    const [key, value] = entries[0]!;
    const first = cut(value, budget - 2 - keyLength(key), join(path, key), parts);
    if (first.rest !== undefined) {
      if (entries.length > 1) parts.set(path, { shown: 1, total: entries.length });
      return {
        head: Object.fromEntries([[key, first.head]]),
        rest: Object.fromEntries([[key, first.rest], ...entries.slice(1)]),
      };
    }
  }
  parts.set(path, { shown, total: entries.length });
  return {
    head: Object.fromEntries(entries.slice(0, shown)),
    rest: Object.fromEntries(entries.slice(shown)),
  };
}

function cutRecord(
  entries: readonly [string, unknown][],
  budget: number,
  path: string,
  parts: Map<string, CutPart>,
): Cut {
  let left = budget - 1 - entries.reduce((sum, [key]) => sum + keyLength(key), 0);
  const heads = new Map<string, unknown>();
  const rests: [string, unknown][] = [];
  const bySize = entries.map(([key, value]) => ({ key, value, size: jsonLength(value) }))
    .sort((a, b) => a.size - b.size);
  for (const [index, { key, value, size }] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index));
    const { head, rest } = size <= share
      ? { head: value, rest: undefined }
      : cut(value, Math.max(share, 2), join(path, key), parts);
    heads.set(key, head);
    if (rest !== undefined) rests.push([key, rest]);
    left -= rest === undefined ? size : jsonLength(head);
  }
  const head = Object.fromEntries(entries.map(([key]) => [key, heads.get(key)]));
  return { head, rest: rests.length === 0 ? undefined : Object.fromEntries(rests) };
}

/** The length of a key with its quotes, its colon and the comma before it. */
function keyLength(key: string): number {
  return jsonLength(key) + 2;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
