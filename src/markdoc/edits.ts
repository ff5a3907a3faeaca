/** Edits of the lines of a text, and where they are. */

import { linesOf, withLines } from "./lines.ts";

/** Line and column, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Replaces `length` characters at a place, all in one line; in UTF-16 units. */
export interface Edit extends Place {
  readonly length: number;
  readonly text: string;
  /** The replaced text; if the place holds another one, the file was changed since. */
  readonly old?: string;
}

/**
 * Applies corrections, each as a whole or not at all: one that overlaps an earlier one is left out.
 *
 * @returns The new text and the number of corrections applied; `undefined` if the text was changed
 * since the findings.
 */
export function applyEdits(
  text: string,
  corrections: readonly (readonly Edit[])[],
): { readonly text: string; readonly count: number } | undefined {
  const before = linesOf(text);
  const isThere = ({ line, column, length, old }: Edit) => {
    const replaced = before[line - 1]?.slice(column - 1, column - 1 + length);
    return replaced?.length === length && (old === undefined || replaced === old);
  };
  if (!corrections.flat().every(isThere)) return undefined;
  const accepted: Edit[] = [];
  let count = 0;
  for (const edits of corrections) {
    const fits = edits.every((edit, index) =>
      ![...accepted, ...edits.slice(0, index)].some((other) => overlap(edit, other))
    );
    if (!fits || edits.length === 0) continue;
    accepted.push(...edits);
    count++;
  }
  const lines = [...before];
  // Right to left, so that earlier columns stay valid.
  for (const { line, column, length, text } of accepted.sort((a, b) => b.column - a.column)) {
    const old = lines[line - 1]!;
    lines[line - 1] = old.slice(0, column - 1) + text + old.slice(column - 1 + length);
  }
  return { text: withLines(text, (_, index) => lines[index]!), count };
}

function overlap(a: Edit, b: Edit): boolean {
  const isWithin = a.column < b.column + b.length && b.column < a.column + a.length;
  return a.line === b.line && (a.column === b.column || isWithin);
}
