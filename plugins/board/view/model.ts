/// <reference lib="dom" />
/**
 * What the parts of the board share.
 *
 * @module
 */

import type { Host } from "./host.ts";

/** A card. */
export interface Row {
  id: string;
  type: string;
  title: string;
  status: string;
  milestone?: string;
  priority?: string;
  /** The ids that it waits for. */
  blockedBy?: string[];
  /** How many of its criteria are ticked: `2/5`. */
  criteria?: string;
}

/** What the parts of the view share. */
export interface Board {
  host: Host;
  rows: Map<string, Row>;
  /** The statuses of a type that occur, and those of the columns that it may take. */
  statusesOf(type: string): string[];
  /** Says something, to a screen reader too. */
  say(text: string, bad?: boolean): void;
  /** Reads the plan again and shows it. */
  reload(): Promise<void>;
  open(id: string): Promise<void>;
}

/** Moves a card: the server decides whether it may. */
export async function moveTo(board: Board, id: string, status: string): Promise<boolean> {
  const row = board.rows.get(id)!;
  if (row.status === status) return true;
  try {
    const before = row.status;
    await board.host.call("update", { id, status });
    await board.reload();
    board.say(`${id}: ${before} → ${status}`);
    return true;
  } catch (error) {
    board.say(`${id} was not moved. ${(error as Error).message}`, true);
    return false;
  }
}
