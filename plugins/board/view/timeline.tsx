/// <reference lib="dom" />
/** Finished entities by month and milestone, and the burn-up of the active milestones. */

import { h } from "preact";
import { CHART, type Chart } from "../../plan/queries/burn_up.ts";
import type { TimelineData } from "../../plan/tools/board.ts";
import type { Board } from "./board_state.ts";
import { ALL, type Card, laneOf, sortNames } from "./model.ts";
import { Count, EntityList, nameOf } from "./parts.tsx";

const { width, height } = CHART;

export function Timeline({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const { shown: data, error } = board.part(
    "timeline",
    async () => (await board.host.ask<TimelineData>("board", { show: "timeline" })).shown,
  );
  if (error) return <p class="blocked empty" role="alert">{error}</p>;
  if (data === undefined) return <p class="empty" role="status">Reading the history…</p>;
  const { milestone = ALL } = board.settings;
  // The chosen milestone, else the active ones, else the whole plan.
  const names = milestone === ALL ? board.plan.active : [milestone];
  const own = data.charts.filter(({ name }) => names.includes(name));
  const charts = own.length > 0 ? own : data.charts.filter(({ name }) => name === "");
  const dated = shown.flatMap(({ since = "", ...card }) =>
    card.finished && since ? { ...card, date: since } : []
  ).sort((a, b) => a.date < b.date ? 1 : -1);
  return (
    <div id="timeline" role="region" aria-label="Timeline" tabIndex={0}>
      {data.notes.map((note) => <p class="blocked" key={note}>{note}</p>)}
      <div class="charts">{charts.map((chart) => <Burnup key={chart.name} chart={chart} />)}</div>
      {[...Map.groupBy(dated, ({ date }) => date.slice(0, 7))].map(([month, cards]) => (
        <section class="month" key={month}>
          <h2>
            {monthOf(month)} <Count of={`${cards.length} finished`} />
          </h2>
          {sortNames(cards.map((card) =>
            laneOf(card, "milestone")
          )).map((name) => (
            <EntityList
              key={name}
              board={board}
              title={nameOf("milestone", name)}
              entities={cards.filter((card) => laneOf(card, "milestone") === name)}
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

function Burnup({ chart: { name, caption, days, scope, done } }: { chart: Chart }) {
  const title = name === "" ? "The plan" : nameOf("milestone", name);
  const about = [caption, days?.join(" to ")].filter(Boolean).join(", ");
  return (
    <figure class="box">
      <figcaption class="row">
        <strong>{title}</strong> <Count of={about} />
      </figcaption>
      {days === undefined ? <p class="empty">Not in the git history yet.</p> : (
        <svg
          viewBox={`-4 -6 ${width + 8} ${height + 8}`}
          role="img"
          aria-label={`Burn-up of ${title}: ${about}`}
        >
          <path d={`M0,0H${width}M0,${height / 2}H${width}M0,${height}H${width}`} class="grid" />
          <path d={`${done}V${height}`} class="area" />
          <path d={scope} class="scope" />
          <path d={done} class="done" />
        </svg>
      )}
    </figure>
  );
}
