/**
 * Points in time as people write them: `14d`, `2 weeks`, `3 months ago`, `yesterday`,
 * or an ISO date.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const WORDS: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A day in milliseconds. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a text may be a commit's hash or the beginning of one. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text.trim());
}

/**
 * Reads a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param now What the number counts back from.
 * @param name The argument, for the error; of an `until`, a date means the end of its day.
 * @returns Milliseconds since 1970.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseSince(
  text: string,
  now: Date,
  name: "since" | "until" | "idle" = "since",
): number {
  const given = text.trim().toLowerCase();
  const [, count, unit] = SPAN.exec(given) ?? [];
  if (unit !== undefined) return before(now, Number(count), unit);
  if (Object.hasOwn(WORDS, given)) {
    const day = startOfDay(before(now, WORDS[given]!, "day"));
    return name === "until" ? day + DAY_MS - 1 : day;
  }
  const parsed = DATE.test(text.trim()) ? Date.parse(text.trim().replace(" ", "T")) : Number.NaN;
  if (!Number.isNaN(parsed)) {
    return name === "until" && text.trim().length === 10 ? parsed + DAY_MS - 1 : parsed;
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
  if (unit.startsWith("d")) then.setUTCDate(then.getUTCDate() - count);
  else if (unit.startsWith("w")) then.setUTCDate(then.getUTCDate() - 7 * count);
  else if (unit.startsWith("m")) then.setUTCMonth(then.getUTCMonth() - count);
  else then.setUTCFullYear(then.getUTCFullYear() - count);
  return then.getTime();
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
