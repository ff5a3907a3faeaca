/// <reference lib="dom" />
/**
 * The plan as a board: columns by status, lanes on request, a card opens its entity.
 *
 * @module
 */

import { byId, h } from "./dom.ts";
import { openEntity } from "./entity.ts";
import { connect } from "./host.ts";
import { type Board, moveTo, type Row } from "./model.ts";
import { showTimeline } from "./timeline.ts";

/** How many rows are asked for at once: an answer has at most 30,000 characters. */
const PAGE = 120;

/** How often the plan is looked at for changes on disk, in milliseconds. */
const POLL_MS = 4_000;

/** Columns from left to right; a status that is not here stands before the finished ones. */
const ORDER = [
  "draft",
  "proposed",
  "pending",
  "reported",
  "review",
  "planning",
  "confirmed",
  "ready",
  "accepted",
  "active",
  "blocked",
  "in-progress",
];
const FINISHED = [
  "implemented",
  "done",
  "fixed",
  "complete",
  "wontfix",
  "duplicate",
  "superseded",
  "deprecated",
];

const rows = new Map<string, Row>();
let stamp = "";
let current: string | null = null;

const host = await connect("refrakt plan board");
const board: Board = {
  host,
  rows,
  statusesOf: (type) =>
    sorted([
      ...new Set([...rows.values()].filter((row) => row.type === type).map((row) => row.status)),
    ]),
  say: (text, bad = false) => {
    const message = byId("message");
    message.textContent = text;
    message.classList.toggle("bad", bad);
  },
  reload: async () => {
    await load();
    render();
  },
  open: (id) => openEntity(board, id),
};

for (const id of ["search", "type", "milestone", "lanes", "finished"]) {
  byId(id).addEventListener("input", render);
}
for (const name of ["board", "timeline"]) {
  byId(`tab-${name}`).addEventListener("click", () => selectTab(name));
}
byId("tab-board").parentElement!.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  selectTab(byId("board").hidden ? "board" : "timeline");
  byId(byId("board").hidden ? "tab-timeline" : "tab-board").focus();
});
byId("board").addEventListener("keydown", moveFocus);

try {
  await board.reload();
} catch (error) {
  board.say((error as Error).message, true);
}
setInterval(poll, POLL_MS);

async function load(): Promise<void> {
  const found = new Map<string, Row>();
  let cursor: string | undefined;
  stamp = String((await host.call("board", {}))["stamp"] ?? "");
  do {
    const page = await host.call("list", {
      fields: ["type", "milestone", "priority", "blockedBy", "criteria"],
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const row of page["items"] as Row[]) found.set(row.id, row);
    cursor = page["nextCursor"] as string | undefined;
  } while (cursor !== undefined);
  rows.clear();
  for (const [id, row] of found) rows.set(id, row);
  fill("type", [...new Set([...rows.values()].map((row) => row.type))].sort());
  fill(
    "milestone",
    [...new Set([...rows.values()].map((row) => row.milestone ?? ""))].filter(Boolean).sort(),
  );
}

/** Shows what was changed on disk meanwhile. */
async function poll(): Promise<void> {
  if (document.hidden) return;
  try {
    const { stamp: now } = await host.call("board", {});
    if (now === stamp) return;
    await board.reload();
    board.say("The plan was changed on disk.");
  } catch {
    // The next look may go well again.
  }
}

function fill(id: string, values: readonly string[]): void {
  const select = byId<HTMLSelectElement>(id);
  const chosen = select.value;
  select.replaceChildren(
    h("option", { value: "" }, "all"),
    ...values.map((value) => h("option", { value }, value)),
  );
  select.value = values.includes(chosen) ? chosen : "";
}

function shownRows(): Row[] {
  const words = byId<HTMLInputElement>("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const type = byId<HTMLSelectElement>("type").value;
  const milestone = byId<HTMLSelectElement>("milestone").value;
  const finished = byId<HTMLInputElement>("finished").checked;
  return [...rows.values()].filter((row) => {
    const text = `${row.id} ${row.title}`.toLowerCase();
    return (type === "" || row.type === type) &&
      (milestone === "" || row.milestone === milestone) &&
      (finished || !FINISHED.includes(row.status)) &&
      words.every((word) => text.includes(word));
  });
}

function render(): void {
  const shown = shownRows();
  const statuses = sorted([...new Set(shown.map((row) => row.status))]);
  const by = byId<HTMLSelectElement>("lanes").value as "" | "milestone" | "type";
  const lanes = by === "" ? [""] : [...new Set(shown.map((row) => row[by] ?? "none"))].sort();
  byId("board").replaceChildren(
    ...lanes.map((lane) => {
      const cards = by === "" ? shown : shown.filter((row) => (row[by] ?? "none") === lane);
      return h(
        "div",
        { class: "lane" },
        by !== "" && h("h2", {}, lane, " ", h("span", { class: "count" }, String(cards.length))),
        h("div", { class: "columns" }, ...statuses.map((status) => column(status, cards, lane))),
      );
    }),
  );
  const first = byId("board").querySelector<HTMLElement>(".card");
  (card(current) ?? first)?.setAttribute("tabindex", "0");
  board.say(`${shown.length} of ${rows.size} entities`);
  if (!byId("timeline").hidden) void showTimeline(board);
}

function column(status: string, cards: readonly Row[], lane: string): HTMLElement {
  const mine = cards.filter((row) => row.status === status);
  const element = h(
    "section",
    {
      class: "column",
      "data-status": status,
      "aria-label": `${status}${lane === "" ? "" : `, ${lane}`}`,
    },
    h("h3", {}, status, " ", h("span", { class: "count" }, String(mine.length))),
    h("ul", {}, ...mine.map((row) => h("li", {}, cardOf(row)))),
  );
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("over");
    const id = event.dataTransfer?.getData("text/plain") ?? "";
    if (rows.has(id)) void moveTo(board, id, status);
  });
  return element;
}

