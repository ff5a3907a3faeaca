/** The plan as the board shows it: filters, columns, order, dependencies and progress. */

import type { Card } from "../../plan/queries/board.ts";

export type { Card };

export type Cards = ReadonlyMap<string, Card>;

/** The filters with a list of choices. */
export const CHOICES = ["type", "milestone", "assignee", "tag", "priority"] as const;

/** The settings that restrict the cards. */
export const FILTERS = ["text", ...CHOICES, "blocked"] as const;

/** All settings. `all` and `none` are values; an absent setting has its default. */
export const SETTINGS = ["tab", ...FILTERS, "lanes", "sort", "toggled"] as const;

export type Setting = typeof SETTINGS[number];

export type Settings = Partial<Record<Setting, string>>;

export const ALL = "all";

/** The type of the default: work items and bugs. */
export const TASKS = "tasks";

/** Without a milestone, an assignee, a tag or a priority. */
export const NONE = "none";

/** Columns from left to right: waiting, active and finished. */
const WAITING = ["draft", "proposed", "reported", "pending", "planning", "confirmed"];
export const ACTIVE = ["ready", "active", "in-progress", "review", "blocked"];
const FINISHED = [
  ...["accepted", "implemented", "shipped", "done", "fixed", "complete"],
  ...["cancelled", "rejected", "wontfix", "duplicate", "superseded", "deprecated"],
];
const URGENCY = ["critical", "high", "major", "medium", "minor", "low", "cosmetic"];

const inNaturalOrder = new Intl.Collator("en", { numeric: true }).compare;

export const SORTS: Readonly<Record<string, (a: Card, b: Card) => number>> = {
  priority: (a, b) => placeIn(URGENCY, a.priority) - placeIn(URGENCY, b.priority),
  newest: (a, b) => inNaturalOrder(numberOf(b), numberOf(a)),
  oldest: (a, b) => inNaturalOrder(numberOf(a), numberOf(b)),
};

export const LANES = ["milestone", "assignee", "type"] as const;

/** The defaults: open work in the active milestone. */
export function defaultSettings(cards: Cards): Settings {
  const all = [...cards.values()];
  const work = all.filter(isTask);
  const type = work.length > 0 ? TASKS : ALL;
  const milestone = activeMilestones(cards)[0]?.id ?? ALL;
  return { tab: "now", type, milestone, sort: "priority" };
}

export function isTask({ type }: Pick<Card, "type">): boolean {
  return type === "work" || type === "bug";
}

/** Whether dependents of an entity with this status can begin. */
export function isDone(status: string): boolean {
  return status === "done" || status === "fixed";
}

/** Whether a card matches a filter. Open bugs without a milestone concern every milestone. */
function matches(card: Card, filter: typeof CHOICES[number], wanted: string): boolean {
  if (filter === "type" && wanted === TASKS) return isTask(card);
  if (
    filter === "milestone" && wanted !== NONE && card.type === "bug" && !card.milestone &&
    !card.finished
  ) return true;
  return valuesOf(card, filter).includes(wanted);
}

/** The milestones that plan.status calls active: marked so, with open items; the first has most. */
export function activeMilestones(cards: Cards): Card[] {
  const all = [...cards.values()];
  const open = all.filter((card) => isTask(card) && !card.finished);
  const openIn = Map.groupBy(open, (card) => card.milestone);
  return all
    .filter(({ type, status, id }) => type === "milestone" && status === "active" && openIn.has(id))
    .sort((a, b) =>
      openIn.get(b.id)!.length - openIn.get(a.id)!.length || inNaturalOrder(b.id, a.id)
    );
}

/** A card's values for a filter. A milestone belongs to itself. */
function valuesOf(card: Card, filter: Setting): readonly string[] {
  const { id, type, assignee, priority, tags = [NONE] } = card;
  const milestone = type === "milestone" ? id : card.milestone || NONE;
  if (filter === "tag") return tags;
  const values: Readonly<Record<string, string | undefined>> = {
    type,
    milestone,
    assignee,
    priority,
  };
  return [values[filter] || NONE];
}

/** The choices of a filter in display order, with their numbers of unfinished cards. */
export function choicesOf(cards: Cards, filter: Setting): [value: string, open: number][] {
  const counts = new Map<string, number>();
  for (const card of cards.values()) {
    for (const value of valuesOf(card, filter)) {
      counts.set(value, (counts.get(value) ?? 0) + (card.finished ? 0 : 1));
    }
  }
  const names = sortNames(counts.keys());
  if (filter === "priority") names.sort((a, b) => placeIn(URGENCY, a) - placeIn(URGENCY, b));
  return names.map((name) => [name, counts.get(name)!]);
}

export function namesOf(cards: Cards, filter: Setting): string[] {
  return choicesOf(cards, filter).map(([name]) => name).filter((name) => name !== NONE);
}

/**
 * The cards that match the filters, in the chosen order.
 *
 * @param found The ids of cards whose text has the words.
 */
