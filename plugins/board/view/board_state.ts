/// <reference lib="dom" />
/**
 * The state of the board: the plan as it was read last, what is shown of it, and the ways to
 * change both.
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

/** The key of `_meta` under which the server answers what views ask for. */
const META = "refrakt/board";

/** How often the plan is checked for changes, in milliseconds. */
const POLL_MS = 2_500;

/** How long the host may take to pass the input on, in milliseconds; some never do. */
const INPUT_MS = 400;

/** How many changes are named in one message. */
const NAMED_CHANGES = 3;

/** What is said about the last action. */
export interface Notice {
  /** The text. */
  readonly text: string;
  /** Whether it is an error. */
  readonly bad?: boolean;
  /** Whether it is about an edit that can be undone. */
  readonly undoable?: boolean;
}

/** The state; `draw` shows it after every change. */
export class Board {
  /** The cards by id. */
  cards: Cards = new Map();
  /** The statuses that the plugin knows, by type. */
  statuses: Record<string, string[]> = {};
  /** Changes with every change of the plan's files; empty until the plan was read. */
  stamp = "";
  /** What a person or the host has chosen. */
  chosen: Settings = {};
  /** The entities that were opened one from another; the last one is shown. */
  opened: readonly string[] = [];
  /** Whether the form for a new entity is open. */
  creating = false;
  /** What is said about the last action. */
  notice: Notice | undefined;
  /** The cards that somebody else changed since the reading before. */
  changed: ReadonlyMap<string, string> = new Map();
  /** Shows the state. */
  draw: () => void = () => {};

  #defaults: Settings = {};
  #edits: Edit[] = [];
  #writing = 0;

  constructor(readonly host: Host) {}

  /** Reads the plan for the first time, and keeps looking for changes. */
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

  /** The chosen settings, and the defaults of the others. */
  get settings(): Settings {
    return { ...this.#defaults, ...this.chosen };
  }

  /** Asks `plan.board` for what a view shows. */
  async ask<Shown>(show: string): Promise<Shown> {
    return (await this.host.ask<Shown>("board", { show }, META)).shown;
  }

  /** Reads the plan again and shows it. */
  async reload(): Promise<void> {
    await this.#read("cards");
    this.draw();
  }

  /** Chooses settings; an empty value is the default. */
  choose(settings: Settings): void {
    for (const name of SETTINGS) {
      const value = settings[name];
      if (value === "") delete this.chosen[name];
      else if (value !== undefined) this.chosen[name] = value;
    }
    this.host.remember({ filter: this.chosen });
    this.draw();
  }

  /** Shows everything. */
  clearFilters(): void {
    this.choose(Object.fromEntries(
      FILTERS.map((name) => [name, name === "type" || name === "milestone" ? ALL : ""]),
    ));
  }

  /** Opens an entity, beside those that are open already. */
  open(id: string): void {
    if (this.opened.at(-1) !== id) this.opened = [...this.opened, id];
    this.creating = false;
    this.notice = undefined;
    this.draw();
  }

  /** Goes back to the entity from which the current one was opened. */
  back(): void {
    this.opened = this.opened.slice(0, -1);
    this.draw();
  }

  /** Opens the form for a new entity. */
  create(): void {
    this.creating = true;
    this.notice = undefined;
    this.draw();
  }

  /** Closes what is open. */
  close(): void {
    this.opened = [];
    this.creating = false;
    this.draw();
  }

  /** Says something. */
  say(text: string, more: Omit<Notice, "text"> = {}): void {
    this.notice = { text, ...more };
    this.draw();
  }

  /** Writes an edit and says so; returns whether it was written. */
  async edit(edit: Edit): Promise<boolean> {
    if (edit.before === edit.after) return true;
    let stored = edit.after;
    const written = await this.write(async () => {
      stored = await applyEdit(this.host, edit);
    });
    if (!written) return false;
    this.#edits.push({ ...edit, after: stored });
    this.say(describeEdit(edit), { undoable: true });
    return true;
  }

  /** Moves a card; the server decides whether it may. */
  move(id: string, status: string): Promise<boolean> {
    const before = this.cards.get(id)?.status ?? "";
    return this.edit({ id, field: { kind: "attribute", name: "status" }, before, after: status });
  }

  /** Takes the last edit back. */
  async undo(): Promise<void> {
    const edit = this.#edits.at(-1);
    if (edit === undefined) return;
    const inverse = inverseOf(edit);
    if (!await this.write(() => applyEdit(this.host, inverse))) return;
    this.#edits.pop();
    this.say(`Undone. ${describeEdit(inverse)}`, { undoable: this.#edits.length > 0 });
  }

  /** Runs a write, then shows the plan as it is; an error is said. */
  async write(run: () => Promise<unknown>): Promise<boolean> {
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
    >("board", { show }, META);
    this.cards = new Map(shown.cards.map((card) => [card.id, card]));
    this.statuses = shown.statuses;
    this.#defaults = defaultSettings(this.cards);
    this.stamp = data.stamp;
  }

  /** Shows what others changed meanwhile, such as an agent or a second window. */
  async #poll(): Promise<void> {
    if (document.hidden || this.#writing > 0) return;
    try {
      const { stamp } = await this.host.call<{ stamp: string }>("board", {});
      // A write that began meanwhile reads the plan by itself.
      if (stamp === this.stamp || this.#writing > 0) return;
      const before = this.cards;
      await this.#read("cards");
      this.changed = changesBetween(before, this.cards);
      const changes = [...this.changed.values()];
      const more = changes.length - NAMED_CHANGES;
      if (changes.length === 0) return this.draw();
      this.say(
        `Changed on disk: ${changes.slice(0, NAMED_CHANGES).join("; ")}${
          more > 0 ? `; and ${more} more` : ""
        }.`,
        { undoable: this.notice?.undoable === true },
      );
    } catch {
      // The next poll tries again.
    }
  }
}
