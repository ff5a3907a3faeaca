/** Points in time as callers give them: spans, dates and commits. */

import { quotedName } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { findCommit, type GitPlace } from "../../../src/io/git_ask.ts";
import type { HistoryEvent } from "../git/events.ts";
import { readCommitFields, walkCommits } from "../git/commits.ts";
import { isAncestor, readRepository } from "../git/log.ts";
import type { PlanPlace } from "../store/place.ts";

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const DAYS = ["today", "yesterday"];

const TIMES = "Pass a span such as 14d, 2 weeks or 3m, or a date such as 2026-01-31";

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
  const day = DAYS.includes(given)
    ? new Date(before(now, DAYS.indexOf(given), "d")).toISOString().slice(0, 10)
    : given;
  const parsed = DATE.test(day) ? Date.parse(day.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (!Number.isNaN(parsed)) {
    return name === "until" && day.length === 10 ? parsed + DAY_MS - 1 : parsed;
  }
  const message = `"${name}": not a time: ${quotedName(text)}`;
  throw new RefraktError("INVALID_ARGS", message, { hint: `${TIMES}.` });
}

/** Whether a text is a time. What else says since when is a commit. */
export function isTime(text: string): boolean {
  const given = text.trim().toLowerCase();
  return SPAN.test(given) || DATE.test(given) || DAYS.includes(given);
}

/** Returns a time, or that of a commit, in milliseconds since 1970. */
export async function timeOf(text: string, name: string, git: GitPlace): Promise<number> {
  if (isTime(text)) return parseTime(text, name);
  const commit = await commitOf(text, name, git);
  let time: number | undefined;
  const leftOut = await readCommitFields(git, [commit], ["%aI"], (_, [date]) => {
    time = Date.parse(date!);
  });
  if (time !== undefined) return time;
  const message = `"${name}": the commit is not read: ${leftOut.get(commit)}`;
  throw new RefraktError("INVALID_ARGS", message, { hint: `${TIMES}; or another commit.` });
}

async function commitOf(text: string, name: string, git: GitPlace): Promise<string> {
  const commit = await findCommit(text.trim(), git);
  if (commit !== undefined) return commit;
  const message = `"${name}": neither a time nor a commit: ${quotedName(text)}`;
  throw new RefraktError("INVALID_ARGS", message, {
    hint: `${TIMES}; or a commit, branch or tag.`,
  });
}

function before(now: Date, count: number, unit: string): number {
  const then = new Date(now);
  if (unit === "d") then.setUTCDate(then.getUTCDate() - count);
  else if (unit === "w") then.setUTCDate(then.getUTCDate() - 7 * count);
  else if (unit === "m") then.setUTCMonth(then.getUTCMonth() - count);
  else then.setUTCFullYear(then.getUTCFullYear() - count);
  return then.getTime();
}

/** Says which ends of a range are commits that HEAD does not contain, whose events are not its own. */
export async function unmergedIn(
  { git }: Pick<PlanPlace, "git">,
  { since, until }: TimeRange,
): Promise<string[]> {
  const unmerged: string[] = [];
  for (const given of [since, until]) {
    if (given === undefined || isTime(given)) continue;
    const commit = await findCommit(given.trim(), git);
    if (commit === undefined || await isAncestor(git, commit, (await readRepository(git)).head)) {
      continue;
    }
    const call = `plan_history ${JSON.stringify({ compare: [given] })}`;
    unmerged.push(
      `HEAD does not contain ${quotedName(given)}, and only its own history is here: ${call}`,
    );
  }
  return unmerged;
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
    if (!isTime(given)) {
      const commit = await commitOf(given, name, git);
      const { head } = await readRepository(git);
      const { commits } = name === "since"
        ? await walkCommits(git, [head], [commit])
        : await walkCommits(git, [commit]);
      tests.push(({ hash }) => commits.has(hash));
    } else {
      const time = parseTime(given, name);
      tests.push(({ date }) =>
        name === "since" ? Date.parse(date) >= time : Date.parse(date) <= time
      );
    }
  }
  return (event) => tests.every((test) => test(event));
}
