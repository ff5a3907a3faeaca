/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * What was finished when, by month and milestone, and the burn-up of the active milestones.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { burnUp, type Life, steps } from "./burn_up.ts";
import { reasonOf } from "./host.ts";
import { ALL, type Card, laneOf, NONE, sortNames } from "./model.ts";
import { UNNAMED } from "./parts.tsx";

const [WIDTH, HEIGHT] = [560, 120];

type Lives = ReadonlyMap<string, Life>;

/** The timeline of the cards that the filters show. */
export function Timeline({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const [lives, setLives] = useState<Lives>();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  useEffect(() => {
    board.ask<{ lives: Life[]; warnings: string[] }>("timeline").then((read) => {
      setLives(new Map(read.lives.map((life) => [life.id, life])));
      setWarnings(read.warnings);
    }, (error) => {
      setLives(new Map());
      setWarnings([reasonOf(error)]);
    });
  }, [board.stamp]);
  if (lives === undefined) return <p class="empty" role="status">Reading the history…</p>;
  const dated = shown.filter(({ id, finished }) => finished && lives.get(id)?.finished);
  const months = Map.groupBy(dated, ({ id }) => lives.get(id)!.finished!.slice(0, 7));
  const dates = [...lives.values()].flatMap(({ created, finished }) => [created, finished]);
  const last = dates.filter((date) => date !== undefined).sort().at(-1);
  return (
    <div id="timeline" role="tabpanel" aria-labelledby="tab-timeline" tabIndex={0}>
      {warnings.map((warning) => <p class="blocked" key={warning}>{warning}</p>)}
      <div class="charts">
        {chartsOf(board).map(([name, cards]) => (
          <Chart key={name} name={name} cards={cards} lives={lives} last={last} />
        ))}
      </div>
      {[...months.keys()].sort().reverse().map((month) => (
        <Month key={month} board={board} month={month} cards={months.get(month)!} lives={lives} />
      ))}
      {dated.length === 0 && <p class="empty">Git knows of nothing here that was finished.</p>}
    </div>
  );
}

/** The chosen milestone, else the active ones, else the whole plan, with the work in them. */
function chartsOf({ cards, settings }: Board): [name: string, cards: Card[]][] {
  const work = [...cards.values()].filter(({ type }) => type === "work" || type === "bug");
  const active = [...cards.values()].filter(({ type, status }) =>
    type === "milestone" && status === "active"
  ).map(({ id }) => id);
  const { milestone = ALL } = settings;
  const names = milestone === ALL ? sortNames(active) : [milestone];
  const charts = names.map((name): [string, Card[]] => [
    name,
    work.filter((card) => laneOf(card, "milestone") === name),
  ]).filter(([, cards]) => cards.length > 0);
  return charts.length > 0 ? charts : [["The plan", work]];
}

interface ChartProps {
  name: string;
  cards: readonly Card[];
  lives: Lives;
  last: string | undefined;
}

function Chart({ name, cards, lives, last }: ChartProps) {
  const days = burnUp(cards, lives, last);
  const { all, finished } = days.at(-1) ?? { all: cards.length, finished: 0 };
  const [from, to] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const caption = `${finished} of ${all} done`;
  const size = { width: WIDTH, height: HEIGHT };
  const done = steps(days, (day) => day.finished, size);
  return (
    <figure>
      <figcaption>
        <strong>{name}</strong> <span class="count">{caption}</span>
      </figcaption>
      {days.length === 0 ? <p class="empty">Git does not know any of it yet.</p> : (
        <svg
          viewBox={`-4 -6 ${WIDTH + 8} ${HEIGHT + 28}`}
          role="img"
          aria-label={`Burn-up of ${name}: ${caption}, ${from} to ${to}`}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              x1={0}
              x2={WIDTH}
              y1={HEIGHT * part}
              y2={HEIGHT * part}
              class="grid"
            />
          ))}
          <polygon points={`0,${HEIGHT} ${done} ${WIDTH},${HEIGHT}`} class="area" />
          <polyline points={steps(days, (day) => day.all, size)} class="scope" />
          <polyline points={done} class="done" />
          <text x={0} y={HEIGHT + 18}>{from}</text>
          <text x={WIDTH} y={HEIGHT + 18} text-anchor="end">{to}</text>
        </svg>
      )}
    </figure>
  );
}

interface MonthProps {
  board: Board;
  month: string;
  cards: readonly Card[];
  lives: Lives;
}

function Month({ board, month, cards, lives }: MonthProps) {
  const byMilestone = Map.groupBy(cards, (card) => laneOf(card, "milestone"));
  const name = new Date(`${month}-15`).toLocaleDateString("en", { month: "long", year: "numeric" });
  const dateOf = ({ id }: Card) => lives.get(id)!.finished!;
  return (
    <section class="month">
      <h2>
        {name} <span class="count">{cards.length} finished</span>
      </h2>
      {sortNames(byMilestone.keys()).map((milestone) => (
        <div class="group" key={milestone}>
          <h3>
            {milestone === NONE ? UNNAMED["milestone"] : milestone}{" "}
            <span class="count">{byMilestone.get(milestone)!.length}</span>
          </h3>
          <ul class="entities">
            {byMilestone.get(milestone)!.toSorted((a, b) => dateOf(a) < dateOf(b) ? 1 : -1)
              .map((card) => (
                <li key={card.id}>
                  <button
                    data-id={card.id}
                    data-type={card.type}
                    onClick={() => board.open(card.id)}
                  >
                    <time>{dateOf(card)}</time> <span class="id">{card.id}</span> {card.title}{" "}
                    <span class="badge">{card.status}</span>
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
