/**
 * The plan as the board shows it: which cards, in which order, and what waits for what.
 *
 * @module
 */

/** A card. */
export interface Card {
  /** Its id. */
  id: string;
  /** `work`, `bug`, `spec`, `decision` or `milestone`. */
  type: string;
  /** Its title. */
  title: string;
  /** Its status. */
  status: string;
  /** Whether its type counts its status as finished. */
  finished?: boolean;
  /** Its milestone. */
  milestone?: string;
  /** Its priority, or a bug's severity. */
  priority?: string;
  /** Who works on it. */
  assignee?: string;
  /** The ids that it waits for. */
  blockedBy?: string[];
  /** How many of its criteria are ticked, and how many there are. */
  criteria?: [ticked: number, all: number];
}

/** What is shown. */
export interface Filter {
  /** Words that ids and titles have. */
  words: string;
  /** One type; empty for all. */
  type: string;
  /** One milestone, or {@linkcode NONE}; empty for all. */
  milestone: string;
  /** Whether finished ones are shown too. */
  finished: boolean;
  /** Whether only those are shown that wait for something. */
  blocked: boolean;
}

/** Stands for no milestone. */
export const NONE = "none";

/** Columns from left to right; a status that is not here stands before the finished ones. */
const OPEN = [
  "draft",
  "proposed",
  "reported",
  "pending",
  "review",
  "planning",
  "confirmed",
  "accepted",
  "ready",
  "active",
  "blocked",
  "in-progress",
];
const FINISHED = [
  "implemented",
  "shipped",
  "done",
  "fixed",
  "complete",
  "cancelled",
  "rejected",
  "wontfix",
  "duplicate",
  "superseded",
  "deprecated",
];
const URGENCY = ["critical", "high", "major", "medium", "minor", "low", "cosmetic"];

const inNaturalOrder = new Intl.Collator("en", { numeric: true }).compare;

/** The cards that a filter shows, the most urgent first. */
export function filterCards(cards: Iterable<Card>, filter: Filter): Card[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  return [...cards].filter((card) => {
    const text = `${card.id} ${card.title}`.toLowerCase();
    return (filter.type === "" || card.type === filter.type) &&
      (filter.milestone === "" || laneOf(card, "milestone") === filter.milestone) &&
      (filter.finished || card.finished !== true) &&
      (!filter.blocked || isBlocked(card)) &&
      words.every((word) => text.includes(word));
  }).sort((a, b) => urgency(a) - urgency(b) || inNaturalOrder(a.id, b.id));
}

/** Whether a card waits for something. */
export function isBlocked({ status, blockedBy = [] }: Card): boolean {
  return status === "blocked" || blockedBy.length > 0;
}

/** The lane that a card is in; a milestone is in its own. */
export function laneOf(card: Card, by: "" | "milestone" | "type"): string {
  if (by === "") return "";
  if (by === "type") return card.type;
  return card.type === "milestone" ? card.id : card.milestone ?? NONE;
}

/** Names in the order of their numbers, `none` last. */
export function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) =>
    Number(a === NONE) - Number(b === NONE) || inNaturalOrder(a, b)
  );
}

/** Statuses from left to right. */
export function sortStatuses(statuses: Iterable<string>): string[] {
  const place = (status: string) => {
    const end = FINISHED.indexOf(status);
    if (end >= 0) return 100 + end;
    const at = OPEN.indexOf(status);
    return at >= 0 ? at : 50;
  };
  return [...new Set(statuses)].sort((a, b) => place(a) - place(b) || inNaturalOrder(a, b));
}

/** What a card waits for, and what that waits for, nearest first. */
export function chainOf(cards: ReadonlyMap<string, Card>, id: string): string[] {
  const found = new Set([id]);
  for (const next of found) {
    for (const other of cards.get(next)?.blockedBy ?? []) found.add(other);
  }
  found.delete(id);
  return [...found];
}

/** The cards that wait for a card, directly or not. */
export function waitingFor(cards: ReadonlyMap<string, Card>, id: string): string[] {
  const found = new Set([id]);
  for (const next of found) {
    for (const card of cards.values()) if (card.blockedBy?.includes(next)) found.add(card.id);
  }
  found.delete(id);
  return [...found];
}

function urgency({ priority = "" }: Card): number {
  const at = URGENCY.indexOf(priority);
  return at >= 0 ? at : URGENCY.length;
}
