/** Parses and formats durations. */

import { RefraktError } from "../../../src/errors.ts";

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  w: 7 * 24 * 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  h: 60 * MINUTE_MS,
  m: MINUTE_MS,
};

/**
 * Parses a duration such as `30m`, `6h`, `2d` or `1w`.
 *
 * @returns Milliseconds.
 * @throws {RefraktError} `INVALID_ARGS` for anything else.
 */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})\s*([mhdw])$/.exec(text.trim()) ?? [];
  if (unit !== undefined) return Number(count) * UNITS[unit]!;
  throw new RefraktError(
    "INVALID_ARGS",
    `"idle": invalid duration: ${JSON.stringify(text.slice(0, 80))}`,
    { hint: "Pass minutes, hours, days or weeks, such as 30m, 6h, 2d or 1w." },
  );
}

/** Formats a duration in days, hours or minutes, such as `3d`. */
export function durationText(milliseconds: number): string {
  const [unit, length] = ["d", "h", "m"].map((one) => [one, UNITS[one]!] as const)
    .find(([, size]) => milliseconds >= size) ?? ["m", MINUTE_MS];
  return `${Math.max(0, Math.floor(milliseconds / length))}${unit}`;
}