export function filterCards(
  cards: Cards,
  settings: Settings,
  found: ReadonlySet<string> = new Set(),
): Card[] {
  const words = (settings.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = CHOICES.filter((name) => (settings[name] ?? ALL) !== ALL);
  const order = SORTS[settings.sort ?? ""] ?? SORTS["priority"]!;
  return [...cards.values()].filter((card) => {
    const text = `${card.id} ${card.title}`.toLowerCase();
    return wanted.every((name) => matches(card, name, settings[name]!)) &&
      (settings.blocked !== "yes" || card.status === "blocked" || waitsFor(card).length > 0) &&
      (words.every((word) => text.includes(word)) || words.length > 0 && found.has(card.id));
  }).sort((a, b) => order(a, b) || inNaturalOrder(a.id, b.id));
}

export function laneOf(card: Card, by: string): string {
  const lane = LANES.find((known) => known === by);
  return lane === undefined ? "" : valuesOf(card, lane)[0]!;
}

/** Names in natural order, `none` last. */
export function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) =>
    Number(a === NONE) - Number(b === NONE) || inNaturalOrder(a, b)
  );
}

export interface Column {
  readonly status: string;
  readonly count: number;
  readonly folded: boolean;
}

/**
 * The columns from left to right. Finished ones and empty ones before `ready` are folded, unless
 * toggled.
 *
 * @param statuses The statuses of the chosen type; for several types, those of active work.
 */
export function columnsOf(
  shown: readonly Card[],
  statuses: readonly string[],
  toggled: string,
): Column[] {
  const counts = Map.groupBy(shown, ({ status }) => status);
  const toggles = toggled.split(",");
  return sortStatuses([...statuses, ...counts.keys()]).map((status) => {
    const own = counts.get(status) ?? [];
    const finished = own.length === 0
      ? FINISHED.includes(status)
      : own.every((card) => card.finished);
    const folded = finished || own.length === 0 && !ACTIVE.includes(status);
    return { status, count: own.length, folded: folded !== toggles.includes(status) };
  });
}

/** Statuses in lifecycle order; unknown ones come before the finished ones. */
export function sortStatuses(statuses: Iterable<string>): string[] {
  const order = [...WAITING, ...ACTIVE, "", ...FINISHED];
  const place = (status: string) =>
    order.includes(status) ? order.indexOf(status) : order.indexOf("");
  return [...new Set(statuses)].sort((a, b) => place(a) - place(b) || inNaturalOrder(a, b));
}

export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** The progress of every milestone with work. */
export function progressOf(cards: Cards): Map<string, Progress> {
  const progress = new Map<string, Progress>();
  for (const { type, milestone, finished } of cards.values()) {
    if (milestone === undefined || !isTask({ type })) continue;
    const { done, all } = progress.get(milestone) ?? { done: 0, all: 0 };
    progress.set(milestone, { done: done + (finished ? 1 : 0), all: all + 1 });
  }
  return progress;
}

/** The ids of everything that keeps a card from being taken up, as `plan.next` sees it. */
export function waitsFor({ blockedBy = [], withheldBy = [] }: Card): readonly string[] {
  return [...blockedBy, ...withheldBy];
}

/** What a card waits for, directly and indirectly: a list of ids for each step, nearest first. */
export function chainOf(cards: Cards, id: string): string[][] {
  const found = new Set([id]);
  const steps: string[][] = [];
  for (let step = [id]; step.length > 0;) {
    const others = new Set(step.flatMap((one) => {
      const card = cards.get(one);
      return card === undefined ? [] : waitsFor(card);
    }));
    step = [...others].filter((other) => !found.has(other));
    for (const other of step) found.add(other);
    if (step.length > 0) steps.push(step);
  }
  return steps;
}

/** Descriptions of the changes between two reads, by id. */
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

function placeIn(order: readonly string[], value = ""): number {
  const at = order.indexOf(value);
  return at >= 0 ? at : order.length;
}

/** The number of an id, which orders `BUG-12` and `WORK-13` by age. */
function numberOf({ id }: Card): string {
  return id.replace(/^[A-Z]+-/, "");
}

/** An age in days as cards show it: `3d`, `5w`, `2y`. */
export function ageText(date: string | undefined): string {
  const days = Math.floor((Date.now() - Date.parse(date ?? "")) / 86_400_000);
  if (!(days >= 1)) return "";
  if (days < 14) return `${days}d`;
  return days < 365 ? `${Math.floor(days / 7)}w` : `${Math.floor(days / 365)}y`;
}

/** A date as a month, such as `March 2026`. */
export function monthOf(date: string): string {
  return new Date(date).toLocaleDateString("en", { month: "long", year: "numeric" });
}

/** A changed value, such as `ready → done`. */
export function changeText(name: string, from: string | null, to: string | null): string {
  return `${name === "status" ? "" : `${name} `}${from || "none"} → ${to || "none"}`;
}
