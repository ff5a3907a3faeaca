/**
 * Points in time as people write them: `14d`, `2 weeks`, `3 months ago`, `yesterday`,
 * or an ISO date.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A day in milliseconds. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Reads a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param name The argument; of an `until`, a day means its end.
 * @returns Milliseconds since 1970.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseTime(text: string, name: string, now = new Date()): number {
  const given = text.trim().toLowerCase();
  const [, count, unit] = SPAN.exec(given) ?? [];
  if (unit !== undefined) return before(now, Number(count), unit[0]!);
  const day = given === "today" || given === "yesterday"
    ? new Date(before(now, given === "today" ? 0 : 1, "d")).toISOString().slice(0, 10)
    : given;
  const parsed = DATE.test(day) ? Date.parse(day.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (!Number.isNaN(parsed)) {
    return name === "until" && day.length === 10 ? parsed + DAY_MS - 1 : parsed;
  }
  throw new RefraktError(
    "INVALID_ARGS",
    `"${name}": not a time: ${JSON.stringify(text.slice(0, 80))}`,
    {
      hint: "Give a span such as 14d, 2 weeks or 3m, a date such as 2026-01-31, or a commit.",
    },
  );
}

function before(now: Date, count: number, unit: string): number {
  const then = new Date(now);
  if (unit === "d") then.setUTCDate(then.getUTCDate() - count);
  else if (unit === "w") then.setUTCDate(then.getUTCDate() - 7 * count);
  else if (unit === "m") then.setUTCMonth(then.getUTCMonth() - count);
  else then.setUTCFullYear(then.getUTCFullYear() - count);
  return then.getTime();
}
