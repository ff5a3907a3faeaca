/// <reference lib="dom" />
/**
 * The cards in columns by status and in lanes, and the keys that lead from card to card.
 *
 * @module
 */

import { type Board, moveTo } from "./board_state.ts";
import { byId, h } from "./dom.ts";
import { type Card, chainOf, laneOf, sortNames, sortStatuses, waitingFor } from "./model.ts";

/** The elements of cards that did not change are used again. */
let known = new Map<string, { of: string; element: HTMLElement }>();

/** Shows cards in the lanes of one of their attributes; focus and scrolling stay. */
export function showColumns(
  board: Board,
  cards: readonly Card[],
  by: "" | "milestone" | "type",
): void {
  const panel = byId("board");
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement && panel.contains(active)
    ? active.dataset["id"]
    : undefined;
  const scrolled = new Map(
    [...panel.querySelectorAll<HTMLElement>(".column")].map((column) => [
      column.getAttribute("aria-label"),
      column.querySelector("ul")!.scrollTop,
    ]),
  );
  const { scrollLeft, scrollTop } = panel;
  const elements: typeof known = new Map();
  const statuses = sortStatuses(cards.map(({ status }) => status));
  const lanes = Map.groupBy(cards, (card) => laneOf(card, by));
  const counts = Map.groupBy(cards, ({ status }) => status);
  panel.style.setProperty("--columns", String(statuses.length));
  panel.dataset["lanes"] = by;
  panel.replaceChildren(
    // In lanes the statuses are named once, and each column says its own to screen readers.
    ...(by === "" || cards.length === 0 ? [] : [h(
      "div",
      { class: "columns names", "aria-hidden": "true" },
      ...statuses.map((status) =>
        h("div", {}, status, h("span", { class: "count" }, String(counts.get(status)!.length)))
      ),
    )]),
    ...sortNames(lanes.keys()).map((lane) => {
      const inLane = lanes.get(lane)!;
      const byStatus = Map.groupBy(inLane, ({ status }) => status);
      return h(
        "div",
        { class: "lane" },
        by !== "" && h("h2", {}, lane, " ", h("span", { class: "count" }, String(inLane.length))),
        h(
          "div",
          { class: "columns" },
          ...statuses.map((status) =>
            column(
              board,
              status,
              lane,
              (byStatus.get(status) ?? []).map((card) =>
                h("li", {}, cardElement(board, card, elements))
              ),
            )
          ),
        ),
      );
    }),
  );
  known = elements;
  if (cards.length === 0) panel.append(h("p", { class: "empty" }, "No entity is like that."));
  for (const column of panel.querySelectorAll<HTMLElement>(".column")) {
    const list = column.querySelector("ul")!;
    const top = scrolled.get(column.getAttribute("aria-label")) ?? 0;
    if (top > 0) list.scrollTop = top;
    const own = [...list.querySelectorAll<HTMLElement>(".card")];
    // One card of each column is reached by Tab.
    if (!own.some((card) => card.tabIndex === 0)) own[0]?.setAttribute("tabindex", "0");
    else for (const card of own.filter((card) => card.tabIndex === 0).slice(1)) card.tabIndex = -1;
  }
  panel.scrollTo(scrollLeft, scrollTop);
  if (focused !== undefined) elements.get(focused)?.element.focus({ preventScroll: true });
}

function column(
  board: Board,
  status: string,
  lane: string,
  items: readonly HTMLElement[],
): HTMLElement {
  const element = h(
    "section",
    {
      class: "column",
      "data-status": status,
      "aria-label": `${status}${lane === "" ? "" : `, ${lane}`}`,
    },
    h(
      lane === "" ? "h2" : "h3",
      {},
      status,
      " ",
      h("span", { class: "count" }, String(items.length)),
    ),
    h("ul", {}, ...items),
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
    if (board.cards.has(id)) void moveTo(board, id, status);
  });
  return element;
}

function cardElement(board: Board, card: Card, made: typeof known): HTMLElement {
  const waitsFor = chainOf(board.cards, card.id);
  const of = JSON.stringify([card, waitsFor]);
  const same = known.get(card.id);
  const element = same?.of === of ? same.element : newCard(board, card, waitsFor);
  made.set(card.id, { of, element });
  return element;
}

