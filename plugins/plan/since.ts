/**
 * The `since` of a history: `7d`, `2w`, `3m`, `1y`, or an ISO date.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";

/**
 * Reads a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param now What the number counts back from.
 * @returns Milliseconds since 1970.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseSince(text: string, now: Date): number {
  const span = /^(\d{1,4})([dwmy])$/.exec(text.trim());
  if (span !== null) {
    const count = Number(span[1]);
    const then = new Date(now);
    if (span[2] === "d") then.setUTCDate(then.getUTCDate() - count);
    else if (span[2] === "w") then.setUTCDate(then.getUTCDate() - 7 * count);
    else if (span[2] === "m") then.setUTCMonth(then.getUTCMonth() - count);
    else then.setUTCFullYear(then.getUTCFullYear() - count);
    return then.getTime();
  }
  const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
    .test(text.trim());
  const parsed = date ? Date.parse(text.trim().replace(" ", "T")) : Number.NaN;
  if (!Number.isNaN(parsed)) return parsed;
  throw new RefraktError(
    "INVALID_ARGS",
    `"since": not a time: ${JSON.stringify(text.slice(0, 80))}`,
    {
      hint: "Give a span such as 7d, 2w, 3m or 1y, or a date such as 2026-01-31.",
    },
  );
}
