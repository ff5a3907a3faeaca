/// <reference lib="dom" />
/**
 * A milestone's page: its progress, what is open and why, what was finished when, and the graph of
 * what waits for what.
 */

import { Fragment, h } from "preact";
import type { MilestonePage } from "../../plan/queries/milestone_page.ts";
import type { Board } from "./board_state.ts";
import { Bar, EntityList, Open } from "./parts.tsx";

const [WIDTH, HEIGHT, GAP] = [132, 40, 44];

interface MilestoneProps {
  board: Board;
  id: string;
  page: MilestonePage;
}

export function Milestone({ board, id, page }: MilestoneProps) {
  return (
    <>
      <p class="progress">
        <Bar of={board.cards.get(id)?.criteria} /> finished
      </p>
      {page.lists.map((list) => <EntityList key={list.title} board={board} {...list} />)}
      {page.edges.length > 0 && <Graph board={board} id={id} page={page} />}
    </>
  );
}

/** What waits for what, from left to right. */
function Graph({ board, id, page: { levels, edges } }: MilestoneProps) {
  const placeOf = (id: string) => {
    const column = levels.findIndex((ids) => ids.includes(id));
    return { x: column * (WIDTH + GAP), y: levels[column]!.indexOf(id) * (HEIGHT + 10) };
  };
  const width = levels.length * (WIDTH + GAP) - GAP;
  const height = Math.max(...levels.map(({ length }) => length)) * (HEIGHT + 10);
  return (
    <section>
      <h3>Dependencies</h3>
      <div class="graph" tabIndex={0} role="region" aria-label={`Dependencies of ${id}`}>
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
          {levels.flat().map((id) => {
            const { x, y } = placeOf(id);
            const card = board.cards.get(id);
            return (
              <Open
                key={id}
                board={board}
                id={id}
                class=""
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
