/// <reference lib="dom" />
/** The panel beside the board: not modal, so that the board stays usable. */

import { type ComponentChildren, h } from "preact";
import type { Board } from "./board_state.ts";

export function Panel({ board, isWide, title, children }: {
  board: Board;
  isWide?: boolean;
  title: ComponentChildren;
  children: ComponentChildren;
}) {
  const { openId, opened, creating } = board;
  const before = creating ? undefined : opened.at(-2);
  return (
    <dialog
      id="entity"
      open
      data-id={openId}
      class={isWide ? "wide" : ""}
      aria-labelledby="entity-title"
    >
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
