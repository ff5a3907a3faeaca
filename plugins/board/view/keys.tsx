/// <reference lib="dom" />
/** The keys of the board, and their list. */

import { h } from "preact";
import type { Board } from "./board_state.ts";

const KEYS = [
  ["/", "Search titles, IDs and text"],
  ["j k", "Next and previous entity, also with the arrow keys"],
  ["Enter", "Open the entity"],
  ["c", "Copy its ID"],
  ["n", "New entity"],
  ["Ctrl Z", "Undo"],
  ["Escape", "Close the panel"],
  ["?", "This list"],
] as const;

/** What the keys j and k, and the arrow keys, go through. */
const ENTITIES = "main :is(.card, .link)[data-id]";

/** Handles the keys that work everywhere outside of a text. */
export function followKeys(board: Board): void {
  addEventListener("keydown", (event) => {
    if (event.altKey || event.defaultPrevented || board.listsKeys) return;
    const key = event.ctrlKey || event.metaKey ? `Ctrl ${event.key.toLowerCase()}` : event.key;
    const { target } = event;
    const run = actionOf(board, key, target instanceof Element ? target : document.body);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

function actionOf(board: Board, key: string, at: Element): (() => unknown) | undefined {
  const { openId, creating } = board;
  const isInPanel = at.closest("#entity") !== null;
  if (key === "Escape" && isInPanel) return board.close;
  // In a list of choices, letters choose.
  const texts = `input:not([type=checkbox]), textarea${/[/?]/.test(key) ? "" : ", select"}`;
  if (at.matches(texts)) return undefined;
  const card = at.closest<HTMLElement>("main :is(.card, .link)");
  const column = card?.closest(".column");
  const id = at.closest<HTMLElement>("[data-id]")?.dataset["id"] ?? openId;
  const isOpen = openId !== undefined && (isInPanel || at === document.body);
  const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    const goes = !key.startsWith("Arrow") || card !== null || isOpen;
    return goes ? () => stepTo(board, step, card === null ? openId : id) : undefined;
  }
  const actions: Record<string, () => unknown> = {
    "Ctrl z": () => board.writes.undo(),
    "/": () => document.querySelector<HTMLElement>("#search")?.focus(),
    "?": () => board.set({ listsKeys: true }),
    "n": () => board.create(),
  };
  if (openId !== undefined || creating) actions["Escape"] = board.close;
  if (id !== undefined) actions["c"] = () => board.copy(id, id);
  if (column) {
    actions["Home"] = () => column.querySelector<HTMLElement>(".card")?.focus();
    // The column has drawn its last card when it got the key.
    actions["End"] = () => column.querySelector<HTMLElement>("li:last-child .card")?.focus();
    actions["ArrowLeft"] = () => besides(column, -1)?.focus();
    actions["ArrowRight"] = () => besides(column, 1)?.focus();
  }
  return actions[key];
}

/** Goes to the next or previous entity; the panel goes along if it is open. */
function stepTo(board: Board, step: number, from: string | undefined): void {
  const all = [...document.querySelectorAll<HTMLElement>(ENTITIES)]
    .filter((card) => card.checkVisibility());
  const at = all.findIndex((card) => card.dataset["id"] === from);
  const next = all[at < 0 ? 0 : at + step];
  if (next === undefined) return;
  next.scrollIntoView({ block: "nearest" });
  if (board.openId === undefined) next.focus();
  else board.show([...board.opened.slice(0, -1), next.dataset["id"]!]);
}

/** The card in the tab order of the next column with cards. */
function besides(column: Element, step: number): HTMLElement | null {
  const { children } = column.parentElement!;
  const columns = [...children].filter((other) => other.querySelector(".card"));
  const next = columns[columns.indexOf(column) + step];
  return next?.querySelector<HTMLElement>('.card[tabindex="0"]') ?? null;
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/** The list of keys, as a modal dialog, which gives the focus back. */
export function Keys({ board }: { board: Board }) {
  return (
    <dialog
      class="modal box"
      ref={showModal}
      aria-label="Keys"
      closedby="any"
      onClose={() => board.set({ listsKeys: false })}
    >
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button onClick={({ currentTarget }) => currentTarget.closest("dialog")!.close()}>
        Close
      </button>
    </dialog>
  );
}
