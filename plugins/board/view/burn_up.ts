/**
 * How many entities there were and how many of them were finished, day by day.
 *
 * @module
 */

/** When an entity was added to the plan and when it was finished, as dates. */
export interface Life {
  /** Its id. */
  id: string;
  /** The day on which it was added. */
  created?: string;
  /** The day since which it has the status that it is finished with. */
  finished?: string;
}

/** The counts at the end of a day on which something changed. */
export interface Day {
  /** The day: `2026-07-17`. */
  date: string;
  /** How many there were. */
  all: number;
  /** How many of them were finished. */
  finished: number;
}

/**
 * The days on which entities were added or finished, in order. What git does not know
 * yet is counted on the last day.
 *
 * @param cards The entities, and whether they are finished now.
 * @param lives What git knows of them.
 * @param last The day up to which is counted; by default that of the last change.
 */
export function burnUp(
  cards: readonly { readonly id: string; readonly finished?: boolean }[],
  lives: ReadonlyMap<string, Life>,
  last?: string,
): Day[] {
  const days = new Map<string, { came: number; finished: number }>();
  const day = (date: string) => {
    const known = days.get(date) ?? { came: 0, finished: 0 };
    days.set(date, known);
    return known;
  };
  const late = { came: 0, finished: 0 };
  for (const card of cards) {
    const { created, finished } = lives.get(card.id) ?? {};
    (created === undefined ? late : day(created)).came++;
    if (card.finished === true) (finished === undefined ? late : day(finished)).finished++;
  }
  if (days.size > 0 && last !== undefined) day(last);
  const dates = [...days.keys()].sort();
  const counts: Day[] = [];
  let [all, finished] = [0, 0];
  for (const date of dates) {
    const change = days.get(date)!;
    const { came, finished: ended } = date === dates.at(-1) ? late : { came: 0, finished: 0 };
    all += change.came + came;
    finished += change.finished + ended;
    counts.push({ date, all, finished });
  }
  return counts;
}

/** A line as a step from day to day: `x,y` by `x,y`, for a drawing of this width and height. */
export function steps(
  days: readonly Day[],
  value: (day: Day) => number,
  { width, height }: { width: number; height: number },
): string {
  const [from, to] = [days[0], days.at(-1)].map((day) => Date.parse(day?.date ?? ""));
  const most = Math.max(1, ...days.map((day) => day.all));
  const x = (date: string) => to === from ? 0 : width * (Date.parse(date) - from!) / (to! - from!);
  const y = (count: number) => height - height * count / most;
  const points: string[] = [];
  let before = 0;
  for (const day of days) {
    const at = x(day.date).toFixed(1);
    points.push(`${at},${y(before).toFixed(1)}`);
    before = value(day);
    points.push(`${at},${y(before).toFixed(1)}`);
  }
  if (from === to && days.length > 0) points.push(`${width},${y(before).toFixed(1)}`);
  return points.join(" ");
}
