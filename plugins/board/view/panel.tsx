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
  const panel = useRef<HTMLDialogElement>(null);
  // While it renders: its heading takes the focus before its own effect runs.
  const start = useRef(document.activeElement);
  const shown = useRef(board.openId);
  shown.current = board.openId ?? shown.current;
  useLayoutEffect(() => {
    const before = start.current;
    return () => {
      const isInside = panel.current?.contains(document.activeElement) !== false ||
        document.activeElement === document.body;
      const from = before instanceof HTMLElement ? before.dataset["id"] : undefined;
      // Arrow keys may have moved on to another entity.
      const id = from === undefined ? undefined : shown.current ?? from;
      if (!isInside) return;
      setTimeout(() => {
        const same = id === undefined ? before : document.querySelector(
          `.card[data-id="${CSS.escape(id)}"], [data-id="${CSS.escape(id)}"]`,
        );
        if (same instanceof HTMLElement) same.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      id="entity"
      open
      ref={panel}
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
