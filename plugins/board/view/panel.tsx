/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The panel beside the board: not modal, so that the board stays usable.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Board } from "./board_state.ts";

/** Closing it restores the focus. */
export function Panel({ board, isWide, children }: {
  board: Board;
  isWide: boolean;
  children: ComponentChildren;
}) {
  // While it renders: its heading takes the focus before its own effect runs.
  const from = useRef(document.activeElement);
  const last = useRef("");
  last.current = board.openId ?? last.current;
  useLayoutEffect(() => () =>
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      // Arrow keys may have moved on to another entity.
      const card = document.querySelector(`main [data-id="${CSS.escape(last.current)}"]`);
      const target = card ?? from.current;
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    }), []);
  return (
    <dialog
      id="entity"
      open
      class={isWide ? "wide" : ""}
      aria-labelledby="entity-title"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        board.close();
      }}
    >
      {children}
    </dialog>
  );
}

export function PanelHead({ board, children }: { board: Board; children: ComponentChildren }) {
  const before = board.creating ? undefined : board.opened.at(-2);
  return (
    <div class="head">
      {children}
      <div class="buttons row">
        {before !== undefined && <button onClick={() => board.back()}>Back to {before}</button>}
        <button onClick={() => board.close()}>Close</button>
      </div>
    </div>
  );
}
