/// <reference lib="dom" />
/**
 * One entity in a dialog: text, criteria, what it depends on, history.
 *
 * @module
 */

import { ask, type Board, change, moveTo, say, statusesOf } from "./board_state.ts";
import { byId, h } from "./dom.ts";
import { showHistory } from "./entity_history.ts";
import { reasonOf } from "./host.ts";
import { chainOf } from "./model.ts";
import { showLine, showText, type TextTree } from "./text.ts";

interface Named {
  id: string;
  title?: string;
  status?: string;
}

interface Entity extends Named {
  attributes?: Record<string, string>;
  criteria?: Criterion[];
  dependencies?: Named[];
  dependents?: Named[];
  references?: Named[];
  mentionedBy?: Named[];
  implementedBy?: Named[];
  byStatus?: { key: string; count: number }[];
}

interface Criterion {
  text: string;
  checked: boolean;
}

/** What is asked for of an entity; its text comes as a tree. */
const FIELDS = [
  "attributes",
  "criteria",
  "dependencies",
  "dependents",
  "references",
  "mentionedBy",
  "implementedBy",
  "byStatus",
];

/** The entities that were opened one from another; the last one is shown. */
const opened: string[] = [];

/** Opens an entity in the dialog. */
export async function openEntity(board: Board, id: string): Promise<void> {
  const dialog = byId<HTMLDialogElement>("entity");
  if (!dialog.open) opened.length = 0;
  if (opened.at(-1) !== id) opened.push(id);
  if (!await show(board, id)) {
    opened.pop();
    return;
  }
  dialog.scrollTop = 0;
  if (!dialog.open) dialog.showModal();
  byId("entity-title").focus();
}

/** Gives focus back to what was opened first, where its element was made anew meanwhile. */
export function focusOpened(): void {
  const { activeElement: active, body } = document;
  if (active !== body && !byId("entity").contains(active)) return;
  document.querySelector<HTMLElement>(`[data-id="${CSS.escape(opened[0] ?? "")}"]`)?.focus();
}

/** Shows the open entity as it is now; focus stays on what it is on. */
export async function refreshEntity(board: Board): Promise<void> {
  const id = opened.at(-1);
  if (!byId<HTMLDialogElement>("entity").open || id === undefined) return;
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement ? active.dataset["key"] : undefined;
  const said = byId("entity-message");
  const { textContent: text, className } = said;
  await show(board, id);
  byId("entity-message").textContent = text;
  byId("entity-message").className = className;
  if (focused !== undefined) {
    const same = `[data-key="${CSS.escape(focused)}"]`;
    (byId("entity").querySelector<HTMLElement>(same) ?? byId("entity-title")).focus();
  }
}

async function show(board: Board, id: string): Promise<boolean> {
  try {
    const [entity, { text }] = await Promise.all([
      board.host.call<Entity>("get", { id, fields: FIELDS }),
      ask<{ text: TextTree[] }>(board, id),
    ]);
    const history = h("section", { "aria-label": "History" });
    byId("entity").replaceChildren(...contentOf(board, entity, text), history);
    void showHistory(board, id, history);
    return true;
  } catch (error) {
    say(reasonOf(error), true);
    return false;
  }
}

function contentOf(board: Board, entity: Entity, text: readonly TextTree[]): HTMLElement[] {
  const { id, attributes = {}, criteria = [] } = entity;
  const facts = Object.entries(attributes).filter(([name]) =>
    !["id", "name", "status"].includes(name)
  );
  const actions = {
    open: (other: string) => void board.open(other),
    visit: (url: string) => void board.host.visit(url),
  };
  return [
    head(board, entity),
    h("p", { id: "entity-message", role: "status" }),
    h(
      "div",
      { class: "facts" },
      h("label", {}, "Status ", statusSelect(board, entity)),
      h("span", { class: "fact" }, h("span", {}, "type "), typeOf(board, id)),
      ...facts.map(([name, value]) =>
        h("span", { class: "fact" }, h("span", {}, `${name} `), value)
      ),
    ),
    ...chain(board, id),
    criteria.length > 0 && h(
      "section",
      {},
      h(
        "h3",
        {},
        "Acceptance criteria ",
        h(
          "span",
          { class: "count" },
          `${criteria.filter(({ checked }) => checked).length} of ${criteria.length}`,
        ),
      ),
      h("ul", { class: "criteria" }, ...criteria.map((one) => h("li", {}, box(board, id, one)))),
    ),
    text.length > 0 && h("section", { class: "prose" }, ...showText(text, actions)),
    ...counts(entity.byStatus),
    ...links(board, "Depends on", entity.dependencies),
    ...links(board, "Needed by", entity.dependents),
    ...links(board, "Implemented by", entity.implementedBy),
    ...links(board, "Refers to", entity.references),
    ...links(board, "Mentioned by", entity.mentionedBy),
  ].filter((part): part is HTMLElement => !!part);
}

