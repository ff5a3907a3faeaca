/// <reference lib="dom" />
/** The state of the board: the plan, what is shown of it, and actions that change either. */

import type { PlanData } from "../../plan/queries/board_data.ts";
import type { Arguments, Notice } from "./edits.ts";
import { type Host, reasonOf } from "./host.ts";
import { Writes } from "./writes.ts";
import {
  ALL,
  type Card,
  type Cards,
  changesBetween,
  DAY,
  filterCards,
  FILTERS,
  isTask,
  SETTINGS,
  type Settings,
  TASKS,
} from "./model.ts";

const PLAN_POLL_MS = 2_500;

/** The time limit for the host's `tool-input`, which some hosts never send. */
const INPUT_MS = 400;

/** How long the plan is the same before it is read. */
const SETTLE_MS = 300;

/** The pause after which a search is taken for typed, in milliseconds. */
const TYPING_MS = 200;

/** How long a message stays. */
const NOTICE_MS = 12_000;

/** What the server shows of a part of the plan: absent until it has answered. */
interface PlanPart<Data, Shown> {
  readonly version: number;
  data?: Data | undefined;
  viewData?: Shown | undefined;
  error?: string;
  /** When the server has answered. */
  ready?: Promise<void>;
}

/** Which state of the plan an answer is about. */
interface Version {
  readonly stamp: string;
  readonly project: string;
  readonly branch?: string;
}

/** The state; `draw` renders it after every change. {@linkcode Writes} changes the plan. */
export class Board {
  cards: Cards = new Map();
  plan: Omit<PlanData, "cards" | "unchecked"> = {
    next: [],
    statuses: {},
    reviews: {},
    order: [],
    working: [],
    values: {},
    active: [],
  };
  /** Identifies the state of the plan's files; empty until the plan is loaded. */
  stamp = "";
  /** The settings that the user or the host has chosen. */
  chosen: Settings = {};
  /** The history of opened entities; the last one is shown. */
  opened: readonly string[] = [];
  creating = false;
  /** Whether the list of keys is open. */
  listsKeys = false;
  notice: Notice | undefined;
  /** Why the server does not answer; empty if it does. */
  lost = "";
  /** The control that is focused as soon as it is there, as a selector. */
  wanted = "";
  /** What had the focus before the panel was opened. */
  opener: Element | null = null;
  readonly writes: Writes = new Writes(this);
  /** Ids of entities whose text has the words of the search. */
  textMatches: ReadonlySet<string> = new Set();
  /** Unsaved text by entity and field. */
  readonly drafts = new Map<string, { before: string; text: string }>();
  /** The field that is open for editing, by its draft. */
  editing = "";
  /** Unsaved values of the form for a new entity. */
  form: Record<string, string> | undefined;
  /** Descriptions of external changes since the previous read, by id. */
  changed: ReadonlyMap<string, string> = new Map();
  /** The card of each column in the tab order, and how many cards of it are drawn. */
  readonly reached = new Map<string, string>();
  readonly limits = new Map<string, number>();
  /** Whether the filters are unfolded where they have no room. */
  filtering = false;
  /** The last visit, which Today begins at. */
  since = DAY;
  /** The row of Today whose difference is shown. */
  compared = "";
  project = "";
  branch: string | undefined;
  draw: () => void = () => {};

