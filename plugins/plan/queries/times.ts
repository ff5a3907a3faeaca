/** Points in time as callers give them: spans, dates and commits. */

import { quotedName } from "../../../src/plain_text.ts";
import { findCommit, type GitPlace } from "../../../src/io/git_ask.ts";
import { invalidArguments } from "../entity/values.ts";
import type { HistoryEvent } from "../git/events.ts";
import { DATE_FIELD, readCommitFields, walkCommits } from "../git/commits.ts";
import { isAncestor, readRepository } from "../git/log.ts";
import { dayOf, isOfCalendar, zonedDate } from "../entity/durations.ts";
import type { PlanPlace } from "../store/place.ts";

const SPAN = /^(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const DAYS = ["today", "yesterday"];

const TIMES = "Pass a span such as 14d, 2 weeks or 3m, or a date such as 2026-01-31";

/** A point in time that dates are compared with. */
export interface TimeBound {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The whole day, if it is one: it contains the dates that are shown with it. */
  readonly day?: string | undefined;
}

export const ANY_TIME: TimeBound = { time: -Infinity };

/**
 * Parses a point in time.
 *
 * @param text A number of days, weeks, months or years, or a date.
 * @param name The argument, for the error.
 * @param from A date that spans count back from; now by default.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseTime(text: string, name: string, from?: string): TimeBound {
  const now = from === undefined ? Date.now() : Date.parse(from);
  const words = text.trim().toLowerCase();
  const [, count, unit] = SPAN.exec(words) ?? [];
  if (unit !== undefined) return { time: before(now, Number(count), unit[0]!) };
  const date = DAYS.includes(words)
    ? dayOf(zonedDate(before(now, DAYS.indexOf(words), "d")))
    : words.replace(" ", "t").toUpperCase();
  const isDay = date.length === 10;
  const isDate = DATE.test(date) && isOfCalendar(date);
  const time = isDate ? Date.parse(isDay ? `${date}T00:00` : date) : NaN;
  if (!Number.isNaN(time)) return isDay ? { time, day: date } : { time };
  const message = `"${name}": not a time: ${quotedName(text)}`;
  throw invalidArguments(message, `${TIMES}.`);
}

/** Whether a date is at or after a point in time; a day is that of the date in its own zone. */
export function isSince(date: string, { time, day }: TimeBound): boolean {
  return day === undefined ? Date.parse(date) >= time : dayOf(date) >= day;
}

/** Whether a text is a time; any other text names a commit. */
export function isTime(text: string): boolean {
  const time = text.trim().toLowerCase();
  return SPAN.test(time) || DATE.test(time) || DAYS.includes(time);
}

/** Returns a time, or that of a commit. */
export async function timeOf(text: string, name: string, git: GitPlace): Promise<TimeBound> {
  if (isTime(text)) return parseTime(text, name);
  const commit = await commitOf(text, name, git);
  const read = ([date = ""]: readonly string[]) => ({ time: Date.parse(date) });
  const { values, unread } = await readCommitFields(git, [commit], [DATE_FIELD], read);
  const time = values.get(commit);
  if (time !== undefined) return time;
  const message = `"${name}": the commit is not read: ${unread.get(commit)}`;
  throw invalidArguments(message, `${TIMES}; or another commit.`);
}

async function commitOf(text: string, name: string, git: GitPlace): Promise<string> {
  const commit = await findCommit(text.trim(), git);
  if (commit !== undefined) return commit;
  const message = `"${name}": neither a time nor a commit: ${quotedName(text)}`;
  const hint = `${TIMES}; or a commit, branch or tag.`;
  throw invalidArguments(message, hint);
}

const UNIT_NAMES = { d: "days", w: "weeks", m: "months", y: "years" } as const;

/** A month before the end of March is the end of February. */
function before(now: number, count: number, unit: string): number {
  const then = Temporal.PlainDateTime.from(zonedDate(now).slice(0, 19))
    .subtract({ [UNIT_NAMES[unit as keyof typeof UNIT_NAMES]]: count });
  return then.toZonedDateTime(Temporal.Now.timeZoneId()).epochMilliseconds;
}

/** Says which ends of a range are commits that HEAD does not contain, whose events are not its own. */
export async function unmergedIn({ git }: Pick<PlanPlace, "git">, { since, until }: TimeRange) {
  const sentences: string[] = [];
  for (const name of [since, until]) {
    const commit = name && !isTime(name) ? await findCommit(name.trim(), git) : undefined;
    if (commit === undefined) continue;
    if (await isAncestor(git, commit, (await readRepository(git)).head)) continue;
    const call = `plan_history ${JSON.stringify({ compare: [name] })}`;
    sentences.push(
      `HEAD does not contain ${quotedName(name!)}, and only its own history is here: ${call}`,
    );
  }
  return sentences;
}

/** Whether something with a time and perhaps a commit is in a range. */
type InRange = (event: Pick<HistoryEvent, "date" | "hash">) => boolean;

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
): Promise<InRange> {
  const from = sinceNewest === undefined ? ANY_TIME : parseTime(sinceNewest, "sinceNewest", newest);
  const isAfter = since === undefined ? () => true : await testOf(since, "since", git);
  const isBefore = until === undefined ? () => true : await testOf(until, "until", git);
  return (event) => isSince(event.date, from) && isAfter(event) && isBefore(event);
}

/** A test for one end of a range. */
async function testOf(text: string, name: "since" | "until", git: GitPlace): Promise<InRange> {
  if (isTime(text)) {
    const { time, day } = parseTime(text, name);
    if (name === "since") return ({ date }) => isSince(date, { time, day });
    return ({ date }) => day === undefined ? Date.parse(date) <= time : dayOf(date) <= day;
  }
  const commit = await commitOf(text, name, git);
  const { commits } = name === "since"
    ? await walkCommits(git, [(await readRepository(git)).head], [commit])
    : await walkCommits(git, [commit]);
  return ({ hash }) => commits.has(hash);
}
