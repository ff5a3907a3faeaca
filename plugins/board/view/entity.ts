/// <reference lib="dom" />
/**
 * One entity in a dialog: text, criteria, what it depends on, history.
 *
 * @module
 */

import { byId, h, prose } from "./dom.ts";
import { type Board, moveTo } from "./model.ts";

interface Named {
  id: string;
  title?: string;
  status?: string;
}

interface Entity extends Named {
  type: string;
  attributes?: Record<string, string>;
  criteria?: { n: number; text: string; checked: boolean }[];
  sections?: Record<string, string>;
  dependencies?: Named[];
  dependents?: Named[];
  references?: Named[];
}

interface Commit {
  date: string;
  message: string;
  changes?: { id: string; what?: string }[];
}

/** Headings that are shown in a form of their own. */
const OWN = ["acceptance criteria", "dependencies", "references"];

/** Opens an entity; focus returns to where it was when the dialog is closed. */
export async function openEntity(board: Board, id: string): Promise<void> {
  const dialog = byId<HTMLDialogElement>("entity");
  try {
    const entity = await board.host.call("get", { id }) as unknown as Entity;
    dialog.replaceChildren(...contentOf(board, entity));
    if (!dialog.open) dialog.showModal();
    void showHistory(board, id);
  } catch (error) {
    board.say((error as Error).message, true);
  }
}

function contentOf(board: Board, entity: Entity): (Node | string)[] {
  const { id, attributes = {}, criteria = [], sections = {} } = entity;
  const status = h("select", { id: "status" });
  const known = [...new Set([entity.status ?? "", ...board.statusesOf(entity.type)])];
  status.append(
    ...known.map((name) => h("option", { value: name, selected: name === entity.status }, name)),
  );
  status.addEventListener("change", async () => {
    if (!await moveTo(board, id, status.value)) complain(byId("message").textContent ?? "");
    else await openEntity(board, id);
  });
  return [
    h(
      "div",
      { class: "head" },
      h("h2", { id: "entity-title" }, `${id}: ${entity.title ?? ""}`),
      h("button", { onclick: () => byId<HTMLDialogElement>("entity").close() }, "Close"),
    ),
    h("label", {}, "Status ", status),
    h("p", { id: "entity-message", role: "alert", class: "blocked" }),
    h("p", {}, Object.entries(attributes).map(([name, value]) => `${name}: ${value}`).join(" · ")),
    criteria.length > 0 && h(
      "section",
      {},
      h("h3", {}, "Acceptance criteria"),
      h(
        "ul",
        { class: "criteria" },
        ...criteria.map((one) => h("li", {}, criterion(board, id, one))),
      ),
    ),
    ...links(board, "Depends on", entity.dependencies),
    ...links(board, "Needed by", entity.dependents),
    ...links(board, "Refers to", entity.references),
    ...Object.entries(sections).filter(([name]) => !OWN.includes(name.toLowerCase())).map((
      [name, text],
    ) => h("section", {}, name !== "description" && h("h3", {}, name), prose(text))),
    h("section", { id: "history", "aria-live": "polite" }),
  ].filter((part): part is HTMLElement => !!part);
}

function criterion(
  board: Board,
  id: string,
  { text, checked }: { text: string; checked: boolean },
): HTMLElement {
  const box = h("input", { type: "checkbox", checked });
  box.addEventListener("change", async () => {
    try {
      await board.host.call("update", { id, [box.checked ? "check" : "uncheck"]: text });
      await board.reload();
      board.say(`${id}: ${box.checked ? "ticked" : "unticked"} "${text}"`);
    } catch (error) {
      box.checked = !box.checked;
      complain((error as Error).message);
    }
  });
  return h("label", {}, box, h("span", {}, text));
}

function complain(text: string): void {
  byId("entity-message").textContent = text;
}

function links(board: Board, title: string, entities: readonly Named[] = []): HTMLElement[] {
  if (entities.length === 0) return [];
  return [h(
    "section",
    {},
    h("h3", {}, title),
    h(
      "div",
      { class: "links" },
      ...entities.map(({ id, title, status }) =>
        h(
          "button",
          { onclick: () => void board.open(id), title: title ?? "" },
          `${id} (${status ?? "?"})`,
        )
      ),
    ),
  )];
}

async function showHistory(board: Board, id: string): Promise<void> {
  try {
    const answer = await board.host.call("history", { id, limit: 20 });
    const lines =
      ((answer["commits"] ?? answer["events"] ?? []) as (Commit & Record<string, unknown>)[])
        .map(({ date, message, changes }) => {
          const what = changes?.map((change) => change.what ?? "").filter(Boolean).join(", ");
          return h("li", {}, `${date.slice(0, 10)} ${message}${what ? ` (${what})` : ""}`);
        });
    if (lines.length > 0) {
      byId("history").replaceChildren(h("h3", {}, "History"), h("ul", {}, ...lines));
    }
  } catch {
    // Without git there is no history, and nothing to say about it.
  }
}
