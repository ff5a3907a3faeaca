/** What the board writes: each write is reported and can be undone. */

import {
  type Arguments,
  attributeChange,
  type Change,
  type Notice,
  type Written,
} from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import type { Card, Cards } from "./model.ts";

/** What writes use and change of the board. */
interface Changed {
  readonly host: Host;
  readonly cards: Cards;
  readonly visibleCards: readonly Card[];
  opened: readonly string[];
  form: Record<string, string> | undefined;
  wanted: string;
  open(id: string): void;
  say(text: string, more?: Omit<Notice, "text">): void;
  reload(): Promise<void>;
}

export class Writes {
  /** How many run. */
  running = 0;
  readonly #undos: Step[] = [];

  constructor(readonly board: Changed) {}

  /** Calls `plan_update` for an entity, and reports it with the tool's warnings. */
  async update({ args, text }: Change): Promise<boolean> {
    return await this.#write("update", args, ({ warnings = [] }) => [text, ...warnings].join(". "));
  }

  /** Changes the status, if it still is as it was shown; the tool names open criteria. */
  async move(id: string, status: string): Promise<boolean> {
    const before = this.board.cards.get(id)!.status;
    if (status === before) return true;
    return await this.update(attributeChange(id, { status: before }, { status }));
  }

  /** Claims an item for the name in git's configuration. */
  async claim(id: string, assignee: string): Promise<void> {
    if (assignee === "") {
      this.board.open(id);
      this.board.wanted = '#entity [aria-label="assignee"]';
      return this.board.say("Git has no user.name: enter who works on it.", { bad: true });
    }
    const text = `${id} is in progress, claimed by ${assignee}`;
    await this.#write("claim", { id, assignee }, () => text);
  }

  /** Creates an entity with the arguments of `plan_create`, and opens it. */
  async add(args: Arguments): Promise<void> {
    const { board } = this;
    await this.#write("create", args, ({ id = "" }) => {
      board.form = undefined;
      board.open(id);
      const isHidden = !board.visibleCards.some((card) => card.id === id);
      return `${id} was created.${isHidden ? " The filters hide it on the board." : ""}`;
    });
  }

  /** Takes back the last write or passes it over, and names what would be taken back next. */
  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    const { board } = this;
    const next = this.#undos.at(-1);
    const before = next === undefined ? "" : `. Before that: ${next.text}`;
    await this.#run(async () => {
      try {
        await board.host.call("undo", { token: last.token });
      } catch (error) {
        throw new NotUndone(`Not undone: ${last.text}. ${reasonOf(error)}${before}`);
      }
      return () => {
        board.opened = board.opened.filter((id) => board.cards.has(id));
        return `Undone: ${last.text}${before}`;
      };
    });
  }

  /** Calls a tool that writes; its report names what Undo takes back. */
  async #write(
    tool: string,
    args: Arguments,
    report: (written: Written) => string,
  ): Promise<boolean> {
    return await this.#run(async () => {
      const { data } = await this.board.host.call<Written>(tool, args);
      return () => {
        const text = report(data);
        if (data.undo !== undefined) this.#undos.push({ text, token: data.undo });
        return text;
      };
    });
  }

  /** Writes, reloads the plan, and reports it or the error; returns whether it succeeded. */
  async #run(write: () => Promise<() => string>): Promise<boolean> {
    this.running++;
    const { board } = this;
    let report: (() => string) | undefined;
    let error: unknown;
    try {
      report = await write();
    } catch (caught) {
      error = caught;
    }
    await board.reload().catch(() => {});
    this.running--;
    const text = report === undefined ? reasonOf(error) : report();
    // Beside another failed write, Undo would seem to be about that one.
    const names = report !== undefined || error instanceof NotUndone;
    board.say(text, { bad: report === undefined, undoable: names && this.#undos.length > 0 });
    return report !== undefined;
  }
}

/** Why a write could not be taken back. */
class NotUndone extends Error {}

/** What can be undone. */
interface Step {
  /** How it was reported. */
  readonly text: string;
  readonly token: string;
}
