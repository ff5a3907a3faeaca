/** Points in time as callers give them: spans, dates and commits. */

import { RefraktError } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import type { HistoryEvent } from "../git/events.ts";
import type { PlanPlace } from "../store/place.ts";

/** The hash of a commit in place of a time. */
export function commitIn(text: string): string | undefined {
  return /^[0-9a-f]{7,64}$/i.exec(text.trim())?.[0];
}

export function noCommit(name: string, given: string, cause?: unknown): RefraktError {
  return new RefraktError("INVALID_ARGS", `"${name}": no such commit: ${given}`, {
    cause,
    hint: "Pass a commit of this repository, a span such as 14d or 2 weeks, or a date.",
  });
}

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Parses a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param name The argument; for `until`, a date means the end of the day.
 * @param from A date that spans count back from; now by default.
 * @returns Milliseconds since 1970.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseTime(text: string, name: string, from?: string | Date): number {
  const now = new Date(from ?? Date.now());
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
      hint: "Pass a span such as 14d, 2 weeks or 3m, a date such as 2026-01-31, or a commit.",
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

/** What has a time and perhaps a commit. */
type Dated = Pick<HistoryEvent, "date" | "hash">;

/** The ends of a range, as callers give them. */
export interface TimeRange {
  readonly since?: string | undefined;
  readonly sinceNewest?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Returns a test for a range of time, or of commits in git's order.
 *
 * @param newest The date of the newest event, which `sinceNewest` counts from.
 */
export async function rangeOf(
  { git }: Pick<PlanPlace, "git">,
  { since, sinceNewest, until }: TimeRange,
  newest?: string,
): Promise<(event: Dated) => boolean> {
  const tests: ((event: Dated) => boolean)[] = [];
  if (sinceNewest !== undefined) {
    const time = parseTime(sinceNewest, "sinceNewest", newest);
    tests.push(({ date }) => Date.parse(date) >= time);
  }
  for (const [name, given] of Object.entries({ since, until })) {
    if (given === undefined) continue;
    const commit = commitIn(given);
    if (commit !== undefined) {
      const range = name === "since" ? `${commit}..HEAD` : commit;
      const args = ["rev-list", "--end-of-options", range, "--"];
      const { code, stdout } = await runGit(args, git);
      if (code !== 0) throw noCommit(name, given);
      const hashes = new Set(new TextDecoder().decode(stdout).split("\n"));
      tests.push(({ hash }) => hashes.has(hash));
    } else {
      const time = parseTime(given, name);
      tests.push(({ date }) =>
        name === "since" ? Date.parse(date) >= time : Date.parse(date) <= time
      );
    }
  }
  return (event) => tests.every((test) => test(event));
}
