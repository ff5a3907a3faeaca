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

/** Whether at most one side has changed a value, or both in the same way. */
export function isClear<Value>({ base, ours, theirs }: Sides<Value>): boolean {
  return ours === theirs || ours === base || theirs === base;
}

/** The merged value, if {@linkcode isClear}. */
export function merged<Value>({ base, ours, theirs }: Sides<Value>): Value {
  return ours === base ? theirs : ours;
}

/** A part of a merged list: lines, or two sides that need a decision. */
export type Region = { readonly lines: string[] } | { readonly sides: Sides<string[]> };

/**
 * Merges lists of lines. Lines that both sides have added in one place are all kept, ours first;
 * changes of neighbouring lines do not conflict.
 */
export function mergeLines({ base, ours, theirs }: Sides<string[]>): Region[] {
  return diff3Merge(ours, base, theirs, { excludeFalseConflicts: true }).flatMap(
    ({ ok, conflict }): Region[] => {
      if (conflict === undefined) return [{ lines: ok ?? [] }];
      const { a, o, b } = conflict;
      if (o.length === 0) return [{ lines: [...a, ...withoutRun(b, a)] }];
      if (a.length === o.length && b.length === o.length) {
        return lineByLine({ base: o, ours: a, theirs: b });
      }
      return [{ sides: { base: o, ours: a, theirs: b } }];
    },
  );
}

/** Lines of two additions that agree at their start or end are kept once. */
function withoutRun(added: string[], known: string[]): string[] {
  let start = 0;
  while (start < added.length && start < known.length && added[start] === known[start]) start++;
  const isRepeated = start === Math.min(added.length, known.length);
  return isRepeated ? added.slice(start) : added;
}

function lineByLine({ base, ours, theirs }: Sides<string[]>): Region[] {
  return base.map((line, index) => {
    const sides = { base: line, ours: ours[index]!, theirs: theirs[index]! };
    if (isClear(sides)) return { lines: [merged(sides)] };
    return { sides: { base: [line], ours: [sides.ours], theirs: [sides.theirs] } };
  });
}
