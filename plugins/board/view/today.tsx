/// <reference lib="dom" />
/** What has happened since the last visit, by person or agent, with its difference. */

import { h } from "preact";
import type { TodayData } from "../../plan/tools/board.ts";
import type { Board } from "./board_state.ts";
import { DAY } from "./model.ts";
import { Avatar, Count, EntityName, Small } from "./parts.tsx";

/** How many rows of an author are shown before the others are unfolded. */
const FEW_ROWS = 5;

type Row = TodayData["rows"][number];

export function Today({ board }: { board: Board }) {
  const since = board.since;
  const { shown, error } = board.part(
    `today ${since}`,
    async () =>
      (await board.host.ask<TodayData>("board", { show: "today", filter: { since } })).shown,
  );
  const people = [...Map.groupBy(shown?.rows ?? [], ({ by }) => by)];
  return (
    <section class="part" id="today" aria-label="Today">
      <div class="row">
        <h2>Today</h2> {shown && <Count of={shown.total} />}
        <span class="soft grow">
          since {since === DAY ? "yesterday" : new Date(since).toLocaleString()}
        </span>
        {since !== DAY && <Small text="Last 24 hours" onClick={() => board.set({ since: DAY })} />}
      </div>
      {error && <p class="soft">{error}</p>}
      {!shown && !error && <p class="soft" role="status">Reading git…</p>}
      {shown?.total === 0 && <p class="soft">Nothing has changed.</p>}
      {people.map(([by, rows]) => (
        <Person key={by} board={board} by={by} rows={rows} since={since} />
      ))}
    </section>
  );
}

function Person({ board, by, rows, since }: {
  board: Board;
  by: string;
  rows: readonly Row[];
  since: string;
}) {
  const list = rows.map((row) => (
    <TodayRow key={`${row.id} ${row.place}`} board={board} row={row} since={since} />
  ));
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

function TodayRow({ board, row, since }: { board: Board; row: Row; since: string }) {
  const { id, title, text, place, by, isOpen } = row;
  const key = `${by} ${place} ${id}`;
  const isUnfolded = board.compared === key;
  return (
    <li class="today">
      <span class="grow">
        <EntityName board={board} id={id} title={title} />{" "}
        <button
          class="plain"
          aria-expanded={isUnfolded}
          title="Show the difference"
          onClick={() => board.set({ compared: isUnfolded ? "" : key })}
        >
          {text}
        </button>{" "}
        {isOpen && <span class="soft">not committed</span>}{" "}
        {place && <span class="branch soft">{place}</span>}
        {isUnfolded && <Difference board={board} row={row} since={since} />}
      </span>
    </li>
  );
}

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };

function Difference({ board, row: { id, by, place }, since }: {
  board: Board;
  row: Row;
  since: string;
}) {
  const filter = { since, by, ...place && { place } };
  const { shown, error } = board.part(
    `difference ${id} ${by} ${place} ${since}`,
    async () =>
      (await board.host.ask<{ lines: string[] }>("board", {
        show: "difference",
        entity: id,
        filter,
      })).shown,
  );
  if (error) return <p class="blocked">{error}</p>;
  return (
    <pre class="difference" tabIndex={0} aria-label={`The difference of ${id}`}>
      {shown?.lines.map((line, at) => {
        const kind = KINDS[line[0]!];
        return <span key={at} class={kind}>{line + "\n"}</span>;
      })}
    </pre>
  );
}