function newCard(board: Board, card: Card, waitsFor: readonly string[]): HTMLElement {
  const { id, type, title, priority, milestone, assignee, criteria } = card;
  const [ticked, all] = criteria ?? [0, 0];
  const element = h(
    "button",
    {
      class: "card",
      "data-id": id,
      "data-type": type,
      tabindex: -1,
      draggable: "true",
      onclick: () => void board.open(id),
      onfocus: () => markChain(board, id),
      onblur: () => markChain(board),
      onmouseenter: () => markChain(board, id),
      onmouseleave: () => markChain(board),
    },
    h("span", { class: "title" }, title),
    h(
      "span",
      { class: "meta" },
      h("span", { class: "id" }, id),
      ...[
        priority && h("span", { class: "priority", "data-priority": priority }, priority),
        type !== "milestone" && milestone,
        assignee && `@${assignee}`,
        all > 0 &&
        h("span", { class: "ticks", style: `--part: ${ticked / all}` }, `${ticked}/${all}`),
      ].flatMap((part) => part ? [" · ", part] : []),
    ),
    waitsFor.length > 0 && h("span", { class: "blocked" }, `waits for ${shortChain(waitsFor)}`),
  );
  element.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", id));
  return element;
}

/** A chain of three; a longer one is all in the dialog. */
function shortChain(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).join(" › ");
  return ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown;
}

/** Marks what an entity waits for and what waits for it. */
function markChain(board: Board, id?: string): void {
  for (const { element } of known.values()) {
    if (element.dataset["chain"] !== undefined) delete element.dataset["chain"];
  }
  if (id === undefined) return;
  const before = chainOf(board.cards, id);
  const after = waitingFor(board.cards, id);
  if (before.length + after.length === 0) return;
  for (const [ids, mark] of [[before, "before"], [after, "after"], [[id], "this"]] as const) {
    for (const one of ids) {
      const element = known.get(one)?.element;
      if (element !== undefined) element.dataset["chain"] = mark;
    }
  }
}

/** Arrow keys lead from card to card, Home and End to the ends of a column. */
export function moveFocus(event: KeyboardEvent): void {
  if (!(event.target instanceof Element)) return;
  const at = event.target.closest<HTMLElement>(".card");
  if (at === null) return;
  const next = nextCard(at, event.key);
  if (next === undefined || next === null) return;
  event.preventDefault();
  for (const card of next.closest(".column")!.querySelectorAll<HTMLElement>(".card")) {
    if (card.tabIndex === 0) card.tabIndex = -1;
  }
  next.tabIndex = 0;
  next.focus();
}

function nextCard(at: HTMLElement, key: string): HTMLElement | undefined | null {
  const column = at.closest(".column")!;
  const cards = [...column.querySelectorAll<HTMLElement>(".card")];
  switch (key) {
    case "ArrowDown":
      return cards[cards.indexOf(at) + 1] ?? besideIn(column.closest(".lane"), 1, column);
    case "ArrowUp":
      return cards[cards.indexOf(at) - 1] ?? besideIn(column.closest(".lane"), -1, column);
    case "Home":
      return cards[0];
    case "End":
      return cards.at(-1);
    case "ArrowRight":
    case "ArrowLeft": {
      const columns = [...column.parentElement!.children]
        .filter((other) => other === column || other.querySelector(".card") !== null);
      const side = columns[columns.indexOf(column) + (key === "ArrowRight" ? 1 : -1)];
      return side?.querySelector<HTMLElement>('.card[tabindex="0"]') ??
        side?.querySelector<HTMLElement>(".card");
    }
  }
  return undefined;
}

/** The nearest card of the same status in the lanes above or below. */
function besideIn(lane: Element | null, step: 1 | -1, column: Element): HTMLElement | undefined {
  const status = CSS.escape(column.getAttribute("data-status")!);
  for (
    let other = lane;
    other !== null;
    other = step === 1 ? other.nextElementSibling : other.previousElementSibling
  ) {
    if (other === lane) continue;
    const cards = other.querySelectorAll<HTMLElement>(`[data-status="${status}"] .card`);
    if (cards.length > 0) return step === 1 ? cards[0] : cards[cards.length - 1];
  }
  return undefined;
}
