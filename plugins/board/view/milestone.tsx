/// <reference lib="dom" />
/**
 * A milestone's page: its progress, what is open and why, what was finished when, and the graph of
 * what waits for what.
 *
 * @module
 */

import { Fragment, h } from "preact";
import type { Board } from "./board_state.ts";
import { type Card, isTask, sortStatuses, waitsFor } from "./model.ts";
import { Bar, EntityList, Open } from "./parts.tsx";

const [WIDTH, HEIGHT, GAP] = [132, 40, 44];

/** How many finished entities are listed. */
const FEW = 12;

/** The reason that is not a status. */
const WAITING = "waiting";

export function Milestone({ board, id }: { board: Board; id: string }) {
  const { cards } = board;
  const own = [...cards.values()].filter((card) => isTask(card) && card.milestone === id);
  const byReason = Map.groupBy(
    own,
    (card) => card.finished ? "" : card.waits === undefined ? card.status || "no status" : WAITING,
  );
  const dateOf = (id: string) => cards.get(id)?.since ?? "no date";
  const done = (byReason.get("") ?? []).sort((a, b) => dateOf(a.id) < dateOf(b.id) ? 1 : -1);
  const open = own.filter(({ finished }) => !finished);
  return (
    <>
      <p class="progress">
        <Bar of={cards.get(id)?.criteria} /> finished
      </p>
      {[...sortStatuses(byReason.keys()).filter((one) => one && one !== WAITING), WAITING].map((
        reason,
      ) => (
        <EntityList
          key={reason}
          board={board}
          title={reason === WAITING ? "Waiting for others" : `Open: ${reason}`}
          entities={byReason.get(reason) ?? []}
          noteOf={(id) => {
            const ids = waitsFor(cards.get(id)!);
            return ids.length === 0 ? "" : `waits for ${ids.join(", ")}`;
          }}
        />
      ))}
      <Graph board={board} cards={open} name={id} />
      <EntityList board={board} title="Finished" entities={done.slice(0, FEW)} dateOf={dateOf} />
      {done.length > FEW && <p class="soft">and {done.length - FEW} more, on the timeline</p>}
    </>
  );
}

/** What waits for what, from left to right. */
function Graph({ board, cards, name }: { board: Board; cards: readonly Card[]; name: string }) {
  const edges = cards.flatMap((card) => waitsFor(card).map((from) => [from, card.id] as const));
  if (edges.length === 0) return null;
  const ids = [...new Set(edges.flat())];
  const depth = new Map<string, number>();
  const depthOf = (id: string, above: readonly string[]): number => {
    const known = depth.get(id);
    if (known !== undefined || above.includes(id)) return known ?? 0;
    const before = edges.filter(([, to]) => to === id).map(([from]) => from);
    const own = Math.max(-1, ...before.map((one) => depthOf(one, [...above, id]))) + 1;
    depth.set(id, own);
    return own;
  };
  const byDepth = Map.groupBy(ids, (id) => depthOf(id, []));
  const placeOf = (id: string) => {
    const column = depth.get(id) ?? 0;
    return { x: column * (WIDTH + GAP), y: byDepth.get(column)!.indexOf(id) * (HEIGHT + 10) };
  };
  const width = byDepth.size * (WIDTH + GAP) - GAP;
  const height = Math.max(...[...byDepth.values()].map(({ length }) => length)) * (HEIGHT + 10);
  return (
    <section>
      <h3>Dependencies</h3>
      <div class="graph" tabIndex={0} role="region" aria-label={`Dependencies of ${name}`}>
        <div style={{ width: `${width}px`, height: `${height}px` }}>
          <svg width={width} height={height} aria-hidden="true">
            {edges.map(([from, to]) => {
              const [a, b] = [placeOf(from), placeOf(to)];
              const [x, y] = [a.x + WIDTH, a.y + HEIGHT / 2];
              const [left, top] = [b.x, b.y + HEIGHT / 2];
              const mid = (x + left) / 2;
              return (
                <path
                  key={`${from} ${to}`}
                  d={`M${x},${y}C${mid},${y} ${mid},${top} ${left},${top}`}
                />
              );
            })}
          </svg>
          {ids.map((id) => {
            const { x, y } = placeOf(id);
            const card = board.cards.get(id);
            return (
              <Open
                key={id}
                board={board}
                id={id}
                class={card?.finished ? "done" : ""}
                title={card?.title}
                style={{
                  left: `${x}px`,
                  top: `${y}px`,
                  width: `${WIDTH}px`,
                  height: `${HEIGHT}px`,
                }}
              >
                <span class="id">{id}</span> <span class="soft">{card?.status}</span>
              </Open>
            );
          })}
        </div>
      </div>
    </section>
  );
}
