/** Formats durations and dates. */

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  w: 7 * 24 * 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  h: 60 * MINUTE_MS,
  m: MINUTE_MS,
};

/** Formats a duration in days, hours or minutes, such as `3d`. */
export function durationText(milliseconds: number): string {
  const [unit, length] = ["d", "h", "m"].map((one) => [one, UNITS[one]!] as const)
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

/** A date as a month, such as `March 2026`. */
export function monthOf(date: string): string {
  return new Date(date).toLocaleDateString("en", { month: "long", year: "numeric" });
}

const WORDS: Readonly<Record<string, string>> = { d: "day", h: "hour", m: "minute" };

/** The same in words, such as `3 days`. */
export function durationWords(milliseconds: number): string {
  const text = durationText(milliseconds);
  const [count, word] = [Number.parseInt(text), WORDS[text.slice(-1)]!];
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
