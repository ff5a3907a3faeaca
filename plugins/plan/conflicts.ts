/**
 * The markers that a merge leaves in a file that it could not merge.
 *
 * @module
 */

import { linesOf } from "../../src/project/entities.ts";

/** Where the markers stand, as line numbers from 1. */
export interface ConflictMarkers {
  /** The line of `<<<<<<<`. */
  readonly first: number;
  /** The line of `>>>>>>>`. */
  readonly last: number;
}

/** The first conflict of a text that begins outside code fences; `undefined` where there is none. */
export function conflictMarkers(source: string): ConflictMarkers | undefined {
  if (!source.includes("<<<<<<<") || !source.includes(">>>>>>>")) return undefined;
  let first: number | undefined;
  let middle = false;
  let number = 0;
  for (const { text, isFenced } of linesOf(source)) {
    number++;
    // What stands in a fence is an example, but one side of a conflict may open a fence.
    if (isFenced && first === undefined) continue;
    if (/^<{7}(?: |$)/.test(text)) [first, middle] = [number, false];
    else if (/^={7}$/.test(text)) middle = first !== undefined;
    else if (/^>{7}(?: |$)/.test(text) && first !== undefined && middle) {
      return { first, last: number };
    }
  }
  return undefined;
}
