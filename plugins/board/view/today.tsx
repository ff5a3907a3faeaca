/// <reference lib="dom" />
/** What has happened since the last visit, by person or agent, with its difference. */

import { h } from "preact";
import type { TodayData } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Count, Small } from "./controls.tsx";
import { EntityRow } from "./entities.tsx";
import { Avatar } from "./icons.tsx";
import { DAY } from "./model.ts";

/** How many rows of an author are shown before the others are unfolded. */
const FEW_ROWS = 5;

type Row = TodayData["rows"][number];

export function Today({ board }: { board: Board }) {
  const { since } = board;
  const part = board.part<TodayData>("board", { show: "today", filter: { since } });
  const { viewData: today, error } = part;
  const people = [...Map.groupBy(today?.rows ?? [], ({ by }) => by)];
  return (
    <section class="part" id="today" aria-label="Today">
      <div class="row">
        <h2>Today</h2> {today && <Count of={today.total} />}
        <span class="soft grow">
          since {since === DAY ? "yesterday" : new Date(since).toLocaleString()}
        </span>
        {since !== DAY && <Small text="Last 24 hours" onClick={() => board.set({ since: DAY })} />}
      </div>
      {error && <p class="soft">{error}</p>}
      {!today && !error && <p class="soft" role="status">Reading git…</p>}
      {today?.total === 0 && <p class="soft">Nothing has changed.</p>}
      {people.map(([by, rows]) => <Person key={by} board={board} by={by} rows={rows} />)}
    </section>
  );
}

function Person({ board, by, rows }: { board: Board; by: string; rows: readonly Row[] }) {
  const list = rows.map((row) => <TodayRow key={keyOf(row)} board={board} row={row} />);
  return (
    <div class="person">
      <div class="row">
        <Avatar name={by} /> <strong dir="auto">{by || "Not committed, nobody assigned"}</strong>
        <Count of={rows.length} />
      </div>
      <ul class="rows">{list.slice(0, FEW_ROWS)}</ul>
      {list.length > FEW_ROWS && (
        <details>
          <summary>{list.length - FEW_ROWS} more</summary>
          <ul class="rows">{list.slice(FEW_ROWS)}</ul>
        </details>
      )}
    </div>
  );
}

const keyOf = ({ by, place, id }: Row) => `${by} ${place} ${id}`;

function TodayRow({ board, row }: { board: Board; row: Row }) {
  const { id, title, text, place, isOpen } = row;
  const isUnfolded = board.compared === keyOf(row);
  return (
    <EntityRow board={board} id={id} title={title}>
      <button
        class="plain link"
        aria-expanded={isUnfolded}
        title="Show the difference"
        onClick={() => board.set({ compared: isUnfolded ? "" : keyOf(row) })}
      >
        {text}
      </button>{" "}
      {isOpen && <span class="soft">not committed</span>}{" "}
      {place && <span class="branch soft">{place}</span>}
      {isUnfolded && <Difference board={board} row={row} />}
    </EntityRow>
  );
}

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };

function Difference({ board, row: { id, by, place } }: { board: Board; row: Row }) {
  const { viewData: difference, error } = board.part<{ lines: string[] }>("board", {
    show: "difference",
    entity: id,
    filter: { since: board.since, by, place },
  });
  if (error) return <p class="blocked">{error}</p>;
  return (
    <pre class="difference" tabIndex={0} aria-label={`The difference of ${id}`}>
      {difference?.lines.map((line, at) => (
        <span key={at} class={KINDS[line[0]!]}>{line + "\n"}</span>
      ))}
    </pre>
  );
}
