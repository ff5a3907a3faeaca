/**
 * What the board writes: each write is reported and can be undone.
 *
 * @module
 */

import {
  type Arguments,
  attributeChange,
  type Change,
  type Notice,
  type Question,
  type Undo,
  updateWithUndo,
  type Values,
} from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import type { Card, Cards } from "./model.ts";

/** What writes use and change of the board. */
interface Written {
  readonly host: Host;
  readonly cards: Cards;
  readonly shown: readonly Card[];
  readonly selected: ReadonlySet<string>;
  readonly question: Question | undefined;
  opened: readonly string[];
  form: Record<string, string> | undefined;
  wanted: string;
  open(id: string): void;
  say(text: string, more?: Omit<Notice, "text">): void;
  set(state: { question?: Question | undefined; wanted?: string }): void;
  reload(): Promise<void>;
}

export class Writes {
  /** How many run. */
  running = 0;
  #undos: Undo[] = [];

  constructor(readonly board: Written) {}

  /** Calls `plan.update` for an entity, reports it with the tool's warnings, and can undo it. */
  async update({ args, text }: Change): Promise<boolean> {
    let said = text;
    return await this.#run(async () => {
      const { warnings, undo } = await updateWithUndo(this.board.host, args);
      said = [text, ...warnings].join(". ");
      return undo;
    }, () => said);
  }

  /** Changes attributes; asks first if criteria would stay open. */
  async move(id: string, after: Values): Promise<boolean> {
    const card = this.board.cards.get(id)!;
    const { status, milestone = "", assignee = "" } = card;
    const values: Values = { status, milestone, assignee };
    const before = Object.fromEntries(Object.keys(after).map((name) => [name, values[name]!]));
    if (Object.keys(after).every((name) => before[name] === after[name])) return true;
    const change = attributeChange(id, before, after);
    const [ticked, all] = card.criteria ?? [0, 0];
    const isDone = after["status"] === "done" || after["status"] === "fixed";
    if (!isDone || card.finished || ticked === all) return await this.update(change);
    this.board.set({ question: { ...change, open: all - ticked }, wanted: ".ask button" });
    return false;
  }

  /** Answers the question with further arguments, or drops it. */
  async answer(more?: Arguments): Promise<void> {
    const { question } = this.board;
    this.board.set({ question: undefined });
    if (question === undefined || more === undefined) return;
    await this.update({ ...question, args: { ...question.args, ...more } });
  }

  /** Sets an attribute of all selected cards, or of none. */
  async changeSelected(name: "status" | "milestone" | "assignee" | "priority", value: string) {
    const ids = [...this.board.selected];
    const valueOf = (id: string) => this.board.cards.get(id)?.[name] ?? "";
    // A call changes entities that were alike.
    const groups = [...Map.groupBy(ids, valueOf)];
    const done: Arguments[] = [];
    const undo = async () => {
      for (const args of done.splice(0)) await this.board.host.call("update", args);
    };
    await this.#run(async () => {
      try {
        for (const [before, ids] of groups) {
          const args = { ids, [name]: value, if: { [name]: before } };
          await this.board.host.call("update", args);
          done.push({ ids, [name]: before, if: { [name]: value } });
        }
      } catch (error) {
        await undo();
        throw error;
      }
      return undo;
    }, () => `${ids.length} entities: ${name} → ${value || "none"}`);
  }

  /** Claims an item for the name in git's configuration. */
  async claim(id: string, assignee: string): Promise<void> {
    if (assignee === "") {
      this.board.open(id);
      this.board.wanted = '#entity [aria-label="assignee"]';
      return this.board.say("Git has no user.name: enter who works on it.", { bad: true });
    }
    await this.#run(async () => {
      await this.board.host.call("claim", { id, assignee });
      return () => this.board.host.call("claim", { id, assignee, release: true });
    }, () => `${id} is in progress, claimed by ${assignee}`);
  }

  /** Creates an entity with the arguments of `plan.create`, and opens it. */
  async add(args: Arguments): Promise<void> {
    let id = "";
    await this.#run(async () => {
      ({ id } = await this.board.host.call<{ id: string }>("create", args));
      this.board.form = undefined;
      return async () => {
        await this.board.host.call("discard", { id });
        this.board.opened = this.board.opened.filter((other) => other !== id);
      };
    }, () => {
      this.board.open(id);
      const isHidden = !this.board.shown.some((card) => card.id === id);
      return `${id} was created.${isHidden ? " The filters hide it on the board." : ""}`;
    });
  }

  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    const isDone = await this.#run(async () => void await last.run(), () => `Undone: ${last.text}`);
    if (!isDone) this.#undos.push(last);
  }

  /**
   * Runs a write, reloads the plan and reports it; errors become notices.
   *
   * @param run Returns how to undo it.
   */
  async #run(run: () => Promise<Undo["run"] | void>, text: () => string): Promise<boolean> {
    this.running++;
    let error: unknown;
    let undo: Undo["run"] | void = undefined;
    try {
      undo = await run();
    } catch (caught) {
      error = caught;
    }
    await this.board.reload().catch(() => {});
    this.running--;
    if (error !== undefined) {
      this.board.say(reasonOf(error), { bad: true });
      return false;
    }
    const said = text();
    if (undo !== undefined) this.#undos.push({ text: said, run: undo });
    this.board.say(said, { undoable: this.#undos.length > 0 });
    return true;
  }
}
