/** The plan as the board shows it: filters, columns and their order. */

import type { PlanData } from "../../plan/queries/board_data.ts";
import type { Card } from "../../plan/queries/board.ts";

export type { Card };

export type Cards = ReadonlyMap<string, Card>;

export const TABS = ["now", "board"] as const;

/** The filters with a list of choices. */
export const CHOICES = ["type", "milestone", "assignee", "tag", "priority"] as const;

/** The settings that restrict the cards. */
export const FILTERS = ["text", ...CHOICES, "blocked"] as const;

/** All settings. `all` and `none` are values; an absent setting has its default. */
export const SETTINGS = ["tab", ...FILTERS, "toggled"] as const;

export type Setting = typeof SETTINGS[number];

export type Settings = Partial<Record<Setting, string>>;

export const ALL = "all";

/** The time that Today shows without an earlier visit. */
export const DAY = "1d";

/** The type of the default: work items and bugs. */
export const TASKS = "tasks";

/** Without a milestone, an assignee, a tag or a priority. */
export const NONE = "none";

/** The bars of a priority or severity, which its icon has; the most urgent ones come first. */
export const BARS: Readonly<Record<string, number>> = {
  critical: 4,
  high: 3,
  major: 3,
  medium: 2,
  minor: 1,
  low: 1,
  cosmetic: 1,
};

const barsOf = (priority = "") => BARS[priority] ?? 0;

const inNaturalOrder = new Intl.Collator("en", { numeric: true }).compare;

export function isTask({ type }: { readonly type: string }): boolean {
  return type === "work" || type === "bug";
}

/** Whether a card matches a filter. Open bugs without a milestone concern every milestone. */
function matches(card: Card, filter: Setting, wanted: string): boolean {
  if (filter === "type" && wanted === TASKS) return isTask(card);
  const isEverywhere = filter === "milestone" && wanted !== NONE && card.type === "bug" &&
    !card.milestone && !card.finished;
  return isEverywhere || valuesOf(card, filter).includes(wanted);
}

/** A card's values for a filter. */
function valuesOf(card: Card, filter: string): readonly string[] {
  const { type, milestone, assignee, priority, tags: tag } = card;
  return [new Map(Object.entries({ type, milestone, assignee, priority, tag })).get(filter) || NONE]
    .flat();
}

/** The choices of a filter in display order, with their numbers of unfinished cards. */
export function choicesOf(cards: Cards, filter: string): [value: string, open: number][] {
  const counts = new Map<string, number>();
  for (const card of cards.values()) {
    for (const value of valuesOf(card, filter)) {
      counts.set(value, (counts.get(value) ?? 0) + (card.finished ? 0 : 1));
    }
  }
  return sortNames(counts.keys()).sort((a, b) => barsOf(b) - barsOf(a))
    .map((name) => [name, counts.get(name)!]);
}

export function namesOf(cards: Cards, filter: string): string[] {
  return choicesOf(cards, filter).map(([name]) => name).filter((name) => name !== NONE);
}

/**
 * The cards that match the filters, the most urgent first.
 *
 * @param textMatches The ids of cards whose text has the words.
 */
export function filterCards(
  cards: Cards,
  settings: Settings,
  textMatches: ReadonlySet<string> = new Set(),
): Card[] {
  const words = (settings.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = CHOICES.filter((name) => (settings[name] ?? ALL) !== ALL);
  return [...cards.values()].filter((card) => {
    const text = `${card.id} ${card.title}`.toLowerCase();
    return wanted.every((name) => matches(card, name, settings[name]!)) &&
      (settings.blocked !== "yes" || card.status === "blocked" || card.waits !== undefined) &&
      (words.every((word) => text.includes(word)) || textMatches.has(card.id));
  }).sort((a, b) => barsOf(b.priority) - barsOf(a.priority) || inNaturalOrder(a.id, b.id));
}

/** Names in natural order, `none` last. */
function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) =>
    Number(a === NONE) - Number(b === NONE) || inNaturalOrder(a, b)
  );
}

export interface Column {
  readonly status: string;
  readonly cards: readonly Card[];
  readonly folded: boolean;
}

/**
 * The columns in lifecycle order. Finished ones and empty ones before those of work are folded,
 * unless toggled.
 *
 * @param type The chosen type; for several types, the columns of work are shown even if they are
 * empty, to drop cards on.
 */
export function columnsOf(
  { order, statuses, working }: Pick<PlanData, "order" | "statuses" | "working">,
  visible: readonly Card[],
  type: string,
  toggled: string,
): Column[] {
  const byStatus = Map.groupBy(visible, ({ status }) => status);
  const expected = statuses[type] ?? working;
  const listed = order.filter((status) => byStatus.has(status) || expected.includes(status));
  return listed.map((status) => {
    const cards = byStatus.get(status) ?? [];
    const folded = cards.length === 0
      ? !working.includes(status)
      : cards.every((card) => card.finished);
    return { status, cards, folded: folded !== toggled.split(",").includes(status) };
  });
}

/** Descriptions of the changes between two reads, by id; Today has their differences. */
export function changesBetween(before: Cards, after: Cards): Map<string, string> {
  const changes = new Map<string, string>();
  for (const [id, card] of after) {
    const old = before.get(id);
    const { status, assignee } = card;
    const by = assignee ? ` (@${assignee})` : "";
    if (old === undefined) changes.set(id, `${id} is new${by}`);
    else if (old.status !== status) changes.set(id, `${id}: ${old.status} → ${status}${by}`);
    else if (old.assignee !== assignee) {
      changes.set(id, `${id}: ${assignee ? `claimed by ${assignee}` : "released"}`);
    } else if (JSON.stringify(old) !== JSON.stringify(card)) changes.set(id, `${id} was edited`);
  }
  for (const id of before.keys()) if (!after.has(id)) changes.set(id, `${id} was removed`);
  return changes;
}
