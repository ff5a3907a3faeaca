/**
 * Long lists in parts.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";

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
): { items: Value[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(start)) {
    throw new RefraktError("INVALID_ARGS", `"cursor": not one of ours: ${JSON.stringify(cursor)}`, {
      hint: "Give the nextCursor of the answer before, or leave it out to begin.",
    });
  }
  const end = start + limit;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: String(end) } : { items };
}