function typeOf({ cards }: Board, id: string): string {
  return cards.get(id)?.type ?? "";
}

function head(board: Board, { id, title }: Entity): HTMLElement {
  const before = opened.at(-2);
  return h(
    "div",
    { class: "head" },
    h(
      "h2",
      { id: "entity-title", "data-key": "title", tabindex: -1, "data-type": typeOf(board, id) },
      h("span", { class: "id" }, id),
      title ?? "",
    ),
    h(
      "div",
      { class: "buttons" },
      before !== undefined && h("button", {
        "data-key": "back",
        onclick: () => {
          opened.length -= 2;
          void board.open(before);
        },
      }, `Back to ${before}`),
      h("button", {
        "data-key": "close",
        onclick: () => byId<HTMLDialogElement>("entity").close(),
      }, "Close"),
    ),
  );
}

function statusSelect(board: Board, { id, status = "" }: Entity): HTMLElement {
  const type = typeOf(board, id);
  const select = h(
    "select",
    { id: "status", "data-key": "status" },
    ...statusesOf(board, { type, status }).map((value) =>
      h("option", { value, selected: value === status }, value)
    ),
  );
  select.addEventListener("change", async () => {
    if (!await moveTo(board, id, select.value)) select.value = status;
  });
  return select;
}

/** What an entity waits for, and what that waits for. */
function chain(board: Board, id: string): HTMLElement[] {
  const ids = chainOf(board.cards, id);
  if (ids.length === 0) return [];
  const parts = ids.flatMap((other, at) => [
    at === 0 ? "" : " › ",
    h("button", {
      class: "ref",
      "data-key": `chain ${other}`,
      onclick: () => void board.open(other),
    }, other),
  ]);
  return [h("p", { class: "blocked" }, "Waits for ", ...parts)];
}

function box(board: Board, id: string, { text, checked }: Criterion): HTMLElement {
  const input = h("input", { type: "checkbox", checked, "data-key": `criterion ${text}` });
  input.addEventListener("change", async () => {
    const ticked = input.checked;
    const went = await change(
      board,
      { id, [ticked ? "check" : "uncheck"]: text },
      `${id}: ${ticked ? "ticked" : "unticked"} "${text}"`,
      `"${text}" was not ${ticked ? "ticked" : "unticked"}.`,
    );
    if (!went) input.checked = !ticked;
  });
  return h("label", {}, input, h("span", {}, ...showLine(text)));
}

function links(board: Board, title: string, entities: readonly Named[] = []): HTMLElement[] {
  if (entities.length === 0) return [];
  return [h(
    "section",
    {},
    h("h3", {}, title, " ", h("span", { class: "count" }, String(entities.length))),
    h(
      "ul",
      { class: "entities" },
      ...entities.map(({ id, title, status }) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              "data-key": `link ${id}`,
              disabled: status === "missing",
              onclick: () => void board.open(id),
            },
            h("span", { class: "id" }, id),
            " ",
            title ?? "",
            " ",
            h("span", { class: "badge" }, status ?? "?"),
          ),
        )
      ),
    ),
  )];
}

/** How many entities of a milestone have which status. */
function counts(byStatus: Entity["byStatus"] = []): HTMLElement[] {
  if (byStatus.length === 0) return [];
  return [h(
    "section",
    {},
    h("h3", {}, "Its entities"),
    h("p", {}, byStatus.map(({ key, count }) => `${count} ${key}`).join(" · ")),
  )];
}
