/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * A milestone's page: its progress, what is open and why, what was finished when, and the graph of
 * what waits for what.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { type Card, isTask, progressOf, sortStatuses, waitsFor } from "./model.ts";
import { Bar, EntityLink } from "./parts.tsx";

const [WIDTH, HEIGHT, GAP] = [132, 40, 44];

/** How many finished entities are listed. */
const FEW = 12;

export function Milestone({ board, id }: { board: Board; id: string }) {
  const [dates, setDates] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    board.ask<{ lives: { id: string; finished?: string }[] }>("timeline").then(
      ({ lives }) =>
        setDates(new Map(lives.flatMap((life) => life.finished ? [[life.id, life.finished]] : []))),
      () => {},
    );
  }, [board.stamp]);
  const own = [...board.cards.values()].filter((card) => isTask(card) && card.milestone === id);
  const open = own.filter(({ finished }) => !finished);
  const done = own.filter(({ finished }) => finished)
    .sort((a, b) => (dates.get(b.id) ?? "").localeCompare(dates.get(a.id) ?? ""));
  const byReason = Map.groupBy(open, (card) => waitsFor(card).length > 0 ? "waiting" : card.status);
  const reasons = [...sortStatuses([...byReason.keys()].filter((key) => key !== "waiting"))];
  if (byReason.has("waiting")) reasons.push("waiting");
  return (
    <>
      <p class="progress">
        <Bar {...progressOf(board.cards).get(id) ?? { done: 0, all: 0 }} /> finished
      </p>
      {reasons.map((reason) => (
        <section key={reason}>
          <h3>
            {reason === "waiting" ? "Waiting for others" : `Open: ${reason || "no status"}`}{" "}
            <span class="count">{byReason.get(reason)!.length}</span>
          </h3>
          <ul class="entities">
            {byReason.get(reason)!.map((card) => (
              <EntityLink key={card.id} board={board} entity={card} note={noteOf(card)} />
            ))}
          </ul>
        </section>
      ))}
      <Graph board={board} cards={open} name={id} />
      {done.length > 0 && (
        <section>
          <h3>
            Finished <span class="count">{done.length}</span>
          </h3>
          <ul class="entities">
            {done.slice(0, FEW).map((card) => (
              <EntityLink
                key={card.id}
                board={board}
                entity={card}
                date={dates.get(card.id) ?? "no date"}
              />
            ))}
          </ul>
          {done.length > FEW && <p class="soft">and {done.length - FEW} more, on the timeline</p>}
        </section>
      )}
    </>
  );
}

function noteOf(card: Card): string {
  const ids = waitsFor(card);
  return ids.length === 0 ? "" : `waits for ${ids.join(", ")}`;
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
              <button
                key={id}
                class={card?.finished ? "done" : ""}
                data-type={card?.type}
                title={card?.title}
                style={{
                  left: `${x}px`,
                  top: `${y}px`,
                  width: `${WIDTH}px`,
                  height: `${HEIGHT}px`,
                }}
                onClick={() => board.open(id)}
              >
                <span class="id">{id}</span> <span class="soft">{card?.status}</span>
              </button>
            );
          })}
        </div>
      </div>
    </section>
  );
}
