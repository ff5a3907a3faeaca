/// <reference lib="dom" />
/** The panel beside the board, and the last notice. */

import { type ComponentChildren, h } from "preact";
import type { Board } from "./board_state.ts";

export function Panel({ board, title, children }: {
  board: Board;
  title: ComponentChildren;
  children: ComponentChildren;
}) {
  const { openId, opened, creating } = board;
  const before = creating ? undefined : opened.at(-2);
  return (
    <dialog id="entity" open data-id={openId} aria-labelledby="entity-title">
      <div class="head">
        <h2 id="entity-title" tabIndex={-1} data-type={board.cards.get(openId ?? "")?.type}>
          {title}
        </h2>
        <div class="buttons row">
          {before && (
            <button onClick={() => board.show(opened.slice(0, -1))}>Back to {before}</button>
          )}
          <button onClick={board.close}>Close</button>
        </div>
      </div>
      {children}
    </dialog>
  );
}

/** The last notice, with an undo button; a live region for screen readers. */
export function Notices({ board }: { board: Board }) {
  const { text = "", bad = false, undoable = false, shows = false } = board.notice ?? {};
  const dismiss = () => board.set({ notice: undefined });
  const show = () => {
    dismiss();
    board.choose({ tab: "now" });
  };
  return (
    <div class={`notice row${text && " box"}${bad ? " bad" : ""}`}>
      <p id="notice" role="status">{text}</p>
      {shows && <button onClick={show}>Show</button>}
      {undoable && <button onClick={() => board.writes.undo()}>Undo</button>}
      {text && <button class="plain" aria-label="Dismiss" onClick={dismiss}>×</button>}
    </div>
  );
}