function cardOf(row: Row): HTMLElement {
  const blocked = row.blockedBy ?? [];
  const { criteria } = row;
  const button = h(
    "button",
    {
      class: "card",
      "data-id": row.id,
      tabindex: -1,
      draggable: "true",
      onclick: () => void board.open(row.id),
    },
    row.title,
    h(
      "small",
      {},
      [row.id, row.priority, criteria].filter(Boolean).join(
        " · ",
      ),
    ),
    blocked.length > 0 &&
      h("small", { class: "blocked" }, `waits for ${blocked.join(", ")}`),
  );
  button.addEventListener(
    "dragstart",
    (event) => event.dataTransfer?.setData("text/plain", row.id),
  );
  // What an entity waits for, and what waits for that, is marked together.
  button.addEventListener("focus", () => markChain(row.id));
  button.addEventListener("mouseenter", () => markChain(row.id));
  return button;
}

function markChain(id: string): void {
  const chain = new Set<string>();
  const follow = (next: string) => {
    if (chain.has(next)) return;
    chain.add(next);
    for (const other of rows.get(next)?.blockedBy ?? []) follow(other);
  };
  follow(id);
  for (const element of byId("board").querySelectorAll<HTMLElement>(".card")) {
    element.classList.toggle("chain", chain.size > 1 && chain.has(element.dataset["id"]!));
  }
}

function card(id: string | null): HTMLElement | null {
  return id === null ? null : byId("board").querySelector(`.card[data-id="${CSS.escape(id)}"]`);
}

/** Arrow keys go from card to card; one card at a time is in the tab order. */
function moveFocus(event: KeyboardEvent): void {
  const at = (event.target as HTMLElement).closest<HTMLElement>(".card");
  if (at === null) return;
  const column = at.closest(".column")!;
  const cards = [...column.querySelectorAll<HTMLElement>(".card")];
  const columns = [...byId("board").querySelectorAll(".column")]
    .filter((other) => other === column || other.querySelector(".card") !== null);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const side = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = step !== undefined
    ? cards[cards.indexOf(at) + step]
    : side !== undefined
    ? columns[columns.indexOf(column) + side]?.querySelector<HTMLElement>(".card")
    : undefined;
  if (next === undefined || next === null) return;
  event.preventDefault();
  at.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  current = next.dataset["id"]!;
}

function selectTab(name: string): void {
  for (const other of ["board", "timeline"]) {
    byId(other).hidden = other !== name;
    byId(`tab-${other}`).setAttribute("aria-selected", String(other === name));
    byId(`tab-${other}`).setAttribute("tabindex", other === name ? "0" : "-1");
  }
  if (name === "timeline") void showTimeline(board);
}

function sorted(statuses: string[]): string[] {
  const place = (status: string) => {
    const end = FINISHED.indexOf(status);
    if (end >= 0) return 100 + end;
    const at = ORDER.indexOf(status);
    return at >= 0 ? at : 50;
  };
  return statuses.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}
