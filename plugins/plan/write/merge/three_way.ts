/** Merges values and lists of lines of two sides that have changed a common base. */

import { diff3Merge } from "node-diff3";

/** The three versions of something. */
export interface Sides<Value> {
  readonly base: Value;
  readonly ours: Value;
  readonly theirs: Value;
}

/** A side, or both of them, in the order ours, theirs. */
export type Choice = "ours" | "theirs" | "both";

export function mapSides<From, To>(
  { base, ours, theirs }: Sides<From>,
  map: (value: From, side: keyof Sides<unknown>) => To,
): Sides<To> {
  return { base: map(base, "base"), ours: map(ours, "ours"), theirs: map(theirs, "theirs") };
}

/** Whether at most one side has changed a value, or both in the same way. */
export function isClear<Value>({ base, ours, theirs }: Sides<Value>): boolean {
  return ours === theirs || ours === base || theirs === base;
}

/** The merged value, if {@linkcode isClear}. */
export function merged<Value>({ base, ours, theirs }: Sides<Value>): Value {
  return ours === base ? theirs : ours;
}

/** A part of a merged list: lines, or two sides that need a decision. */
type Region = { readonly lines: string[] } | { readonly sides: Sides<string[]> };

/** How many pairs of lines may be compared: a comparison of many equal lines takes minutes. */
const MOST_COMPARED = 4_000_000;

/**
 * Merges lists of lines. Lines that both sides have added in one place are all kept, ours first;
 * changes of neighbouring lines do not conflict. Lists that are too long to compare are merged if
 * one side alone has changed them.
 */
export function mergeLines(sides: Sides<string[]>): Region[] {
  const { base, ours, theirs } = sides;
  const texts = mapSides(sides, (lines) => lines.join("\n"));
  if (isClear(texts)) return [{ lines: texts.ours === texts.base ? theirs : ours }];
  if (base.length * Math.max(ours.length, theirs.length) > MOST_COMPARED) return [{ sides }];
  return diff3Merge(ours, base, theirs, { excludeFalseConflicts: true }).flatMap(
    ({ ok, conflict }): Region[] => {
      if (conflict === undefined) return [{ lines: ok ?? [] }];
      const { a, o, b } = conflict;
      if (o.length === 0) return [{ lines: [...a, ...withoutRun(b, a)] }];
      if (a.length !== o.length || b.length !== o.length) {
        return [{ sides: { base: o, ours: a, theirs: b } }];
      }
      return o.map((line, at) => {
        const row = { base: line, ours: a[at]!, theirs: b[at]! };
        return isClear(row) ? { lines: [merged(row)] } : { sides: mapSides(row, (one) => [one]) };
      });
    },
  );
}

/** Lines of two additions that agree at their start are kept once. */
function withoutRun(added: string[], others: string[]): string[] {
  let start = 0;
  while (start < added.length && start < others.length && added[start] === others[start]) start++;
  const isRepeated = start === Math.min(added.length, others.length);
  return isRepeated ? added.slice(start) : added;
}
