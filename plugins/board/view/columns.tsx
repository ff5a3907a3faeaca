/// <reference lib="dom" />
/** Cards in columns by status. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { Count } from "./controls.tsx";
import { CardButton } from "./entities.tsx";
import { type Card, type Column, columnsOf } from "./model.ts";

/** How many cards of a column are drawn, and again when they have been scrolled through. */
const STEP = 60;

export function Columns({ board, cards }: { board: Board; cards: readonly Card[] }) {
  const { type = "", toggled = "" } = board.settings;
  const columns = columnsOf(board.plan, cards, type, toggled);
  return (
    <div
      id="board"
      role="region"
      aria-label="Board"
      style={{
        "--template": columns.map(({ folded }) => folded ? "46px" : "minmax(var(--column), 1fr)")
          .join(" "),
      }}
    >
      {columns.map((column) => (
        <section
          key={column.status}
          class={`column${column.folded ? " folded" : ""}`}
          data-status={column.status}
          aria-label={column.status}
          {...dropsOn(board, column.status)}
        >
          <Top board={board} column={column} />
          {!column.folded && column.cards.length > 0 && <Stack board={board} column={column} />}
        </section>
      ))}
    </div>
  );
}

/** A column's header, which folds and unfolds it. */
function Top({ board, column: { status, cards, folded } }: { board: Board; column: Column }) {
  const toggles = new Set((board.settings.toggled ?? "").split(",").filter(Boolean));
  const toggle = () => {
    if (!toggles.delete(status)) toggles.add(status);
    board.choose({ toggled: [...toggles].join(",") });
  };
  return (
    <h2>
      <button aria-expanded={!folded} title={folded ? "Unfold" : "Fold"} onClick={toggle}>
        <span>{status || "no status"}</span> <Count of={cards.length} />
      </button>
    </h2>
  );
}

/** The cards of a column: as many as have been scrolled to. One is in the tab order. */
function Stack({ board, column: { status, cards } }: { board: Board; column: Column }) {
  const { limits, reached, settings } = board;
  const limit = limits.get(status) ?? STEP;
  const drawn = cards.slice(0, limit);
  const grow = (to: number) => {
    limits.set(status, to);
    board.draw();
  };
  const inOrder = drawn.find(({ id }) => id === reached.get(status)) ?? drawn[0];
  return (
    <ul
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        limit < cards.length && scrollTop + 2 * clientHeight > scrollHeight && grow(limit + STEP)}
      onKeyDown={({ key }) => key === "End" && grow(cards.length)}
    >
      {drawn.map((card) => (
        <li
          key={card.id}
          onFocusIn={() => {
            reached.set(status, card.id);
            board.draw();
          }}
        >
          <CardButton
            board={board}
            id={card.id}
            hides={settings.milestone}
            tabIndex={card === inOrder ? 0 : -1}
            draggable
            onDragStart={(event) => event.dataTransfer?.setData("text/plain", card.id)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Listeners that set the status of a dropped card. */
function dropsOn(board: Board, status: string) {
  const mark = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    const { currentTarget: column } = event;
    if (column instanceof Element) column.toggleAttribute("data-over", isOver);
  };
  return {
    onDragOver: mark(true),
    onDragLeave: mark(false),
    onDrop: (event: DragEvent) => {
      mark(false)(event);
      const id = event.dataTransfer?.getData("text/plain") ?? "";
      if (board.cards.has(id)) void board.writes.move(id, status);
    },
  };
}
