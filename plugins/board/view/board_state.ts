/// <reference lib="dom" />
/**
 * The state of the board: the plan, what is shown of it, and actions that change either.
 *
 * @module
 */

import { applyEdit, describeEdit, type Edit, inverseOf } from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import {
  ALL,
  type Card,
  type Cards,
  changesBetween,
  defaultSettings,
  FILTERS,
  SETTINGS,
  type Settings,
} from "./model.ts";

const POLL_MS = 2_500;

/** The time limit for the host's `tool-input`, which some hosts never send. */
const INPUT_MS = 400;

/** The maximum number of changes in one message. */
const NAMED_CHANGES = 3;

/** The result of the last action. */
interface Notice {
  readonly text: string;
  readonly bad?: boolean;
  readonly undoable?: boolean;
}

/** Undoes a write; `text` describes the result. */
interface Undo {
  readonly text: string;
  run(): Promise<unknown>;
}

/** The state; `draw` renders it after every change. */
export class Board {
  cards: Cards = new Map();
  /** The plugin's statuses by type. */
  statuses: Record<string, string[]> = {};
  /** Identifies the state of the plan's files; empty until the plan is loaded. */
  stamp = "";
  /** The settings that the user or the host has chosen. */
  chosen: Settings = {};
  /** The history of opened entities; the last one is shown. */
  opened: readonly string[] = [];
  creating = false;
  notice: Notice | undefined;
  /** Descriptions of external changes since the previous read, by id. */
  changed: ReadonlyMap<string, string> = new Map();
  draw: () => void = () => {};

  #defaults: Settings = {};
  #undos: Undo[] = [];
  #writing = 0;

  constructor(readonly host: Host) {}

  /** Loads the plan, then polls for changes. */
  async start(): Promise<void> {
    const wait = new Promise<Record<string, unknown>>((done) => setTimeout(done, INPUT_MS, {}));
    const [{ filter }] = await Promise.all([
      Promise.race([this.host.input, wait]),
      this.#read("headers"),
    ]);
    const given = new Map(Object.entries<unknown>(Object(filter)));
    for (const name of SETTINGS) if (given.has(name)) this.chosen[name] = String(given.get(name));
    this.draw();
    await this.reload();
    setInterval(() => void this.#poll(), POLL_MS);
  }

  get settings(): Settings {
    return { ...this.#defaults, ...this.chosen };
  }

  /** Asks `plan.board` for a part of the plan. */
  async ask<Shown>(show: string): Promise<Shown> {
    return (await this.host.ask<Shown>("board", { show })).shown;
  }

  async reload(): Promise<void> {
    await this.#read("cards");
    this.draw();
  }

  /** Chooses settings; an empty value restores the default. */
  choose(settings: Settings): void {
    for (const name of SETTINGS) {
      const value = settings[name];
      if (value === "") delete this.chosen[name];
      else if (value !== undefined) this.chosen[name] = value;
    }
    this.host.remember({ filter: this.chosen });
    this.draw();
  }

  clearFilters(): void {
    const none = FILTERS.map((name) => [name, name === "type" || name === "milestone" ? ALL : ""]);
    this.choose(Object.fromEntries(none));
  }

  open(id: string): void {
    this.#show(this.opened.at(-1) === id ? this.opened : [...this.opened, id]);
  }

  /** Goes back to the previously opened entity. */
  back(): void {
    this.#show(this.opened.slice(0, -1));
  }

  create(): void {
    this.#show(this.opened, true);
  }

  /** Closes the dialog; the notice stays. */
  close(): void {
    this.#show([], false, this.notice);
  }

  say(text: string, more: Omit<Notice, "text"> = {}): void {
    this.notice = { text, ...more };
    this.draw();
  }

  /** Writes an edit and reports it; returns whether it succeeded. */
  async edit(edit: Edit): Promise<boolean> {
    if (edit.before === edit.after) return true;
    if (!await this.#write(() => applyEdit(this.host, edit))) return false;
    const inverse = inverseOf(edit);
    const run = () => applyEdit(this.host, inverse);
    this.#undos.push({ text: describeEdit(inverse), run });
    this.say(describeEdit(edit), { undoable: true });
    return true;
  }

  move(id: string, status: string): Promise<boolean> {
    const before = this.cards.get(id)?.status ?? "";
    return this.edit({ id, field: { kind: "attribute", name: "status" }, before, after: status });
  }

  /** Creates an entity with the arguments of `plan.create`, and opens it. */
  async add(args: Record<string, unknown>): Promise<void> {
    let id = "";
    const created = await this.#write(async () => {
      ({ id } = await this.host.call<{ id: string }>("create", args));
    });
    if (!created) return;
    const run = async () => {
      await this.host.call("discard", { id });
      this.opened = this.opened.filter((other) => other !== id);
    };
    this.#undos.push({ text: `${id} was removed.`, run });
    this.open(id);
    this.say(`${id} was created.`, { undoable: true });
  }

  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    if (!await this.#write(last.run)) this.#undos.push(last);
    else this.say(`Undone. ${last.text}`, { undoable: this.#undos.length > 0 });
  }

  #show(opened: readonly string[], creating = false, notice?: Notice): void {
    this.opened = opened;
    this.creating = creating;
    this.notice = notice;
    this.draw();
  }

  /** Runs a write and reloads the plan; errors become notices. */
  async #write(run: () => Promise<unknown>): Promise<boolean> {
    this.#writing++;
    try {
      await run();
      return true;
    } catch (error) {
      this.say(reasonOf(error), { bad: true });
      return false;
    } finally {
      await this.reload().catch(() => {});
      this.#writing--;
    }
  }

  async #read(show: "headers" | "cards"): Promise<void> {
    const { shown, data } = await this.host.ask<
      { cards: Card[]; statuses: Record<string, string[]> },
      { stamp: string }
    >("board", { show });
    this.cards = new Map(shown.cards.map((card) => [card.id, card]));
    this.statuses = shown.statuses;
    this.#defaults = defaultSettings(this.cards);
    this.stamp = data.stamp;
  }

  /** Shows changes by others, such as an agent or a second window. */
  async #poll(): Promise<void> {
    if (document.hidden || this.#writing > 0) return;
    try {
      const { stamp } = await this.host.call<{ stamp: string }>("board", {});
      // A write that started in the meantime reloads the plan itself.
      if (stamp === this.stamp || this.#writing > 0) return;
      const before = this.cards;
      await this.#read("cards");
      this.changed = changesBetween(before, this.cards);
      const changes = [...this.changed.values()];
      if (changes.length === 0) return this.draw();
      const more = changes.length - NAMED_CHANGES;
      const named = changes.slice(0, NAMED_CHANGES).join("; ");
      this.say(`Changed on disk: ${named}${more > 0 ? `; and ${more} more` : ""}.`, {
        undoable: this.notice?.undoable === true,
      });
    } catch {
      // Retried by the next poll.
    }
  }
}
