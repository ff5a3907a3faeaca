/** Merges values and lists of lines of two sides that have changed a common base. */

import { diff3Merge } from "node-diff3";
import { MOST_PAIRS } from "../../entity/line_diff.ts";

/** The three versions of something. */
export interface Sides<Value> {
  readonly base: Value;
  readonly ours: Value;
  readonly theirs: Value;
}

export function mapSides<From, To>(
  { base, ours, theirs }: Sides<From>,
  map: (value: From, side: keyof Sides<unknown>) => To,
): Sides<To> {
  return { base: map(base, "base"), ours: map(ours, "ours"), theirs: map(theirs, "theirs") };
}

/** The merged value, if at most one side has changed it, or both in the same way. */
export function merged<Value>({ base, ours, theirs }: Sides<Value>): Value | undefined {
  if (ours === base) return theirs;
  return theirs === base || theirs === ours ? ours : undefined;
}

/**
 * Merges lists of lines. Lists that are too long to compare are merged if one side alone has changed
 * them.
 *
 * @returns Lines, and where both sides have changed the same ones, what needs a decision.
 */
export function mergeLines(sides: Sides<string[]>): (string | Sides<string[]>)[] {
  const { base, ours, theirs } = sides;
  const texts = mapSides(sides, (lines) => lines.join("\n"));
  const text = merged(texts);
  if (text !== undefined) return text === texts.ours ? ours : theirs;
  if (base.length * Math.max(ours.length, theirs.length) > MOST_PAIRS) return [sides];
  const regions = diff3Merge(ours, base, theirs, { excludeFalseConflicts: true });
  return regions.flatMap(({ ok = [], conflict }) =>
    conflict === undefined
      ? ok
      : mergeRegion({ base: conflict.o, ours: conflict.a, theirs: conflict.b })
  );
}

/**
 * Lines that both sides have added in one place are all kept, ours first; changes of neighbouring
 * lines do not conflict, and those of blank lines give way.
 */
function mergeRegion(region: Sides<string[]>): (string | Sides<string[]>)[] {
  const { base, ours, theirs } = region;
  if (base.length === 0) {
    // An addition that begins with the other one is kept once.
    const length = Math.min(ours.length, theirs.length);
    const isRepeated = ours.slice(0, length).join("\n") === theirs.slice(0, length).join("\n");
    return [...ours, ...theirs.slice(isRepeated ? length : 0)];
  }
  const words = mapSides(region, (lines) => lines.filter((line) => line !== "").join("\n"));
  const changed = merged(words);
  if (changed !== undefined) return changed === words.ours ? ours : theirs;
  if (ours.length !== base.length || theirs.length !== base.length) return [region];
  return base.map((line, at) => {
    const row = { base: line, ours: ours[at]!, theirs: theirs[at]! };
    return merged(row) ?? mapSides(row, (one) => [one]);
  });
}
