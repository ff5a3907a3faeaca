/** Formats durations and dates. A day is that of the zone in which git wrote the date. */

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  d: 24 * 60 * MINUTE_MS,
  h: 60 * MINUTE_MS,
  m: MINUTE_MS,
};

/** Formats a duration in days, hours or minutes, such as `3d`. */
export function durationText(milliseconds: number): string {
  const [unit, length] = ["d", "h", "m"].map((unit) => [unit, UNITS[unit]!] as const)
    .find(([, size]) => milliseconds >= size) ?? ["m", MINUTE_MS];
  return `${Math.max(0, Math.floor(milliseconds / length))}${unit}`;
}

/** How long ago a date is, in days, weeks or years, such as `3d`; empty on the same day. */
export function ageOf(date: string | undefined, now = Date.now()): string {
  const days = Math.floor((now - Date.parse(date ?? "")) / UNITS["d"]!);
  if (!(days >= 1)) return "";
  if (days < 14) return `${days}d`;
  return days < 365 ? `${Math.floor(days / 7)}w` : `${Math.floor(days / 365)}y`;
}

/** A time as git writes it on this machine: ISO 8601 with the offset of the zone. */
export function zonedDate(time: number = Date.now()): string {
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(time))
    .toString({ timeZone: Temporal.Now.timeZoneId(), smallestUnit: "millisecond" });
}

/** The day of a date, such as `2026-01-31`, in the zone of that date. */
export const dayOf = (date: string): string => date.slice(0, "2026-01-31".length);

/** Whether the day of a date exists; 30 February does not. */
export function isOfCalendar(date: string): boolean {
  const day = Date.parse(`${dayOf(date)}T00:00Z`);
  return !Number.isNaN(day) && dayOf(new Date(day).toISOString()) === dayOf(date);
}

const WORDS: Readonly<Record<string, string>> = { d: "day", h: "hour", m: "minute" };

/** The same in words, such as `3 days`. */
export function durationWords(milliseconds: number): string {
  const text = durationText(milliseconds);
  const [count, word] = [Number.parseInt(text), WORDS[text.slice(-1)]!];
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
