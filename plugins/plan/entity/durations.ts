/** Formats durations. */

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

const WORDS: Readonly<Record<string, string>> = { d: "day", h: "hour", m: "minute" };

/** The same in words, such as `3 days`. */
export function durationWords(milliseconds: number): string {
  const text = durationText(milliseconds);
  const [count, word] = [Number.parseInt(text), WORDS[text.slice(-1)]!];
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
