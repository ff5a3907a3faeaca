/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The cards in columns by status, in lanes where they are wanted, and the keys that lead from
 * card to card.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Bar, UNNAMED } from "./parts.tsx";
import {
  type Card,
  chainOf,
  type Column,
  laneOf,
  type Progress,
  progressOf,
  sortNames,
  waitingFor,
} from "./model.ts";

/** How many columns beyond the right edge are named. */
const NAMED = 4;

/** What the columns show. */
export interface ColumnsProps {
  /** The board. */
  readonly board: Board;
  /** The cards that the filters show, in order. */
  readonly shown: readonly Card[];
  /** The columns. */
  readonly columns: readonly Column[];
}

/** How a card belongs to the chain of the card under the pointer or the focus. */
type Chain = "before" | "after" | "this" | undefined;

/** The columns; those beyond the right edge are named in a hint. */
export function Columns({ board, shown, columns }: ColumnsProps) {
  const panel = useRef<HTMLDivElement>(null);
  const roving = useRef(new Map<string, string>());
  const focused = useRef<Element | null>(null);
  const [chain, setChain] = useState<ReadonlyMap<string, Chain>>(new Map());
  const [beyond, setBeyond] = useState("");
  const by = board.settings.lanes ?? "";
  const lanes = Map.groupBy(shown, (card) => laneOf(card, by));
  if (lanes.size === 0) lanes.set("", []);
  const unfolded = new Set(columns.filter(({ folded }) => !folded).map(({ status }) => status));
  // Lanes whose cards are all in folded columns stand last.
  const isQuiet = (lane: string) =>
    Number(!lanes.get(lane)!.some(({ status }) => unfolded.has(status)));
  const names = sortNames(lanes.keys()).sort((a, b) => isQuiet(a) - isQuiet(b));
  const progress = progressOf(board.cards);

  const measure = () => {
    const element = panel.current!;
    const right = element.getBoundingClientRect().right;
    const hidden = [...element.querySelectorAll<HTMLElement>(".names [data-status]")]
      .filter((head) => head.getBoundingClientRect().left > right - 40)
      .map((head) => head.dataset["status"]!);
    const named = hidden.slice(0, NAMED).join(", ");
    const more = hidden.length - NAMED;
    setBeyond(more > 0 ? `${named} and ${more} more` : named);
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(panel.current!);
    // On a narrow screen, what is not ready yet would hide the work.
    const first = panel.current!.querySelector<HTMLElement>(".names h2:not(.folded)");
    if (innerWidth < 560 && first) panel.current!.scrollLeft = first.offsetLeft - 10;
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(measure);
  // A card that moved to another column is a new element: the focus follows it.
  useLayoutEffect(() => {
    const before = focused.current;
    if (before === null || before.isConnected || document.activeElement !== document.body) return;
    const id = before.getAttribute("data-id") ?? "";
    panel.current!.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true });
  });

  const mark = (id?: string) => setChain(id === undefined ? new Map() : chainAround(board, id));
  const card = (one: Card, column: string, first: boolean) => (
    <li key={one.id}>
      <CardButton
        board={board}
        card={one}
        chain={chain.get(one.id)}
        reached={first}
        progress={one.type === "milestone" ? progress.get(one.id) : ticksOf(one)}
        mark={(id) => {
          if (id !== undefined && document.activeElement?.getAttribute("data-id") === id) {
            roving.current.set(column, id);
            focused.current = document.activeElement;
          }
          mark(id);
        }}
      />
    </li>
  );
  return (
    <>
      <div
        id="board"
        ref={panel}
        role="region"
        aria-label="Board"
        data-lanes={by}
        style={{
          "--least": `calc(${unfolded.size} * (var(--column) + 10px) + ${
            columns.length - unfolded.size
          } * 56px - 10px)`,
          "--template": columns.map(({ folded }) => folded ? "46px" : "minmax(var(--column), 1fr)")
            .join(" "),
        }}
        onScroll={measure}
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
                  {lane === "none" ? UNNAMED[by] : lane}{" "}
                  <span class="count">{lanes.get(lane)!.length}</span> {done && <Bar {...done} />}
                </h2>
              )}
              <div class="columns">
                {columns.map(({ status, folded }) => {
                  const own = folded ? [] : byStatus.get(status) ?? [];
                  const key = `${status}, ${lane}`;
                  const kept = roving.current.get(key);
                  const reached = own.some(({ id }) => id === kept) ? kept : own[0]?.id;
                  return (
                    <Drop key={status} board={board} status={status} lane={lane} folded={folded}>
                      {own.length > 0
                        ? (
                          <ul>{own.map((one) => card(one, key, one.id === reached))}</ul>
                        )
                        : folded && lane !== "" && byStatus.has(status)
                        ? <span class="count">{byStatus.get(status)!.length}</span>
                        : null}
                    </Drop>
                  );
                })}
              </div>
            </div>
          );
        })}
      </div>
      {beyond !== "" && (
        <button
          class="beyond"
          onClick={() => panel.current!.scrollBy({ left: panel.current!.clientWidth * 0.8 })}
        >
          More: {beyond} →
        </button>
      )}
    </>
  );
}

