/// <reference lib="dom" />
/**
 * The state of the board: the plan, what is shown of it, and actions that change either.
 *
 * @module
 */

import {
  type Arguments,
  argumentsOf,
  describeEdit,
  type Edit,
  type Notice,
  type Question,
  type Undo,
  update,
  updateWithUndo,
  type Values,
} from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import { findInText } from "./search.ts";
import {
  ALL,
  type Card,
  type Cards,
  changesBetween,
  defaultSettings,
  filterCards,
  FILTERS,
  isDone,
  SETTINGS,
  type Settings,
} from "./model.ts";

const POLL_MS = 2_500;

/** The time limit for the host's `tool-input`, which some hosts never send. */
const INPUT_MS = 400;

/** The maximum number of changes in one message. */
const NAMED_CHANGES = 3;

/** The pause after which a search is taken for typed, in milliseconds. */
const TYPING_MS = 200;

/** How long a message stays. */
const NOTICE_MS = 12_000;

/** The state; `draw` renders it after every change. */
export class Board {
  cards: Cards = new Map();
  /** The plugin's statuses by type. */
  statuses: Record<string, string[]> = {};
  /** The plugin's values of other attributes. */
  values: Record<string, string[]> = {};
  /** Identifies the state of the plan's files; empty until the plan is loaded. */
  stamp = "";
  /** The settings that the user or the host has chosen. */
  chosen: Settings = {};
  /** The history of opened entities; the last one is shown. */
  opened: readonly string[] = [];
  creating = false;
  /** What the keys `?` and Ctrl-K open. */
  dialog: "" | "keys" | "commands" = "";
  notice: Notice | undefined;
  question: Question | undefined;
  /** Why the server does not answer; empty if it does. */
  lost = "";
  /** Who claims: the name in git's configuration. */
  me = "";
  /** The control that the panel focuses next, as a selector. */
  wanted = "";
  /** Counts the writes and the changes by others. */
  version = 0;
  /** The writes that run. */
  writing = 0;
  selected: ReadonlySet<string> = new Set();
  /** Ids of entities whose text has the words of the search. */
  found: ReadonlySet<string> = new Set();
  /** Unsaved text by entity and field. */
  readonly drafts = new Map<string, { before: string; text: string }>();
  /** Unsaved values of the form for a new entity. */
  form: Record<string, string> | undefined;
  /** Descriptions of external changes since the previous read, by id. */
  changed: ReadonlyMap<string, string> = new Map();
  draw: () => void = () => {};

  #defaults: Settings = {};
  #undos: Undo[] = [];
  #notices: ReturnType<typeof setTimeout> | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly host: Host) {}