  /** Counts the writes and the changes by others. */
  #version = 0;
  readonly #parts = new Map<string, PlanPart<unknown, unknown>>();
  #defaults: Settings = {};
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
    this.since = this.host.lastVisit ?? DAY;
    // A key or a search may have been quicker.
    const { chosen } = this;
    this.#take(input);
    if (Object.keys(chosen).length > 0) this.choose(chosen);
    this.host.onInput = (args) => this.#take(args);
    await this.#read("cards");
    this.draw();
    setInterval(() => void this.#poll(), PLAN_POLL_MS);
    document.addEventListener("visibilitychange", () => void this.#poll());
  }

  get settings(): Settings {
    return { ...this.#defaults, ...this.chosen };
  }

  /** The open entity. */
  get openId(): string | undefined {
    return this.opened.at(-1);
  }

  get visibleCards(): Card[] {
    return filterCards(this.cards, this.settings, this.textMatches);
  }

  /** What a tool says of a part of the plan; it is asked again when the plan has changed. */
  part<Shown, Data = unknown>(tool: string, args: Arguments): PlanPart<Data, Shown> {
    const name = JSON.stringify([tool, args]);
    const before = this.#parts.get(name) as PlanPart<Data, Shown> | undefined;
    if (before?.version === this.#version) return before;
    const { data, viewData } = before ?? {};
    const part: PlanPart<Data, Shown> = { version: this.#version, data, viewData };
    this.#parts.set(name, part);
    part.ready = this.host.call<Data, Shown>(tool, args).then(
      (answer) => void Object.assign(part, answer),
      (error) => void (part.error = reasonOf(error)),
    ).then(() => this.draw());
    return part;
  }

  /** Reads the plan again after a write, and what is open: its conditions are about that. */
  async reload(): Promise<void> {
    this.#version++;
    await this.#read("cards");
    this.draw();
    // Drawing, in a microtask, asks for it.
    await Promise.resolve();
    await Promise.all([...this.#parts.values()].map(({ ready }) => ready));
  }

  /** Changes what is shown. */
  set(state: Partial<Board>): void {
    Object.assign(this, state);
    this.draw();
  }

  /** Chooses settings; an empty value restores the default. */
  choose(settings: Settings): void {
    for (const name of SETTINGS) {
      const value = settings[name];
      if (value === "") delete this.chosen[name];
      else if (value !== undefined) this.chosen[name] = value;
    }
    if (settings.text) this.#typed();
    else this.#remember();
    this.draw();
  }

  /** Shows all cards. */
  clearFilters(): void {
    const cleared = Object.fromEntries(FILTERS.map((name) => [name, ""]));
    this.choose({ ...cleared, type: ALL, milestone: ALL });
  }

  open(id: string): void {
    if (this.openId !== id || this.creating) this.show([...this.opened, id]);
  }

  /** Shows the last of the opened entities, or the form for a new one. */
  show(opened: readonly string[], creating = false): void {
    const wanted = creating ? "#new-title" : opened.length > 0 ? "#entity-title" : "";
    Object.assign(this, { opened, creating, wanted, editing: "" });
    this.notice = opened.length > 0 || creating ? undefined : this.notice;
    this.#remember();
    this.draw();
  }

  create(): void {
    this.show(this.opened, true);
  }

  /** Closes the panel; the notice and the drafts stay. */
  close = () => this.show([]);

  /** Opens a field for editing. */
  edit(draft: string): void {
    this.set({ editing: draft, wanted: "#entity .open :is(input, textarea)" });
  }

  say(text: string, more: Omit<Notice, "text"> = {}): void {
    const notice = { text, ...more };
    clearTimeout(this.#notices);
    // Errors stay until they are dismissed.
    if (more.bad !== true) {
      this.#notices = setTimeout(() => {
        if (this.notice === notice) this.set({ notice: undefined });
      }, NOTICE_MS);
    }
    this.set({ notice });
  }

  async copy(text: string, name: string): Promise<void> {
    this.say(await this.host.copy(text) ? `${name} was copied.` : text);
  }

  /** Takes over the arguments of the tool that opens the view. */
  #take({ filter }: Record<string, unknown>): void {
    const filters: Record<string, unknown> = { ...Object(filter) };
    this.chosen = {};
    for (const name of SETTINGS) {
      if (filters[name] !== undefined) this.chosen[name] = String(filters[name]);
    }
    // Filters are about the board.
    if (FILTERS.some((name) => name in filters)) this.chosen.tab ??= "board";
    const { open } = filters;
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
    const textMatches = await findInText(this.host, text);
    if (text === (this.chosen.text ?? "")) this.set({ textMatches });
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

  async #read(show: "headers" | "cards"): Promise<void> {
    const answer = await this.host.call<Version, PlanData | undefined>("board", { show });
    const { data, viewData } = answer;
    if (viewData === undefined) throw new Error("The host withholds _meta of the result.");
    const { cards, ...plan } = viewData;
    [this.project, this.branch] = [data.project, data.branch];
    this.host.entitle([data.project, data.branch].filter(Boolean).join(" · "));
    this.cards = new Map(cards.map((card) => [card.id, card]));
    this.plan = plan;
    this.#defaults = {
      tab: "now",
      type: cards.some(isTask) ? TASKS : ALL,
      milestone: plan.active[0] ?? ALL,
    };
    this.stamp = data.stamp;
  }

  async #look(): Promise<Version> {
    return (await this.host.call<Version>("board", {})).data;
  }

  /** Shows changes by others, such as an agent or a second window. */
  async #poll(): Promise<void> {
    if (document.hidden || this.writes.running > 0) return;
    try {
      const { stamp, branch: now } = await this.#look();
      if (this.lost !== "") this.set({ lost: "" });
      // A write that started in the meantime reloads the plan itself.
      if (stamp === this.stamp && now === this.branch || this.writes.running > 0) return;
      // Something may still write, such as git that switches branches: the next poll looks again.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if ((await this.#look()).stamp !== stamp) return;
      const { cards: before, branch } = this;
      await this.reload();
      this.changed = changesBetween(before, this.cards);
      const { size } = this.changed;
      if (this.branch !== branch) {
        const differ = size === 0 ? "" : `: ${size} ${size === 1 ? "differs" : "differ"}`;
        return this.say(`Now on ${this.branch ?? "no branch"}${differ}.`);
      }
      if (size === 0) return this.draw();
      const [change] = this.changed.values();
      const names = new Set([...this.changed.keys()].map((id) => this.cards.get(id)?.assignee));
      const [name] = names.size === 1 ? names : [];
      // Others made these, so Undo does not take them back.
      const text = size === 1
        ? `Changed on disk: ${change}`
        : `${size} changes${name ? ` by ${name}` : ""}`;
      this.say(text, { shows: true });
    } catch (error) {
      // Retried by the next poll.
      this.set({ lost: reasonOf(error) });
    }
  }
}

/** Shorter words are in every text. */
const LEAST_LENGTH = 3;

/** How many hits are asked for. */
const HITS = 200;

/** The ids of the entities with a text, from `plan_list`. */
async function findInText(host: Host, text: string): Promise<ReadonlySet<string>> {
  if (text.trim().length < LEAST_LENGTH) return new Set();
  const answer = await host.call<{ rows: string[][] }>("list", { text, limit: HITS, fields: [] })
    .catch(() => undefined);
  // The first column has the ids.
  return new Set(answer?.data.rows.map(([id]) => id!));
}