/** The name of a column, and whether it is folded. */
function Head({ board, column: { status, count, folded } }: { board: Board; column: Column }) {
  const { over, handlers } = useDrop(board, status);
  const toggles = new Set((board.settings.toggled ?? "").split(",").filter(Boolean));
  const toggle = () => {
    if (!toggles.delete(status)) toggles.add(status);
    board.choose({ toggled: [...toggles].join(",") });
  };
  return (
    <h2
      data-status={status}
      class={`${folded ? "folded" : ""}${over ? " over" : ""}`}
      {...handlers}
    >
      <button
        aria-expanded={!folded}
        title={folded ? `Show ${status}` : `Fold ${status}`}
        onClick={toggle}
      >
        <span>{status}</span> <span class="count">{count}</span>
      </button>
    </h2>
  );
}

/** Whether a card is dragged over an element, and the listeners that move it to a status. */
function useDrop(board: Board, status: string) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const id = event.dataTransfer?.getData("text/plain") ?? "";
      if (board.cards.has(id)) void board.move(id, status);
    },
  };
  return { over, handlers };
}

interface DropProps {
  board: Board;
  status: string;
  lane: string;
  folded: boolean;
  children: ComponentChildren;
}

/** The place of a column's cards; a card that is dropped on it gets its status. */
function Drop({ board, status, lane, folded, children }: DropProps) {
  const { over, handlers } = useDrop(board, status);
  return (
    <section
      class={`column${over ? " over" : ""}${folded ? " folded" : ""}`}
      data-status={status}
      aria-label={lane === "" ? status : `${status}, ${lane}`}
      {...handlers}
    >
      {children}
    </section>
  );
}

interface CardProps {
  board: Board;
  card: Card;
  chain: Chain;
  reached: boolean;
  progress: Progress | undefined;
  mark(id?: string): void;
}

function CardButton({ board, card, chain, reached, progress, mark }: CardProps) {
  const { id, type, title, priority, milestone, assignee, elsewhere = [] } = card;
  const waitsFor = chainOf(board.cards, id);
  const { milestone: shown, lanes } = board.settings;
  const isOther = type !== "milestone" && milestone !== shown && lanes !== "milestone";
  const facts = [
    priority && <span key="priority" class="priority" data-priority={priority}>{priority}</span>,
    isOther && <span key="milestone">{milestone}</span>,
    progress && progress.all > 0 && <Bar key="progress" {...progress} />,
  ].flatMap((part) => part ? [" ", part] : []);
  return (
    <button
      class="card"
      data-id={id}
      data-type={type}
      data-chain={chain}
      data-changed={board.changed.get(id)}
      tabIndex={reached ? 0 : -1}
      draggable
      onClick={() => board.open(id)}
      onFocus={() => mark(id)}
      onBlur={() => mark()}
      onMouseEnter={() => mark(id)}
      onMouseLeave={() => mark()}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", id)}
    >
      <span class="title">{title}</span>
      <span class="meta">
        <span class="id">{id}</span>
        {facts}
      </span>
      {assignee && <span class="assignee">@{assignee}</span>}
      {waitsFor.length > 0 && <span class="blocked">waits for {shortChain(waitsFor)}</span>}
      {elsewhere.map((state) => <span class="elsewhere" key={state}>{state}</span>)}
    </button>
  );
}

/** How many criteria of a card are ticked. */
function ticksOf({ criteria: [done, all] = [0, 0] }: Card): Progress {
  return { done, all };
}

/** A chain of three; the entity itself shows the whole. */
function shortChain(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).join(" › ");
  return ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown;
}

/** What an entity waits for and what waits for it. */
function chainAround({ cards }: Board, id: string): Map<string, Chain> {
  const before = chainOf(cards, id).map((other) => [other, "before"] as const);
  const after = waitingFor(cards, id).map((other) => [other, "after"] as const);
  const around = new Map<string, Chain>([...before, ...after]);
  return around.size === 0 ? around : around.set(id, "this");
}

/** Arrow keys lead from card to card, Home and End to the ends of a column. */
function moveFocus(event: KeyboardEvent): void {
  const at = event.target instanceof Element ? event.target.closest<HTMLElement>(".card") : null;
  const next = at === null ? undefined : nextCard(at, event.key);
  if (next === undefined || next === null) return;
  event.preventDefault();
  next.focus();
}

function nextCard(at: HTMLElement, key: string): HTMLElement | undefined | null {
  const column = at.closest(".column")!;
  const cards = [...column.querySelectorAll<HTMLElement>(".card")];
  // The cards of this status in all lanes.
  const status = CSS.escape(column.getAttribute("data-status")!);
  const all = [...column.closest("#board")!.querySelectorAll<HTMLElement>(
    `.column[data-status="${status}"] .card`,
  )];
  switch (key) {
    case "ArrowDown":
      return all[all.indexOf(at) + 1];
    case "ArrowUp":
      return all[all.indexOf(at) - 1];
    case "Home":
      return cards[0];
    case "End":
      return cards.at(-1);
    case "ArrowRight":
    case "ArrowLeft": {
      const columns = [...column.parentElement!.children]
        .filter((other) => other === column || other.querySelector(".card") !== null);
      const side = columns[columns.indexOf(column) + (key === "ArrowRight" ? 1 : -1)];
      return side?.querySelector<HTMLElement>('.card[tabindex="0"]');
    }
  }
  return undefined;
}
