/// <reference lib="dom" />
/**
 * What was finished when, by month and milestone, and the burn-up of the active milestones.
 *
 * @module
 */

import { ask, type Board } from "./board_state.ts";
import { burnUp, type Life, steps } from "./burn_up.ts";
import { byId, h, svg } from "./dom.ts";
import { reasonOf } from "./host.ts";
import { type Card, laneOf, sortNames } from "./model.ts";

const [WIDTH, HEIGHT] = [560, 120];

/** The lives as they were when the plan had this stamp. */
let kept: { stamp: string; lives: ReadonlyMap<string, Life>; warnings: string[] } | undefined;

/**
 * Shows the timeline.
 *
 * @param cards The cards that the filter shows, finished or not.
 * @param milestone The milestone that is chosen; empty where none is.
 */
export async function showTimeline(
  board: Board,
  cards: readonly Card[],
  milestone: string,
): Promise<void> {
  const panel = byId("timeline");
  try {
    if (kept?.stamp !== board.stamp) {
      const { lives, warnings } = await ask<{ lives: Life[]; warnings: string[] }>(
        board,
        "timeline",
      );
      kept = {
        stamp: board.stamp,
        lives: new Map(lives.map((life) => [life.id, life])),
        warnings,
      };
    }
    const { lives, warnings } = kept;
    const finished = cards.filter(({ id, finished }) =>
      finished === true && lives.get(id)?.finished !== undefined
    );
    const months = Map.groupBy(finished, ({ id }) => lives.get(id)!.finished!.slice(0, 7));
    const dates = [...lives.values()].flatMap(({ created, finished }) => [created, finished]);
    const last = dates.filter((date) => date !== undefined).sort().at(-1);
    panel.replaceChildren(
      ...warnings.map((warning) => h("p", { class: "blocked" }, warning)),
      h(
        "div",
        { class: "charts" },
        ...chartsOf(board, milestone).map(([name, cards]) => chart(name, cards, lives, last)),
      ),
      ...[...months.keys()].sort().reverse().map((month) =>
        monthSection(board, month, months.get(month)!, lives)
      ),
      ...(finished.length > 0
        ? []
        : [h("p", { class: "empty" }, "Nothing was finished yet, as far as git knows.")]),
    );
  } catch (error) {
    panel.replaceChildren(h("p", { class: "blocked" }, reasonOf(error)));
  }
}

/** The milestone that is chosen, else the active ones, else the whole plan: what is to be done for it. */
function chartsOf({ cards }: Board, chosen: string): [name: string, cards: Card[]][] {
  const work = [...cards.values()].filter(({ type }) => type === "work" || type === "bug");
  const active = [...cards.values()].filter(({ type, status }) =>
    type === "milestone" && status === "active"
  ).map(({ id }) => id);
  const names = chosen === "" ? sortNames(active) : [chosen];
  const charts = names.map((name): [string, Card[]] => [
    name,
    work.filter((card) => laneOf(card, "milestone") === name),
  ]).filter(([, cards]) => cards.length > 0);
  return charts.length > 0 ? charts : [["The plan", work]];
}

function chart(
  name: string,
  cards: readonly Card[],
  lives: ReadonlyMap<string, Life>,
  last: string | undefined,
): HTMLElement {
  const days = burnUp(cards, lives, last);
  const { all, finished } = days.at(-1) ?? { all: cards.length, finished: 0 };
  const [from, to] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const caption = `${finished} of ${all} done`;
  const done = steps(days, (day) => day.finished, { width: WIDTH, height: HEIGHT });
  const scope = steps(days, (day) => day.all, { width: WIDTH, height: HEIGHT });
  return h(
    "figure",
    {},
    h("figcaption", {}, h("strong", {}, name), " ", h("span", { class: "count" }, caption)),
    days.length === 0 ? h("p", { class: "empty" }, "Git knows none of it yet.") : svg(
      "svg",
      {
        viewBox: `-4 -6 ${WIDTH + 8} ${HEIGHT + 28}`,
        role: "img",
        "aria-label": `Burn-up of ${name}: ${caption}, ${from} to ${to}`,
      },
      ...[0, 0.5, 1].map((part) =>
        svg("line", {
          x1: 0,
          x2: WIDTH,
          y1: HEIGHT * part,
          y2: HEIGHT * part,
          class: "grid",
        })
      ),
      svg("polygon", { points: `0,${HEIGHT} ${done} ${WIDTH},${HEIGHT}`, class: "area" }),
      svg("polyline", { points: scope, class: "scope" }),
      svg("polyline", { points: done, class: "done" }),
      svg("text", { x: 0, y: HEIGHT + 18 }, from),
      svg("text", { x: WIDTH, y: HEIGHT + 18, "text-anchor": "end" }, to),
    ),
  );
}

function monthSection(
  board: Board,
  month: string,
  cards: readonly Card[],
  lives: ReadonlyMap<string, Life>,
): HTMLElement {
  const byMilestone = Map.groupBy(cards, (card) => laneOf(card, "milestone"));
  const name = new Date(`${month}-15`).toLocaleDateString("en", { month: "long", year: "numeric" });
  return h(
    "section",
    { class: "month" },
    h("h2", {}, name, " ", h("span", { class: "count" }, `${cards.length} finished`)),
    ...sortNames(byMilestone.keys()).map((milestone) => {
      const own = [...byMilestone.get(milestone)!].sort((a, b) =>
        lives.get(a.id)!.finished! < lives.get(b.id)!.finished! ? 1 : -1
      );
      return h(
        "div",
        { class: "group" },
        h(
          "h3",
          {},
          milestone === "none" ? "No milestone" : milestone,
          " ",
          h("span", { class: "count" }, String(own.length)),
        ),
        h(
          "ul",
          { class: "entities" },
          ...own.map(({ id, title, type, status }) =>
            h(
              "li",
              {},
              h(
                "button",
                { "data-id": id, "data-type": type, onclick: () => void board.open(id) },
                h("time", {}, lives.get(id)!.finished!),
                " ",
                h("span", { class: "id" }, id),
                " ",
                title,
                " ",
                h("span", { class: "badge" }, status),
              ),
            )
          ),
        ),
      );
    }),
  );
}
