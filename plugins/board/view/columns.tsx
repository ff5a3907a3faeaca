/// <reference lib="dom" />
/** Cards in columns by status and optionally in lanes. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { Ask } from "./ask.tsx";
import { Avatar, Bar, Count, Elsewhere, nameOf, Open, PriorityIcon, TypeIcon } from "./parts.tsx";
import { type Card, type Column, columnsOf, laneOf, NONE, sortNames } from "./model.ts";

/** How many cards of a column are drawn, and again when they have been scrolled through. */
const STEP = 60;

export function Columns({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const { lanes: by = "", type = "", toggled = "" } = board.settings;
  const columns = columnsOf(board.plan, shown, type, toggled);
  const lanes = Map.groupBy(shown, (card) => laneOf(card, by));
  const unfolded = columns.filter(({ folded }) => !folded).length;
  return (
    <div
      id="board"
      role="region"
      aria-label="Board"
      data-lanes={by}
      style={{
        "--least": `calc(${unfolded} * (var(--column) + 10px) + ${
          columns.length - unfolded
        } * 56px - 10px)`,
        "--template": columns.map(({ folded }) => folded ? "46px" : "minmax(var(--column), 1fr)")
          .join(" "),
      }}
    >
      <div class="columns names">
        {columns.map((column) => <Head key={column.status} board={board} column={column} />)}
      </div>
      {sortNames(lanes.keys()).map((lane) => {
        const byStatus = Map.groupBy(lanes.get(lane)!, ({ status }) => status);
        return (
          <div class="lane" key={lane}>
            {by !== "" && (
              <h2>
                {nameOf(by, lane)} <Count of={lanes.get(lane)!.length} />{" "}
                {by === "milestone" && <Bar of={board.cards.get(lane)?.criteria} />}
              </h2>
            )}
            <div class="columns">
              {columns.map(({ status, folded }) => {
                const own = byStatus.get(status) ?? [];
                const name = lane === "" ? status : `${status}, ${lane}`;
                return (
                  <section
                    key={status}
                    class={`column${folded ? " folded" : ""}`}
                    data-status={status}
                    aria-label={name}
                    {...dropsOn(board, status, lane)}
                  >
                    {own.length > 0 && (folded
                      ? lane !== "" && <Count of={own.length} />
                      : <Stack board={board} cards={own} name={name} />)}
                  </section>
                );
              })}
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** The cards of a column: as many as have been scrolled to. One is in the tab order. */
function Stack({ board, cards, name }: { board: Board; cards: readonly Card[]; name: string }) {
  const { limits, reached, question } = board;
  const limit = limits.get(name) ?? STEP;
  const drawn = cards.slice(0, limit);
  const grow = (to: number) => {
    limits.set(name, to);
    board.draw();
  };
  const kept = drawn.find(({ id }) => id === reached.get(name)) ?? drawn[0];
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
            reached.set(name, card.id);
            board.draw();
          }}
        >
          <CardButton board={board} card={card} tabIndex={card === kept ? 0 : -1} />
          {question?.args.id === card.id && board.openId !== card.id && <Ask board={board} />}
        </li>
      ))}
    </ul>
  );
}

/** A column's header, which folds and unfolds it. */
function Head({ board, column: { status, count, folded } }: { board: Board; column: Column }) {
  const toggles = new Set((board.settings.toggled ?? "").split(",").filter(Boolean));
  const toggle = () => {
    if (!toggles.delete(status)) toggles.add(status);
    board.choose({ toggled: [...toggles].join(",") });
  };
  return (
    <h2 data-status={status} class={folded ? "folded" : ""} {...dropsOn(board, status)}>
      <button aria-expanded={!folded} title={folded ? "Unfold" : "Fold"} onClick={toggle}>
        <span>{status || "no status"}</span> <Count of={count} />
      </button>
    </h2>
  );
}

/** Listeners that set a dropped card's status, and the field of the lane. */
function dropsOn(board: Board, status: string, lane = "") {
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
      const card = board.cards.get(event.dataTransfer?.getData("text/plain") ?? "");
      if (card === undefined) return;
      const { lanes: by = "" } = board.settings;
      if (lane === "" || laneOf(card, by) === lane) return board.writes.move(card.id, { status });
      if (by === "type" || card.type === "milestone") {
        const text = `${card.id} stays where it is: a drop cannot change its ${by}.`;
        return board.say(text, { bad: true });
      }
      return board.writes.move(card.id, { status, [by]: lane === NONE ? "" : lane });
    },
  };
}

function CardButton({ board, card, tabIndex }: { board: Board; card: Card; tabIndex: number }) {
  const { id, type, title, status, priority, milestone, assignee, tags = [], since, age } = card;
  const { waits = [], waitsFor } = card;
  const { milestone: shown, lanes } = board.settings;
  const isOther = milestone && type !== "milestone" && milestone !== shown && lanes !== "milestone";
  return (
    <Open
      board={board}
      id={id}
      class="card"
      data-changed={board.changed.get(id)}
      aria-pressed={board.selected.has(id)}
      aria-current={board.openId === id ? "true" : undefined}
      tabIndex={tabIndex}
      draggable
      onClick={(event) =>
        event.ctrlKey || event.metaKey || event.shiftKey ? board.select(id) : board.open(id)}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", id)}
    >
      <span class="meta row soft">
        <TypeIcon type={type} /> <span class="id">{id}</span>
        <PriorityIcon priority={priority} />
        <span class="grow" />
        {age && <span class="age" title={`${status} since ${since}`}>{age}</span>}
        {assignee && <Avatar name={assignee} />}
      </span>
      <span class="title">{title}</span>
      {(card.criteria || isOther || tags.length > 0) && (
        <span class="meta row soft">
          <Bar of={card.criteria} />
          {isOther && <span>{milestone}</span>}
          {tags.slice(0, 3).map((tag) => <span class="tag" key={tag}>{tag}</span>)}
          {tags.length > 3 && <span title={tags.slice(3).join(", ")}>+{tags.length - 3}</span>}
        </span>
      )}
      {waitsFor && (
        <span class="waits" title={waits.map((step) => step.join(", ")).join(" › ")}>
          waits for {waitsFor}
        </span>
      )}
      <Elsewhere board={board} id={id} />
    </Open>
  );
}