  /** Loads the plan, then polls for changes. */
  async start(): Promise<void> {
    const wait = new Promise<Record<string, unknown>>((done) => setTimeout(done, INPUT_MS, {}));
    const [input] = await Promise.all([
      Promise.race([this.host.input, wait]),
      this.#read("headers"),
    ]);
    this.#take(input);
    this.host.onInput = (args) => this.#take(args);
    await this.reload();
    setInterval(() => void this.#poll(), POLL_MS);
    document.addEventListener("visibilitychange", () => void this.#poll());
  }

  get settings(): Settings {
    return { ...this.#defaults, ...this.chosen };
  }

  /** The open entity. */
  get openId(): string | undefined {
    return this.opened.at(-1);
  }

  get shown(): Card[] {
    return filterCards(this.cards, this.settings, this.found);
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
    if (settings.text === undefined) this.#remember();
    else this.#typed();
    this.draw();
  }

  /** Shows all cards. */
  clearFilters(): void {
    const none = FILTERS.map((name) => [name, name === "type" || name === "milestone" ? ALL : ""]);
    this.choose(Object.fromEntries(none));
  }

  /** Shows what is shown at the start. */
  resetFilters(): void {
    this.choose(Object.fromEntries(FILTERS.map((name) => [name, ""])));
  }

  get isFiltered(): boolean {
    return FILTERS.some((name) =>
      (this.chosen[name] ?? this.#defaults[name]) !== this.#defaults[name]
    );
  }

  open(id: string): void {
    if (this.openId !== id || this.creating) this.#show([...this.opened, id]);
  }

  /** Opens an entity in the place of the open one, as the arrow keys do. */
  openInstead(id: string): void {
    this.#show([...this.opened.slice(0, -1), id]);
  }

  /** Goes back to the previously opened entity. */
  back(): void {
    this.#show(this.opened.slice(0, -1));
  }

  create(): void {
    this.#show(this.opened, true);
  }

  /** Closes the panel; the notice and the drafts stay. */
  close = () => this.#show([], false, this.notice);

  show(dialog: Board["dialog"]): void {
    this.#set({ dialog });
  }

  select(id: string): void {
    const selected = new Set(this.selected);
    if (!selected.delete(id)) selected.add(id);
    this.selected = selected;
    this.draw();
  }

  clearSelection(): void {
    this.#set({ selected: new Set() });
  }

  say(text: string, more: Omit<Notice, "text"> = {}): void {
    this.notice = { text, ...more };
    clearTimeout(this.#notices);
    const { notice } = this;
    // Errors stay until they are dismissed.
    if (more.bad !== true) {
      this.#notices = setTimeout(() => {
        if (this.notice !== notice) return;
        this.notice = undefined;
        this.draw();
      }, NOTICE_MS);
    }
    this.draw();
  }

  async copy(text: string, name: string): Promise<void> {
    this.say(await this.host.copy(text) ? `${name} was copied.` : text);
  }

  /** Writes an edit and reports it; returns whether it succeeded. */
  async edit(edit: Edit): Promise<boolean> {
    const { also } = edit;
    const isSame = edit.before === edit.after && edit.more === undefined &&
      Object.entries(also?.after ?? {}).every(([name, value]) => also!.before[name] === value);
    if (isSame) return true;
    return await this.update(argumentsOf(edit), describeEdit(edit));
  }

  /** Calls `plan.update` for an entity, reports it with the tool's warnings, and can undo it. */
  async update(args: Arguments, text: string): Promise<boolean> {
    let said = text;
    return await this.#write(async () => {
      const { warnings, undo } = await updateWithUndo(this.host, args);
      said = [text, ...warnings].join(". ");
      return undo;
    }, () => said);
  }

  /** Changes the status and other attributes; asks first if criteria would stay open. */
  move(id: string, status: string, others: Values = {}): Promise<boolean> {
    const card = this.cards.get(id);
    const values: Values = { milestone: card?.milestone ?? "", assignee: card?.assignee ?? "" };
    const before = Object.fromEntries(
      Object.keys(others).map((name) => [name, values[name] ?? ""]),
    );
    const edit: Edit = {
      id,
      field: { kind: "attribute", name: "status" },
      before: card?.status ?? "",
      after: status,
      ...(Object.keys(others).length === 0 ? {} : { also: { before, after: others } }),
    };
    const [ticked, all] = card?.criteria ?? [0, 0];
    if (!isDone(status) || card?.finished === true || ticked === all) return this.edit(edit);
    this.question = { edit, open: all - ticked };
    this.draw();
    return Promise.resolve(false);
  }

  /** Answers the question, or drops it without further arguments. */
  async answer(more?: Edit["more"] | "move"): Promise<void> {
    const { question } = this;
    this.question = undefined;
    this.draw();
    if (question === undefined || more === undefined) return;
    await this.edit(more === "move" ? question.edit : { ...question.edit, more });
  }

  /** Sets an attribute of all selected cards, or of none. */
  async changeSelected(name: "status" | "milestone" | "assignee" | "priority", value: string) {
    const ids = [...this.selected];
    const valueOf = (id: string) => this.cards.get(id)?.[name] ?? "";
    // A call changes entities that were alike.
    const groups = [...Map.groupBy(ids, valueOf)];
    const done: Readonly<Record<string, unknown>>[] = [];
    const undo = async () => {
      for (const args of done.splice(0)) await update(this.host, args);
    };
    await this.#write(async () => {
      try {
        for (const [before, ids] of groups) {
          await update(this.host, { ids, [name]: value, if: { [name]: before } });
          done.push({ ids, [name]: before, if: { [name]: value } });
        }
      } catch (error) {
        await undo();
        throw error;
      }
      return undo;
    }, () => `${ids.length} entities: ${name} → ${value || "none"}`);
  }

  async claim(id: string): Promise<void> {
    const assignee = this.me;
    if (assignee === "") {
      this.wanted = '[aria-label="assignee"]';
      this.open(id);
      return this.say("Git has no user.name: enter who works on it.", { bad: true });
    }
    await this.#write(async () => {
      await this.host.call("claim", { id, assignee });
      return () => this.host.call("claim", { id, assignee, release: true });
    }, () => `${id} is in progress, claimed by ${assignee}`);
  }

  /** Creates an entity with the arguments of `plan.create`, and opens it. */
  async add(args: Record<string, unknown>): Promise<void> {
    let id = "";
    await this.#write(async () => {
      ({ id } = await this.host.call<{ id: string }>("create", args));
      this.form = undefined;
      return async () => {
        await this.host.call("discard", { id });
        this.opened = this.opened.filter((other) => other !== id);
      };
    }, () => {
      this.open(id);
      const isHidden = !this.shown.some((card) => card.id === id);
      return `${id} was created.${isHidden ? " The filters hide it on the board." : ""}`;
    });
  }

  async undo(): Promise<void> {
    // Before the write, because the key may be pressed twice.
    const last = this.#undos.pop();
    if (last === undefined) return;
    const isDone = await this.#write(last.run, () => `Undone: ${last.text}`);
    if (!isDone) this.#undos.push(last);
  }

  #set(state: Partial<Pick<Board, "dialog" | "found" | "selected">>): void {
    Object.assign(this, state);
    this.draw();
  }

  #show(opened: readonly string[], creating = false, notice?: Notice): void {
    this.opened = opened;
    this.creating = creating;
    this.notice = notice;
    this.#remember();
    this.draw();
  }

  /** Takes over the arguments of the tool that opens the view. */
  #take({ filter }: Record<string, unknown>): void {
    const given = new Map(Object.entries<unknown>(Object(filter)));
    this.chosen = {};
    for (const name of SETTINGS) if (given.has(name)) this.chosen[name] = String(given.get(name));
    // Filters are about the board.
    if (given.size > 0 && FILTERS.some((name) => given.has(name))) this.chosen.tab ??= "board";
    const open = given.get("open");
    if (open !== this.openId) {
      this.opened = typeof open === "string" && this.cards.has(open) ? [open] : [];
      this.creating = false;
    }
    void this.#find();
    this.draw();
  }

  /** Waits for the next key of a search before the host and the server learn of it. */
  #typed(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      this.#remember();
      void this.#find();
    }, TYPING_MS);
  }

  async #find(): Promise<void> {
    const { text = "" } = this.chosen;
    const found = await findInText(this.host, text);
    if (text === (this.chosen.text ?? "")) this.#set({ found });
  }

  /** Tells the host what is shown, and the model which entity is open. */
  #remember(): void {
    const { openId } = this;
    const card = this.cards.get(openId ?? "");
    const open = openId === undefined ? {} : { open: openId };
    const text = card && `Open on the plan board: ${card.id} "${card.title}", ${card.type}, ` +
        `${card.status || "without status"}.`;
    this.host.remember({ filter: { ...this.chosen, ...open } }, text ?? "Nothing is open.");
  }

  /**
   * Runs a write, reloads the plan and reports it; errors become notices.
   *
   * @param run Returns how to undo it.
   */
  async #write(run: () => Promise<unknown>, text: () => string): Promise<boolean> {
    this.writing++;
    let error: unknown;
    let undo: unknown;
    try {
      undo = await run();
    } catch (caught) {
      error = caught;
    }
    this.version++;
    this.draw();
    await this.reload().catch(() => {});
    this.writing--;
    if (error !== undefined) {
      this.say(reasonOf(error), { bad: true });
      return false;
    }
    const said = text();
    if (isUndo(undo)) this.#undos.push({ text: said, run: undo });
    this.say(said, { undoable: this.#undos.length > 0 });
    return true;
  }

  async #read(show: "headers" | "cards"): Promise<void> {
    const { shown, data } = await this.host.ask<
      { cards: Card[]; statuses: Record<string, string[]>; values: Record<string, string[]> },
      { stamp: string }
    >("board", { show });
    this.cards = new Map(shown.cards.map((card) => [card.id, card]));
    this.statuses = shown.statuses;
    this.values = shown.values;
    this.#defaults = defaultSettings(this.cards);
    this.stamp = data.stamp;
  }

  /** Shows changes by others, such as an agent or a second window. */
  async #poll(): Promise<void> {
    if (document.hidden || this.writing > 0) return;
    try {
      const { stamp } = await this.host.call<{ stamp: string }>("board", {});
      if (this.lost !== "") {
        this.lost = "";
        this.draw();
      }
      // A write that started in the meantime reloads the plan itself.
      if (stamp === this.stamp || this.writing > 0) return;
      const before = this.cards;
      this.version++;
      await this.#read("cards");
      this.changed = changesBetween(before, this.cards);
      const changes = [...this.changed.values()];
      if (changes.length === 0) return this.draw();
      const more = changes.length - NAMED_CHANGES;
      const named = changes.slice(0, NAMED_CHANGES).join("; ");
      this.say(`Changed on disk: ${named}${more > 0 ? `; and ${more} more` : ""}.`, {
        undoable: this.notice?.undoable === true,
      });
    } catch (error) {
      // Retried by the next poll.
      this.lost = reasonOf(error);
      this.draw();
    }
  }
}

function isUndo(undo: unknown): undo is Undo["run"] {
  return typeof undo === "function";
}
