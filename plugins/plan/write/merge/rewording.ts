/** Criteria that one side of a merge has reworded. */

import { quotedName, shortLine, textFrom } from "../../../../src/plain_text.ts";
import { isBox, linesOf, type MergedVersion } from "./pieces.ts";

/** The longest text that is shown, in characters. */
const MOST_SHOWN = 120;

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
    quotedName(shortLine(`${from > 0 ? "…" : ""}${textFrom(text, from)}`, MOST_SHOWN))
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
