/** Burn-ups of milestones: their work and what of it was finished, day by day, as a view draws them. */

import type { Card } from "./board.ts";
import { isTask } from "./lifecycle.ts";

/** The size of a chart, in units of its paths. */
export const CHART = { width: 560, height: 120 } as const;

/** A stepped line for all work, and one for what is finished. */
export interface Chart {
  /** The milestone, `none` for work without one, or empty for the whole plan. */
  readonly name: string;
  /** Such as `3 of 8 done`. */
  readonly caption: string;
  /** The first and the last day; absent before the first commit. */
  readonly days?: readonly [from: string, to: string];
  readonly scope: string;
  readonly done: string;
}

export function burnUps(cards: readonly Card[]): Chart[] {
  const work = cards.filter(isTask);
  const last = cards.flatMap(({ created, since }) => since ?? created ?? []).sort().at(-1);
  return [...Map.groupBy(work, ({ milestone }) => milestone ?? "none"), ["", work] as const]
    .map(([name, own]) => ({ name, ...chartOf(own, last) }));
}

function chartOf(cards: readonly Card[], last: string | undefined): Omit<Chart, "name"> {
  const ended = cards.filter(({ finished }) => finished);
  const caption = `${ended.length} of ${cards.length} done`;
  if (last === undefined || !cards.some(({ created }) => created !== undefined)) {
    return { caption, scope: "", done: "" };
  }
  // Uncommitted changes count on the last day.
  const added = cards.map(({ created = last }) => created);
  const finished = ended.map(({ since = last }) => since);
  const dates = [...new Set([...added, ...finished, last])].sort();
  const [from, to] = [dates[0]!, dates.at(-1)!];
  const length = Date.parse(to) - Date.parse(from);
  const path = (days: readonly string[]) => {
    const steps = dates.map((date) => {
      const x = length === 0 ? 0 : CHART.width * (Date.parse(date) - Date.parse(from)) / length;
      const count = days.filter((day) => day <= date).length;
      const y = CHART.height * (1 - count / cards.length);
      return `H${x.toFixed(1)}V${y.toFixed(1)}`;
    });
    return `M0,${CHART.height}${steps.join("")}H${CHART.width}`;
  };
  return { caption, days: [from, to], scope: path(added), done: path(finished) };
}
