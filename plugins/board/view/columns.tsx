/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Cards in columns by status and optionally in lanes, with keyboard navigation.
 *
 * @module
 */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Ask } from "./ask.tsx";
import { Avatar, Bar, ElsewhereLines, nameOf, PriorityIcon, TypeIcon } from "./parts.tsx";
import {
  ageText,
  type Card,
  chainOf,
  type Column,
  laneOf,
  NONE,
  progressOf,
  sortNames,
} from "./model.ts";

/** How many cards of a column are drawn, and again when they have been scrolled through. */
const STEP = 60;

interface ColumnsProps {
  readonly board: Board;
  readonly shown: readonly Card[];
  readonly columns: readonly Column[];
}

export function Columns({ board, shown, columns }: ColumnsProps) {
  const panel = useRef<HTMLDivElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  // The card of each column in the tab order (roving tabindex).
  const [reached, setReached] = useState<ReadonlyMap<string, string>>(new Map());
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map());
  const by = board.settings.lanes ?? "";
  const lanes = Map.groupBy(shown, (card) => laneOf(card, by));
  const unfolded = columns.filter(({ folded }) => !folded).map(({ status }) => status);
  const names = sortNames(lanes.keys());
  const progress = progressOf(board.cards);

  useLayoutEffect(() => {
    // A card that changed its column is a new element and needs the focus again.
    const before = focused.current;
    if (!before || before.isConnected || document.activeElement !== document.body) return;
    const same = `[data-id="${CSS.escape(before.dataset["id"]!)}"]`;
    panel.current!.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
  });

  const cardsOf = (all: readonly Card[], key: string) => {
    const limit = limits.get(key) ?? STEP;
    const cards = all.slice(0, limit);
    const grow = (to: number) => limit < all.length && setLimits(new Map(limits).set(key, to));
    const kept = cards.find(({ id }) => id === reached.get(key)) ?? cards[0];
    return (
      <ul
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          scrollTop + 2 * clientHeight > scrollHeight && grow(limit + STEP)}
        onKeyDown={({ key }) => key === "End" && grow(all.length)}
      >
        {cards.map((card) => (
          <li key={card.id}>
            <CardButton
              board={board}
              card={card}
              isReached={card === kept}
              progress={card.type === "milestone" ? progress.get(card.id) : ticksOf(card)}
              onFocus={(element) => {
                focused.current = element;
                setReached(new Map(reached).set(key, card.id));
              }}
            />
            {board.question?.edit.id === card.id && board.openId !== card.id && (
              <Ask board={board} />
            )}
          </li>
        ))}
      </ul>
    );
  };
  return (
    <div
      id="board"
      ref={panel}
      role="region"
      aria-label="Board"
      data-lanes={by}
      style={{
        "--least": `calc(${unfolded.length} * (var(--column) + 10px) + ${
          columns.length - unfolded.length
        } * 56px - 10px)`,
        "--template": columns.map(({ folded }) => folded ? "46px" : "minmax(var(--column), 1fr)")
          .join(" "),
      }}
      onKeyDown={moveFocus}
    >
      <div class="columns names">
        {columns.map((column) => <Head key={column.status} board={board} column={column} />)}
      </div>
      {names.map((lane) => {
        const byStatus = Map.groupBy(lanes.get(lane)!, ({ status }) => status);
        const done = by === "milestone" ? progress.get(lane) : undefined;
        return (
          <div class="lane" key={lane}>
            {by !== "" && (
              <h2>
                {nameOf(by, lane)} <span class="count">{lanes.get(lane)!.length}</span>{" "}
                {done && <Bar {...done} />}
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
                    {own.length > 0 && !folded && cardsOf(own, name)}
                    {own.length > 0 && folded && lane !== "" && (
                      <span class="count">{own.length}</span>
                    )}
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
        <span>{status}</span> <span class="count">{count}</span>
      </button>
    </h2>
  );
}

/** Listeners that set a dropped card's status, and the field of the lane. */
function dropsOn(board: Board, status: string, lane = "") {
  const mark = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof Element) {
      event.currentTarget.toggleAttribute("data-over", isOver);
    }
  };
  return {
    onDragOver: mark(true),
    onDragLeave: mark(false),
    onDrop: (event: DragEvent) => {
      mark(false)(event);
      const card = board.cards.get(event.dataTransfer?.getData("text/plain") ?? "");
      if (card === undefined) return;
      const by = board.settings.lanes ?? "";
      if (lane === "" || laneOf(card, by) === lane) return void board.move(card.id, status);
      if (by === "type" || card.type === "milestone") {
        return board.say(`${card.id} stays where it is: a drop cannot change its ${by}.`, {
          bad: true,
        });
      }
      void board.move(card.id, status, { [by]: lane === NONE ? "" : lane });
    },
  };
}

interface CardProps {
  board: Board;
  card: Card;
  isReached: boolean;
  progress: { done: number; all: number } | undefined;
  onFocus(element: HTMLElement): void;
}

function CardButton({ board, card, isReached, progress, onFocus }: CardProps) {
  const { id, type, title, priority, milestone, assignee, tags = [], since } = card;
  const { milestone: shown, lanes } = board.settings;
  const isOther = type !== "milestone" && milestone !== shown && lanes !== "milestone";
  const age = card.finished ? "" : ageText(since);
  return (
    <button
      class="card"
      data-id={id}
      data-type={type}
      data-changed={board.changed.get(id)}
      aria-pressed={board.selected.has(id)}
      aria-current={board.openId === id ? "true" : undefined}
      tabIndex={isReached ? 0 : -1}
      draggable
      onClick={(event) =>
        event.ctrlKey || event.metaKey || event.shiftKey ? board.select(id) : board.open(id)}
      onFocus={({ currentTarget }) => onFocus(currentTarget)}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", id)}
    >
      <span class="meta row soft">
        <TypeIcon type={type} /> <span class="id">{id}</span>
        {priority && <PriorityIcon priority={priority} />}
        <span class="grow" />
        {age && <span class="age" title={`${card.status} since ${since}`}>{age}</span>}
        {assignee && <Avatar name={assignee} />}
      </span>
      <span class="title">{title}</span>
      {(progress && progress.all > 0 || isOther && milestone || tags.length > 0) && (
        <span class="meta row soft">
          {progress && progress.all > 0 && <Bar {...progress} />}
          {isOther && milestone && <span>{milestone}</span>}
          {tags.slice(0, 3).map((tag) => <span class="tag" key={tag}>{tag}</span>)}
          {tags.length > 3 && <span title={tags.slice(3).join(", ")}>+{tags.length - 3}</span>}
        </span>
      )}
      <WaitsFor board={board} id={id} />
      <ElsewhereLines states={card.elsewhere} />
    </button>
  );
}

/** A badge with what a card waits for, directly and then indirectly. */
function WaitsFor({ board, id }: { board: Board; id: string }) {
  const [first = [], ...further] = chainOf(board.cards, id);
  if (first.length === 0) return null;
  const more = first.length > 2 ? ` and ${first.length - 2} more` : "";
  const chain = first.length === 1 && further[0]?.length === 1 ? ` › ${further[0][0]}` : "";
  return (
    <span class="waits" title={[first, ...further].map((step) => step.join(", ")).join(" › ")}>
      waits for {first.slice(0, 2).join(", ")}
      {more}
      {chain}
    </span>
  );
}

function ticksOf({ criteria: [done, all] = [0, 0] }: Card) {
  return { done, all };
}

/** Arrow keys move between cards, Home and End to the ends of a column. */
function moveFocus(event: KeyboardEvent): void {
  const at = event.target instanceof Element ? event.target.closest<HTMLElement>(".card") : null;
  if (at === null || !/^(Home|End|Arrow)/.test(event.key)) return;
  event.preventDefault();
  // The last one may not have been drawn yet.
  setTimeout(() => nextCard(at, event.key)?.focus());
}

function nextCard(at: HTMLElement, key: string): HTMLElement | null | undefined {
  const column = at.closest(".column")!;
  if (key === "Home") return column.querySelector<HTMLElement>(".card");
  if (key === "End") return column.querySelector<HTMLElement>("li:last-child .card");
  const step = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  if (key === "ArrowDown" || key === "ArrowUp") {
    // Cards with this status in all lanes.
    const status = CSS.escape(column.getAttribute("data-status")!);
    const all = [...document.querySelectorAll<HTMLElement>(`[data-status="${status}"] .card`)];
    return all[all.indexOf(at) + step];
  }
  const columns = [...column.parentElement!.children].filter((one) => one.querySelector(".card"));
  const side = columns[columns.indexOf(column) + step];
  return side?.querySelector<HTMLElement>('.card[tabindex="0"]');
}
