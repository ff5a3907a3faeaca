/// <reference lib="dom" />
/**
 * Finished entities by month and milestone, and the burn-up of the active milestones.
 *
 * @module
 */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { ALL, type Card, isTask, laneOf, sortNames } from "./model.ts";
import { Count, EntityList, nameOf } from "./parts.tsx";

const [WIDTH, HEIGHT] = [560, 120];

export function Timeline({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const all = [...board.cards.values()];
  const last = all.flatMap(({ created, since }) => since ?? created ?? []).sort().at(-1);
  const dated = shown.filter(({ finished, since }) => finished && since)
    .sort((a, b) => a.since! < b.since! ? 1 : -1);
  const months = Map.groupBy(dated, ({ since }) => since!.slice(0, 7));
  return (
    <div id="timeline" role="region" aria-label="Timeline" tabIndex={0}>
      {board.plan.notes.map((note) => <p class="blocked" key={note}>{note}</p>)}
      <div class="charts">
        {chartsOf(board, all.filter(isTask)).map(([name, cards]) => (
          <Chart key={name} name={name} cards={cards} days={burnUp(cards, last)} />
        ))}
      </div>
      {[...months].map(([month, cards]) => (
        <section class="month" key={month}>
          <h2>
            {monthOf(month)} <Count of={`${cards.length} finished`} />
          </h2>
          {sortNames(cards.map((card) => laneOf(card, "milestone"))).map((milestone) => (
            <EntityList
              key={milestone}
              board={board}
              title={nameOf("milestone", milestone)}
              entities={cards.filter((card) => laneOf(card, "milestone") === milestone)}
              dateOf={(id) => board.cards.get(id)!.since!}
            />
          ))}
        </section>
      ))}
      {dated.length === 0 && <p class="empty">No finished entities in the git history.</p>}
    </div>
  );
}

/** A month such as 2026-03 in words. */
function monthOf(month: string): string {
  return new Date(`${month}-15`).toLocaleDateString("en", { month: "long", year: "numeric" });
}

/** The chosen milestone, else the active ones, else the whole plan, with their work. */
function chartsOf({ plan, settings }: Board, work: Card[]): [name: string, cards: Card[]][] {
  const { milestone = ALL } = settings;
  const names = milestone === ALL ? sortNames(plan.active) : [milestone];
  const charts = names.map((name): [string, Card[]] => [
    name,
    work.filter((card) => laneOf(card, "milestone") === name),
  ]).filter(([, cards]) => cards.length > 0);
  return charts.length > 0 ? charts : [["The plan", work]];
}

function Chart({ name, cards, days }: { name: string; cards: readonly Card[]; days: Day[] }) {
  const { all, finished } = days.at(-1) ?? { all: cards.length, finished: 0 };
  const [from, to] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const caption = `${finished} of ${all} done`;
  const scope = stepsOf(days, (day) => day.all);
  const done = stepsOf(days, (day) => day.finished);
  return (
    <figure class="box">
      <figcaption class="row">
        <strong>{name}</strong> <Count of={caption} />
      </figcaption>
      {days.length === 0 ? <p class="empty">Not in the git history yet.</p> : (
        <svg
          viewBox={`-4 -6 ${WIDTH + 8} ${HEIGHT + 28}`}
          role="img"
          aria-label={`Burn-up of ${name}: ${caption}, ${from} to ${to}`}
        >
          <path d={`M0,0H${WIDTH}M0,${HEIGHT / 2}H${WIDTH}M0,${HEIGHT}H${WIDTH}`} class="grid" />
          <path d={`${done}V${HEIGHT}`} class="area" />
          <path d={scope} class="scope" />
          <path d={done} class="done" />
          <text x={0} y={HEIGHT + 18}>{from}</text>
          <text x={WIDTH} y={HEIGHT + 18} text-anchor="end">{to}</text>
        </svg>
      )}
    </figure>
  );
}

/** The counts at the end of each day with a change. */
function burnUp(cards: readonly Card[], last: string | undefined) {
  if (last === undefined || !cards.some(({ created }) => created)) return [];
  // Uncommitted changes count on the last day.
  const added = cards.map(({ created = last }) => created);
  const ended = cards.flatMap(({ finished, since = last }) => finished ? since : []);
  return [...new Set([...added, ...ended, last])].sort().map((date) => ({
    date,
    all: added.filter((day) => day <= date).length,
    finished: ended.filter((day) => day <= date).length,
  }));
}

type Day = ReturnType<typeof burnUp>[number];

/** The path of a stepped line. */
function stepsOf(days: readonly Day[], value: (day: Day) => number): string {
  const [from = 0, to = 0] = [days[0], days.at(-1)].map((day) => Date.parse(day?.date ?? ""));
  const most = Math.max(1, ...days.map(({ all }) => all));
  const steps = days.map((day) => {
    const x = to === from ? 0 : WIDTH * (Date.parse(day.date) - from) / (to - from);
    return `H${x.toFixed(1)}V${(HEIGHT - HEIGHT * value(day) / most).toFixed(1)}`;
  });
  return `M0,${HEIGHT}${steps.join("")}H${WIDTH}`;
}
