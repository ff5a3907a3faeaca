/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The keys of the board, and their list.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Board } from "./board_state.ts";

const KEYS = [
  ["/", "Search titles, IDs and text"],
  ["Ctrl K", "Find an entity or run a command"],
  ["j k", "Next and previous entity, also with the arrow keys"],
  ["Enter", "Open the entity"],
  ["m", "Move it to another status"],
  ["e", "Edit its title"],
  ["c", "Copy its ID"],
  ["x", "Select it, also with Ctrl and a click"],
  ["n", "New entity"],
  ["Ctrl Z", "Undo"],
  ["Escape", "Close the panel"],
  ["?", "This list"],
] as const;

/** Handles the keys that work everywhere outside of a text. */
export function followKeys(board: Board): void {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && key.toLowerCase() === "k") {
      event.preventDefault();
      return board.show("commands");
    }
    // In a list of choices, letters choose.
    const typed = key === "/" || key === "?" ? "" : ", select";
    const isText = target instanceof Element &&
      target.matches(`input:not([type=checkbox]), textarea${typed}`);
    if (isText || event.altKey || event.defaultPrevented || board.dialog !== "") return;
    if (isControl) {
      if (key !== "z") return;
      event.preventDefault();
      return void board.undo();
    }
    const run = actionOf(board, key);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

function actionOf(board: Board, key: string): (() => unknown) | undefined {
  const id = document.activeElement?.closest<HTMLElement>("[data-id]")?.dataset["id"] ??
    board.openId;
  const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    const isArrow = key.startsWith("Arrow");
    const isInPanel = document.activeElement?.closest("#entity") !== null ||
      document.activeElement === document.body;
    if (isArrow && !(isInPanel && board.openId !== undefined)) return undefined;
    return () => stepTo(board, step);
  }
  // The panel focuses the control once it has read the entity.
  const edit = (selector: string) => () => {
    board.wanted = selector;
    if (board.openId === id) board.draw();
    else board.open(id!);
  };
  const actions: Readonly<Record<string, () => unknown>> = {
    "/": () => document.querySelector<HTMLElement>("#search")?.focus(),
    "?": () => board.show("keys"),
    "n": () => board.create(),
    ...board.openId !== undefined || board.creating ? { Escape: board.close } : {},
    ...board.selected.size > 0 ? { Escape: () => board.clearSelection() } : {},
    ...id === undefined ? {} : {
      c: () => board.copy(id, id),
      x: () => board.select(id),
      e: edit('[aria-label="Edit title"]'),
      m: edit("#status"),
    },
  };
  return actions[key];
}

/** Goes to the next or previous card: in the panel if it is open, else by the focus. */
function stepTo(board: Board, step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(".card, .offer .title, .flight .title")];
  const now = board.openId ??
    document.activeElement?.closest<HTMLElement>("[data-id]")?.dataset["id"];
  const at = all.findIndex((one) => one.dataset["id"] === now);
  const next = all[at < 0 ? 0 : at + step];
  if (next === undefined) return;
  next.scrollIntoView({ block: "nearest" });
  if (board.openId === undefined) next.focus();
  else board.openInstead(next.dataset["id"]!);
}

export function Keys({ board }: { board: Board }) {
  return (
    <Modal board={board} label="Keys">
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button onClick={() => board.show("")}>Close</button>
    </Modal>
  );
}

/** A modal dialog in the middle. */
export function Modal({ board, label, children }: {
  board: Board;
  label: string;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current!.showModal();
    // Gives the focus back.
    return () => current!.close();
  }, []);
  return (
    <dialog
      class="modal box"
      ref={dialog}
      aria-label={label}
      closedby="any"
      onClose={({ currentTarget }) => currentTarget.isConnected && board.show("")}
    >
      {children}
    </dialog>
  );
}
