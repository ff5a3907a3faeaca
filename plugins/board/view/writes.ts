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
  type Values,
  type Written,
} from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import type { Card, Cards } from "./model.ts";

/** What writes use and change of the board. */
interface Changed {
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
  /** What can be undone: how it was reported, and the tokens of its calls. */
  readonly #undos: { readonly text: string; readonly tokens: readonly string[] }[] = [];

  constructor(readonly board: Changed) {}

  /** Calls `plan.update` for an entity, reports it with the tool's warnings, and can undo it. */
  async update({ args, text }: Change): Promise<boolean> {
    let said = text;
    return await this.#run(async (write) => {
      const { warnings = [] } = await write("update", args);
      said = [text, ...warnings].join(". ");
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
    await this.#run(async (write) => {
      for (const [before, ids] of groups) {
        await write("update", { ids, [name]: value, if: { [name]: before } });
      }
    }, () => `${ids.length} entities: ${name} → ${value || "none"}`);
  }

  /** Claims an item for the name in git's configuration. */
  async claim(id: string, assignee: string): Promise<void> {
    if (assignee === "") {
      this.board.open(id);
      this.board.wanted = '#entity [aria-label="assignee"]';
      return this.board.say("Git has no user.name: enter who works on it.", { bad: true });
    }
    await this.#run(
      (write) => write("claim", { id, assignee }),
      () => `${id} is in progress, claimed by ${assignee}`,
    );
  }

  /** Creates an entity with the arguments of `plan.create`, and opens it. */
  async add(args: Arguments): Promise<void> {
    let id = "";
    await this.#run(async (write) => {
      ({ id = "" } = await write("create", args));
      this.board.form = undefined;
    }, () => {
      this.board.open(id);
      const isHidden = !this.board.shown.some((card) => card.id === id);
      return `${id} was created.${isHidden ? " The filters hide it on the board." : ""}`;
    });
  }

  /** Takes back the last write, and names what would be taken back next. */
  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    const next = this.#undos.at(-1);
    const text = `Undone: ${last.text}${next === undefined ? "" : `. Before that: ${next.text}`}`;
    await this.#run(async (write, done) => {
      for (const token of last.tokens) await write("undo", { token });
      // An undo is no step of its own here.
      done.length = 0;
    }, () => {
      const { board } = this;
      board.opened = board.opened.filter((id) => board.cards.has(id));
      return text;
    });
  }

  /**
   * Runs calls that are undone together, reloads the plan and reports them. If one fails, those before
   * it are taken back, and the error becomes a notice.
   */
  async #run(
    run: (write: Write, done: string[]) => Promise<unknown>,
    text: () => string,
  ): Promise<boolean> {
    this.running++;
    const { board } = this;
    const done: string[] = [];
    let error: unknown;
    const write: Write = async (tool, args) => {
      const answer = await board.host.call<Written & { id?: string }>(tool, args);
      // The last one is undone first.
      if (answer.undo !== undefined) done.unshift(answer.undo);
      return answer;
    };
    try {
      await run(write, done);
    } catch (caught) {
      error = caught;
      for (const token of done) await board.host.call("undo", { token }).catch(() => {});
    }
    await board.reload().catch(() => {});
    this.running--;
    if (error !== undefined) {
      board.say(reasonOf(error), { bad: true });
      return false;
    }
    const said = text();
    if (done.length > 0) this.#undos.push({ text: said, tokens: done });
    board.say(said, { undoable: this.#undos.length > 0 });
    return true;
  }
}

/** Calls a tool that writes. */
type Write = (tool: string, args: Arguments) => Promise<Written & { id?: string }>;
