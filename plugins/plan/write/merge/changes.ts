/** What each side of a merge has changed, and ticks of criteria that the other side has reworded. */

import { DESCRIPTION } from "../../entity/document.ts";
import { quotedName, shortLine, textFrom, wordOrText } from "../../../../src/plain_text.ts";
import { isBox, linesOf, type MergedVersion, type Piece, TITLE } from "./pieces.ts";
import type { Sides } from "./three_way.ts";

/** The longest text of a change, in characters, and the most changes of a side. */
const [MOST_SHOWN, MOST_CHANGES] = [120, 20];

/** The two sides against their base, as sentences without a verb: `status ready → done`. */
export type SideChanges = {
  readonly base: string;
  readonly ours: string[];
  readonly theirs: string[];
};

/** @param isAdded Whether both sides have added the entity. */
export function sideChanges(
  { base, ours, theirs }: Sides<MergedVersion>,
  isAdded: boolean,
): SideChanges {
  return {
    base: isAdded ? "none: both sides have added it" : stateOf(base),
    ours: changesOf(base, ours),
    theirs: changesOf(base, theirs),
  };
}

function stateOf({ document: { entity }, marks }: MergedVersion): string {
  const ticked = [...marks.values()].filter((mark) => mark !== " ").length;
  const criteria = marks.size === 0 ? "" : `${ticked} of ${marks.size} criteria ticked`;
  return [entity.attributes["status"] ?? "", criteria].filter(Boolean).join(", ");
}

function changesOf(base: MergedVersion, side: MergedVersion): string[] {
  const [was, is] = [base, side].map(({ document: { entity } }) => entity.attributes);
  const attributes = [...new Set([...Object.keys(was!), ...Object.keys(is!)])].flatMap((name) =>
    was![name] === is![name] ? [] : `${name} ${valueOf(was![name])} → ${valueOf(is![name])}`
  );
  const reworded = rewordedIn(base, side);
  const now = new Set(reworded.values());
  const boxes = [...new Set([...base.marks.keys(), ...side.marks.keys()])].flatMap((token) => {
    const [before, after] = [base.marks.get(token), side.marks.get(token)];
    if (before === after || now.has(token)) return [];
    const other = reworded.get(token);
    if (other !== undefined) {
      const mark = side.marks.get(other);
      const ticked = mark === before ? "" : mark === " " ? " and cleared" : " and ticked";
      return `reworded${ticked}: ${rewording(token, other)}`;
    }
    const what = before === undefined
      ? "added"
      : after === undefined
      ? "removed"
      : after === " "
      ? "cleared"
      : "ticked";
    return `${what}: ${criterionText(textOf(token))}`;
  });
  const texts = [...new Set([...base.pieces.keys(), ...side.pieces.keys()])].flatMap((key) => {
    const [before, after] = [base.pieces.get(key), side.pieces.get(key)];
    const name = wordOrText(pieceName((after ?? before)!.name));
    const [old, now] = [proseOf(before), proseOf(after)];
    if (old.join("\n") === now.join("\n")) return [];
    if (before === undefined) return `${name} added`;
    if (after === undefined) return `${name} removed`;
    const [had, has] = [new Set(old), new Set(now)];
    const gone = old.filter((line) => !has.has(line)).length;
    const more = now.filter((line) => !had.has(line)).length;
    return `${name} +${more} −${gone} lines`;
  });
  const all = [...attributes, ...boxes, ...texts];
  const left = all.length - MOST_CHANGES;
  return left > 0 ? [...all.slice(0, MOST_CHANGES), `${left} more`] : all;
}

const valueOf = (value = "") => value === "" ? "-" : wordOrText(value);

/** The lines of a piece without its criteria. */
function proseOf(piece: Piece | undefined): string[] {
  return (piece?.tokens ?? []).filter((token) => !isBox(token) && token.trim() !== "");
}

export function pieceName(piece: string): string {
  return piece === TITLE ? "title" : piece || DESCRIPTION;
}

function criterionText(text: string): string {
  return quotedName(shortLine(text, MOST_SHOWN));
}

function textOf(token: string): string {
  const text = linesOf(token, " ").join(" ").replace(/^\s*[-*+]\s+\[ \]\s*/, "");
  return text.replace(/\s+/g, " ");
}

/** How many characters before the first difference are shown. */
const CONTEXT = 30;

/** The texts of a criterion before and after, from where they differ. */
export function rewording(before: string, after: string): string {
  const [was, is] = [before, after].map((token) => textOf(token));
  let at = 0;
  while (at < was!.length && was![at] === is![at]) at++;
  const from = at < CONTEXT * 2 ? 0 : at - CONTEXT;
  const shown = [was!, is!].map((text) =>
    criterionText(`${from > 0 ? "…" : ""}${textFrom(text, from)}`)
  );
  return shown.join(" → ");
}

/** Criteria that one side has reworded: the new token by the old one. */
export function rewordedIn(base: MergedVersion, side: MergedVersion): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, { tokens }] of base.pieces) {
    const before = tokens.filter(isBox);
    if (before.length === 0) continue;
    const after = (side.pieces.get(key)?.tokens ?? []).filter(isBox);
    const places = new Map(after.map((token, at) => [token, at]));
    const had = new Set(before);
    let [old, to]: [string[], number] = [[], 0];
    for (const token of [...before, undefined]) {
      const place = token === undefined ? after.length : places.get(token);
      if (place === undefined) {
        old.push(token!);
        continue;
      }
      // Between criteria that both have, as many new ones stand for the old ones.
      const now = after.slice(to, Math.max(to, place)).filter((one) => !had.has(one));
      if (old.length === now.length) old.forEach((one, at) => found.set(one, now[at]!));
      [old, to] = [[], Math.max(to, place + 1)];
    }
  }
  return found;
}
