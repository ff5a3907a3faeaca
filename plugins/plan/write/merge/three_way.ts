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
 * changes of neighbouring lines do not conflict. Long lists are merged between the lines that
 * occur once on each side; what is still long there is one conflict, because a comparison of many
 * equal lines takes minutes.
 */
export function mergeLines(sides: Sides<string[]>): Region[] {
  if (isShort(sides)) return compared(sides);
  const { base, ours, theirs } = sides;
  const regions: Region[] = [];
  let [o, a, b] = [0, 0, 0];
  const ends: Anchor[] = [...anchorsOf(sides), [base.length, ours.length, theirs.length]];
  for (const [inBase, inOurs, inTheirs] of ends) {
    const part = {
      base: base.slice(o, inBase),
      ours: ours.slice(a, inOurs),
      theirs: theirs.slice(b, inTheirs),
    };
    const isEmpty = part.base.length + part.ours.length + part.theirs.length === 0;
    if (!isEmpty) regions.push(...isShort(part) ? compared(part) : wholly(part));
    if (inBase < base.length) regions.push({ lines: [base[inBase]!] });
    [o, a, b] = [inBase + 1, inOurs + 1, inTheirs + 1];
  }
  return regions;
}

/** How many pairs of lines may be compared. */
const MOST_PAIRS = 4_000_000;

function isShort({ base, ours, theirs }: Sides<string[]>): boolean {
  const most = Math.max(ours.length, theirs.length);
  return Math.max(base.length, most) * Math.min(base.length, most) <= MOST_PAIRS;
}

/** The places of a line in base, ours and theirs. */
type Anchor = readonly [base: number, ours: number, theirs: number];

/** Finds lines that all sides share, in one order: at the start, at the end, and rare ones between. */
function anchorsOf({ base, ours, theirs }: Sides<string[]>): Anchor[] {
  const shortest = Math.min(base.length, ours.length, theirs.length);
  const isShared = (o: number, a: number, b: number) =>
    base[o] === ours[a] && base[o] === theirs[b];
  const head: Anchor[] = [];
  for (let at = 0; at < shortest && isShared(at, at, at); at++) head.push([at, at, at]);
  const tail: Anchor[] = [];
  for (let back = 1; back <= shortest - head.length; back++) {
    const places: Anchor = [base.length - back, ours.length - back, theirs.length - back];
    if (!isShared(...places)) break;
    tail.unshift(places);
  }
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map((lines) =>
    onlyPlaces(lines, head.length, lines.length - tail.length)
  );
  const rare = [...inBase!].flatMap(([line, place]): Anchor[] => {
    const [a, b] = [inOurs!.get(line), inTheirs!.get(line)];
    return a === undefined || b === undefined ? [] : [[place, a, b]];
  });
  return [...head, ...rising(rising(rare, 1), 2), ...tail];
}

/** The places of lines that occur once in a part. */
function onlyPlaces(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = from; at < to; at++) {
    if (places.has(lines[at]!)) repeated.add(lines[at]!);
    else places.set(lines[at]!, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** The longest list of anchors whose places on one side rise. */
function rising(anchors: readonly Anchor[], side: 1 | 2): Anchor[] {
  type Link = { readonly anchor: Anchor; readonly before: Link | undefined };
  const ends: Link[] = [];
  for (const anchor of anchors) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.anchor[side] < anchor[side]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { anchor, before: ends[low - 1] };
  }
  const found: Anchor[] = [];
  for (let link = ends.at(-1); link !== undefined; link = link.before) found.push(link.anchor);
  return found.reverse();
}

/** A part that is too long to compare: clear if one side alone has changed it. */
function wholly(part: Sides<string[]>): Region[] {
  const texts = {
    base: part.base.join("\n"),
    ours: part.ours.join("\n"),
    theirs: part.theirs.join("\n"),
  };
  if (!isClear(texts)) return [{ sides: part }];
  return [{ lines: texts.ours === texts.base ? part.theirs : part.ours }];
}

function compared({ base, ours, theirs }: Sides<string[]>): Region[] {
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
