/// <reference lib="dom" />
/**
 * The plan as a board and as a timeline: reads it, filters it, and looks for changes on disk.
 *
 * @module
 */

import { type Board, load, say, valueOf } from "./board_state.ts";
import { moveFocus, showColumns } from "./columns.ts";
import { byId, options } from "./dom.ts";
import { focusOpened, openEntity, refreshEntity } from "./entity.ts";
import { connect, reasonOf } from "./host.ts";
import { type Card, filterCards, laneOf, NONE, sortNames } from "./model.ts";
import { showTimeline } from "./timeline.ts";

/** How often the plan is looked at for changes on disk, in milliseconds. */
const POLL_MS = 4_000;

/** What the lanes of the board may stand for; empty where there are none. */
const LANES = ["", "milestone", "type"] as const;

const TABS = ["board", "timeline"] as const;

const board: Board = {
  host: await connect("refrakt plan board"),
  cards: new Map(),
  statuses: {},
  stamp: "",
  writing: 0,
  reload: async () => {
    await show("cards");
    await refreshEntity(board);
  },
  open: (id) => openEntity(board, id),
};

for (const id of ["search", "type", "milestone", "lanes", "finished", "blocked"]) {
  byId(id).addEventListener("input", render);
}
for (const name of TABS) byId(`tab-${name}`).addEventListener("click", () => selectTab(name));
byId("tabs").addEventListener("keydown", (event) => {
  if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  event.preventDefault();
  const other = byId("board").hidden ? "board" : "timeline";
  const name = event.key === "Home" ? "board" : event.key === "End" ? "timeline" : other;
  selectTab(name);
  byId(`tab-${name}`).focus();
});
byId("board").addEventListener("keydown", moveFocus);
byId("entity").addEventListener("close", focusOpened);
byId("entity").addEventListener("click", (event) => {
  // A click on the backdrop has the dialog itself as its target.
  if (event.target === byId("entity")) byId<HTMLDialogElement>("entity").close();
});

try {
  await show("headers");
  await board.reload();
} catch (error) {
  say(reasonOf(error), true);
}
setInterval(poll, POLL_MS);

async function show(what: "headers" | "cards"): Promise<void> {
  await load(board, what);
  fillFilters();
  render();
}

/** Shows what was changed on disk meanwhile. */
async function poll(): Promise<void> {
  if (document.hidden || board.writing > 0) return;
  try {
    const { stamp } = await board.host.call<{ stamp: string }>("board", {});
    // A write that began meanwhile shows the plan by itself.
    if (stamp === board.stamp || board.writing > 0) return;
    await board.reload();
    say("The plan was changed on disk.");
  } catch {
    // It is tried again after the next pause.
  }
}

function fillFilters(): void {
  const cards = [...board.cards.values()];
  const choices = (
    names: readonly string[],
  ) => [["", "all"] as const, ...names.map((name) => [name, name] as const)];
  options(byId("type"), choices(sortNames(cards.map(({ type }) => type))));
  options(
    byId("milestone"),
    choices(sortNames(cards.map((card) => laneOf(card, "milestone"))))
      .map(([value, label]) => [value, value === NONE ? "without" : label] as const),
  );
}

function filtered(finished: boolean): Card[] {
  return filterCards(board.cards.values(), {
    words: valueOf("search"),
    type: valueOf("type"),
    milestone: valueOf("milestone"),
    finished,
    blocked: byId("timeline").hidden && byId<HTMLInputElement>("blocked").checked,
  });
}

function render(): void {
  const timeline = !byId("timeline").hidden;
  const shown = filtered(timeline || byId<HTMLInputElement>("finished").checked);
  say(`${shown.length} of ${board.cards.size} entities`);
  if (timeline) void showTimeline(board, shown, valueOf("milestone"));
  else showColumns(board, shown, LANES.find((by) => by === valueOf("lanes")) ?? "");
}

function selectTab(name: typeof TABS[number]): void {
  for (const other of TABS) {
    byId(other).hidden = other !== name;
    byId(`tab-${other}`).setAttribute("aria-selected", String(other === name));
    byId(`tab-${other}`).tabIndex = other === name ? 0 : -1;
  }
  document.documentElement.dataset["tab"] = name;
  render();
}
