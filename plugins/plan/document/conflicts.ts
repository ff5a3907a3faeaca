/**
 * The markers that a merge leaves in a file that it could not merge.
 *
 * @module
 */

import type { ConflictMarkers } from "./model.ts";
import type { Outline } from "./outline.ts";

/** The first conflict that begins outside code and comments; one side of it may open a fence. */
export function conflictIn({ source, hidden }: Outline): ConflictMarkers | undefined {
  const { plain } = source;
  if (!plain.includes("<<<<<<<") || !plain.includes(">>>>>>>")) return undefined;
  let first: number | undefined;
  let isSecondSide = false;
  for (let line = 0; line < source.lines; line++) {
    const text = source.lineText(line);
    if (/^<{7}(?: |$)/.test(text) && (first !== undefined || !hidden.has(source.startOf(line)))) {
      [first, isSecondSide] = [line, false];
    } else if (text === "=======") isSecondSide = first !== undefined;
    else if (/^>{7}(?: |$)/.test(text) && first !== undefined && isSecondSide) {
      return { first: first + 1, last: line + 1 };
    }
  }
  return undefined;
}
