/** What the board writes: each write is reported and can be undone. */

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
  readonly #undos: Step[] = [];

  constructor(readonly board: Changed) {}

  /** Calls `plan_update` for an entity, reports it with the tool's warnings, and can undo it. */
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

  /** Changes attributes; opens the entity if that asks about criteria. */
  async moveOrOpen(id: string, after: Values): Promise<void> {
    if (!await this.move(id, after) && this.board.question !== undefined) this.board.open(id);
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

  /** Creates an entity with the arguments of `plan_create`, and opens it. */
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

  /**
   * Takes back the last write, and names what would be taken back next. If that fails, the write
   * stays the last one for another try, and is passed over after that.
   */
  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    const next = this.#undos.at(-1);
    const before = next === undefined ? "" : `. Before that: ${next.text}`;
    await this.#run(async (write, done) => {
      const tokens = [...last.tokens];
      let at = 0;
      // Each answers with the token that takes it back.
      const next = async (at: number) => {
        tokens[at] = (await write("undo", { token: tokens[at]! })).undo ?? "";
      };
      try {
        for (; at < tokens.length; at++) await next(at);
      } catch (error) {
        while (at-- > 0) await next(at);
        done.length = 0;
        const isAgain = last.failed === true;
        if (!isAgain) this.#undos.push({ ...last, tokens, failed: true });
        const rest = isAgain ? `. It is passed over${before}` : "";
        const reason = `Not undone: ${last.text}. ${reasonOf(error)}${rest}`;
        throw new NotUndone(reason, { cause: error });
      }
      // An undo is no step of its own here.
      done.length = 0;
    }, () => {
      const { board } = this;
      board.opened = board.opened.filter((id) => board.cards.has(id));
      return `Undone: ${last.text}${before}`;
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
    const isBad = error !== undefined;
    const said = isBad ? reasonOf(error) : text();
    if (!isBad && done.length > 0) this.#undos.push({ text: said, tokens: done });
    // Beside another failed write, Undo would seem to be about that one.
    const undoable = this.#undos.length > 0 && (!isBad || error instanceof NotUndone);
    board.say(said, { bad: isBad, undoable });
    return !isBad;
  }
}

/** Why a write could not be taken back. */
class NotUndone extends Error {}

/** What can be undone. */
interface Step {
  /** How it was reported. */
  readonly text: string;
  /** Of its calls, the last one first. */
  readonly tokens: readonly string[];
  /** Whether undoing it has failed once. */
  readonly failed?: true;
}

/** Calls a tool that writes. */
type Write = (tool: string, args: Arguments) => Promise<Written & { id?: string }>;
