/**
 * Long lists in parts.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";

/** One part of a list. */
export interface Page<Value> {
  /** What it holds. */
  readonly items: readonly Value[];
  /** Where the next part begins; absent at the end. */
  readonly nextCursor?: string;
}

/**
 * Takes a part of a list.
 *
 * @param cursor The `nextCursor` of the part before.
 * @throws {RefraktError} `INVALID_ARGS` for a cursor that no answer gave.
 */
export function pageOf<Value>(
  all: readonly Value[],
  limit: number,
  cursor: string | undefined,
): Page<Value> {
  const start = cursor === undefined ? 0 : Number(/^(\d{1,9})$/.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) {
    throw new RefraktError("INVALID_ARGS", `"cursor": not one of ours: ${JSON.stringify(cursor)}`, {
      hint: "Give the nextCursor of the answer before, or leave it out to begin.",
    });
  }
  const end = start + limit;
  return {
    items: all.slice(start, end),
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
