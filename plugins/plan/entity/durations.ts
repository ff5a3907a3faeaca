/** Formats durations and dates. A day is that of the zone in which git wrote the date. */

import { counted } from "../../../src/plugin/counted.ts";

export const DAY_MS = 86_400_000;
const UNITS = [["day", DAY_MS], ["hour", 3_600_000], ["minute", 60_000]] as const;

function inUnits(milliseconds: number) {
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= length) ?? UNITS[2];
  return { unit, count: Math.max(0, Math.floor(milliseconds / length)) };
}

/** Formats a duration in days, hours or minutes, such as `3d`. */
export function durationText(milliseconds: number): string {
  const { unit, count } = inUnits(milliseconds);
  return `${count}${unit[0]}`;
}

/** Formats a duration in words, such as `3 days`. */
export function durationWords(milliseconds: number): string {
  const { unit, count } = inUnits(milliseconds);
  return counted(count, unit);
}

/** How long ago a date is, in days, weeks or years, such as `3d`; empty on the same day. */
export function ageOf(date: string | undefined, now = Date.now()): string {
  const days = Math.floor((now - Date.parse(date ?? "")) / DAY_MS);
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
