/// <reference lib="dom" />
/**
 * What the parts of the board share: the plan as it was read last, and the ways to change it.
 *
 * @module
 */

import { byId } from "./dom.ts";
import { type Host, reasonOf, shownBy } from "./host.ts";
import type { Card } from "./model.ts";

/** The key of `_meta` under which the server answers what is asked for. */
const META = "refrakt/board";

/** What the parts of the view share. */
export interface Board {
  /** The host. */
  readonly host: Host;
  /** The cards by id. */
  readonly cards: Map<string, Card>;
  /** The statuses that the plugin knows, by type. */
  statuses: Record<string, string[]>;
  /** Changes with every change of the plan's files. */
  stamp: string;
  /** How many writes are under way. */
  writing: number;
  /** Reads the plan again and shows it. */
  reload(): Promise<void>;
  /** Opens an entity. */
  open(id: string): Promise<void>;
}

/** Asks `plan.board` for what a view shows. */
export async function ask<Shown>(board: Pick<Board, "host">, show: string): Promise<Shown> {
  const answer = await board.host.ask<Record<string, unknown>>("board", { show });
  return { ...answer.structuredContent, ...shownBy<Shown>(answer, META, "board") };
}

/** Reads the cards: whole, or their headers alone, which are there sooner. */
export async function load(board: Board, what: "headers" | "cards"): Promise<void> {
  const { cards, statuses, stamp } = await ask<
    { cards: Card[]; statuses: Record<string, string[]>; stamp: string }
  >(board, what);
  board.cards.clear();
  for (const card of cards) board.cards.set(card.id, card);
  board.statuses = statuses;
  board.stamp = stamp;
}

/** Says something, to a screen reader too: in the dialog while it is open, and on the board. */
export function say(text: string, bad = false): void {
  for (const id of ["message", "entity-message"]) {
    const message = document.getElementById(id);
    if (message === null) continue;
    message.textContent = text;
    message.classList.toggle("bad", bad);
  }
}

/** The statuses that an entity of a type may have, the one that it has included. */
export function statusesOf(
  board: Board,
  { type, status }: Pick<Card, "type" | "status">,
): string[] {
  const known = board.statuses[type] ??
    [...board.cards.values()].filter((card) => card.type === type).map((card) => card.status);
  return [...new Set([...known, status])];
}

/**
 * Changes an entity with the server's own tool, and shows the plan as it is then.
 *
 * @param done What is said when it went well.
 * @param failed What is said before the reason otherwise.
 */
export async function change(
  board: Board,
  args: Record<string, unknown>,
  done: string,
  failed: string,
): Promise<boolean> {
  board.writing++;
  try {
    await board.host.ask("update", args);
    await board.reload();
    say(done);
    return true;
  } catch (error) {
    say(`${failed} ${reasonOf(error)}`, true);
    return false;
  } finally {
    board.writing--;
  }
}

/** Moves a card: the server decides whether it may. */
export async function moveTo(board: Board, id: string, status: string): Promise<boolean> {
  const before = board.cards.get(id)?.status;
  if (before === status) return true;
  return await change(
    board,
    { id, status },
    `${id}: ${before} → ${status}`,
    `${id} was not moved to ${status}.`,
  );
}

/** The value of a field of the page's head. */
export function valueOf(id: string): string {
  return byId<HTMLSelectElement | HTMLInputElement>(id).value;
}
