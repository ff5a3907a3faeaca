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

/** How often the plan is checked for changes, in milliseconds. */
const POLL_MS = 2_500;

/** How long the host may take to pass the input on, in milliseconds; some never do. */
const INPUT_MS = 400;

/** How many changes are named in one message. */
const NAMED_CHANGES = 3;

/** What is said about the last action. */
interface Notice {
  readonly text: string;
  readonly bad?: boolean;
  readonly undoable?: boolean;
}

/** How a write is undone, and what is said then. */
interface Undo {
  readonly text: string;
  run(): Promise<unknown>;
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
  #undos: Undo[] = [];
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
    return (await this.host.ask<Shown>("board", { show })).shown;
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
    const none = FILTERS.map((name) => [name, name === "type" || name === "milestone" ? ALL : ""]);
    this.choose(Object.fromEntries(none));
  }

  /** Opens an entity, beside those that are open already. */
  open(id: string): void {
    this.#show(this.opened.at(-1) === id ? this.opened : [...this.opened, id]);
  }

  /** Goes back to the entity from which the current one was opened. */
  back(): void {
    this.#show(this.opened.slice(0, -1));
  }

  /** Opens the form for a new entity. */
  create(): void {
    this.#show(this.opened, true);
  }

  /** Closes what is open; what was said stays. */
  close(): void {
    this.#show([], false, this.notice);
  }

  /** Says something. */
  say(text: string, more: Omit<Notice, "text"> = {}): void {
    this.notice = { text, ...more };
    this.draw();
  }

  /** Writes an edit and says so; returns whether it was written. */
  async edit(edit: Edit): Promise<boolean> {
    if (edit.before === edit.after) return true;
    if (!await this.#write(() => applyEdit(this.host, edit))) return false;
    const inverse = inverseOf(edit);
    const run = () => applyEdit(this.host, inverse);
    this.#undos.push({ text: describeEdit(inverse), run });
    this.say(describeEdit(edit), { undoable: true });
    return true;
  }

  /** Moves a card; the server decides whether it may. */
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

  /** Undoes the last write. */
  async undo(): Promise<void> {
    // Before it runs: the key may be pressed twice.
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

  /** Runs a write, then shows the plan as it is; an error is said. */
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
      if (changes.length === 0) return this.draw();
      const more = changes.length - NAMED_CHANGES;
      const named = changes.slice(0, NAMED_CHANGES).join("; ");
      this.say(`Changed on disk: ${named}${more > 0 ? `; and ${more} more` : ""}.`, {
        undoable: this.notice?.undoable === true,
      });
    } catch {
      // The next poll tries again.
    }
  }
}
