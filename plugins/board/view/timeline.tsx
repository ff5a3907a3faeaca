/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Finished entities by month and milestone, and the burn-up of the active milestones.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { reasonOf } from "./host.ts";
import { activeMilestones, ALL, type Card, laneOf, monthOf, sortNames } from "./model.ts";
import { EntityLink, nameOf } from "./parts.tsx";

const [WIDTH, HEIGHT] = [560, 120];

/** The dates on which an entity was added and finished. */
type Life = { id: string; created?: string; finished?: string };
type Lives = ReadonlyMap<string, Life>;

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
    <div id="timeline" role="region" aria-label="Timeline" tabIndex={0}>
      {warnings.map((warning) => <p class="blocked" key={warning}>{warning}</p>)}
      <div class="charts">
        {chartsOf(board).map(([name, cards]) => (
          <Chart key={name} name={name} cards={cards} days={burnUp(cards, lives, last)} />
        ))}
      </div>
      {[...months.keys()].sort().reverse().map((month) => (
        <Month key={month} board={board} month={month} cards={months.get(month)!} lives={lives} />
      ))}
      {dated.length === 0 && <p class="empty">No finished entities in the git history.</p>}
    </div>
  );
}

/** The chosen milestone, else the active ones, else the whole plan, with their work. */
function chartsOf({ cards, settings }: Board): [name: string, cards: Card[]][] {
  const work = [...cards.values()].filter(({ type }) => type === "work" || type === "bug");
  const { milestone = ALL } = settings;
  const active = activeMilestones(cards);
  const names = milestone === ALL ? sortNames(active.map(({ id }) => id)) : [milestone];
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
        <strong>{name}</strong> <span class="count">{caption}</span>
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
function burnUp(cards: readonly Card[], lives: Lives, last: string | undefined) {
  const known = cards.flatMap(({ id }) => lives.get(id) ?? []);
  if (last === undefined || known.length === 0) return [];
  // Uncommitted changes count on the last day.
  const added = cards.map(({ id }) => lives.get(id)?.created ?? last);
  const ended = cards.filter(({ finished }) => finished)
    .map(({ id }) => lives.get(id)?.finished ?? last);
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

function Month({ board, month, cards, lives }: {
  board: Board;
  month: string;
  cards: readonly Card[];
  lives: Lives;
}) {
  const byMilestone = Map.groupBy(cards, (card) => laneOf(card, "milestone"));
  const dateOf = ({ id }: Card) => lives.get(id)!.finished!;
  return (
    <section class="month">
      <h2>
        {monthOf(`${month}-15`)} <span class="count">{cards.length} finished</span>
      </h2>
      {sortNames(byMilestone.keys()).map((milestone) => (
        <div class="group" key={milestone}>
          <h3>
            {nameOf("milestone", milestone)}{" "}
            <span class="count">{byMilestone.get(milestone)!.length}</span>
          </h3>
          <ul class="entities">
            {byMilestone.get(milestone)!.toSorted((a, b) => dateOf(a) < dateOf(b) ? 1 : -1)
              .map((card) => (
                <EntityLink key={card.id} board={board} entity={card} date={dateOf(card)} />
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
