/// <reference lib="dom" />
/**
 * What became done when, and a burn-up of one milestone.
 *
 * @module
 */

import { byId, h } from "./dom.ts";
import type { Board, Row } from "./model.ts";

interface Done {
  id: string;
  title: string;
  date: string;
}

/** How many commits are asked for at once, and how often: an answer has a limited length. */
const COMMITS = 50;
const ROUNDS = 24;

interface Commit {
  hash: string;
  date: string;
  changes: { id: string; title: string }[];
}

/** Shows the timeline for the chosen milestone, or for the whole plan. */
export async function showTimeline(board: Board): Promise<void> {
  const panel = byId("timeline");
  try {
    const commits = await finishedCommits(board);
    const chosen = byId<HTMLSelectElement>("milestone").value;
    const done: Done[] = commits.flatMap(({ date, changes }) =>
      changes.map(({ id, title }) => ({ id, title, date }))
    ).filter(({ id }) => chosen === "" || board.rows.get(id)?.milestone === chosen);
    const months = [...new Set(done.map(({ date }) => date.slice(0, 7)))];
    panel.replaceChildren(
      burnUp(chosen === "" ? "the plan" : chosen, done, scope(board, chosen)),
      ...months.map((month) => {
        const mine = done.filter(({ date }) => date.startsWith(month));
        return h(
          "section",
          { class: "month" },
          h("h2", {}, month, " ", h("span", { class: "count" }, `${mine.length} done`)),
          h(
            "ul",
            {},
            ...mine.map(({ id, title, date }) =>
              h(
                "li",
                {},
                h("button", { onclick: () => void board.open(id) }, id),
                ` ${date}: ${title}`,
              )
            ),
          ),
        );
      }),
    );
    if (done.length === 0) panel.append(h("p", {}, "Nothing became done yet."));
  } catch (error) {
    panel.replaceChildren(h("p", { class: "blocked" }, (error as Error).message));
  }
}

/** The commits in which something became done, newest first. */
async function finishedCommits({ host }: Board): Promise<Commit[]> {
  const found = new Map<string, Commit>();
  let until: string | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await host.call("history", {
      status: "done",
      limit: COMMITS,
      ...(until === undefined ? {} : { until }),
    });
    const commits = (answer["commits"] ?? []) as Commit[];
    const known = found.size;
    for (const commit of commits) found.set(commit.hash, commit);
    until = commits.at(-1)?.date;
    if (found.size === known || until === undefined) break;
  }
  return [...found.values()];
}

function scope(board: Board, milestone: string): number {
  return [...board.rows.values()].filter((row: Row) =>
    row.type === "work" && (milestone === "" || row.milestone === milestone)
  ).length;
}

/** How many were done by when, against how many there are. */
function burnUp(name: string, done: readonly Done[], total: number): SVGElement {
  const first = new Map<string, string>();
  for (const { id, date } of done) first.set(id, date);
  const dates = [...first.values()].sort();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const label = `Burn-up of ${name}: ${dates.length} of ${total} work items done`;
  svg.setAttribute("viewBox", "0 0 640 170");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const begin = Date.parse(dates[0] ?? "") || 0;
  const span = Math.max((Date.parse(dates.at(-1) ?? "") || 1) - begin, 1);
  const most = Math.max(total, dates.length, 1);
  const points = dates.map((date, at) =>
    `${10 + 620 * (Date.parse(date) - begin) / span},${150 - 130 * (at + 1) / most}`
  );
  const line = (coordinates: string, colour: string) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    element.setAttribute("points", coordinates);
    element.setAttribute("fill", "none");
    element.setAttribute("stroke", colour);
    element.setAttribute("stroke-width", "2");
    svg.append(element);
  };
  const top = 150 - 130 * total / most;
  line(`10,${top} 630,${top}`, "var(--soft)");
  line(["10,150", ...points].join(" "), "var(--accent)");
  const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
  text.setAttribute("x", "10");
  text.setAttribute("y", "167");
  text.setAttribute("fill", "var(--text)");
  text.setAttribute("font-size", "12");
  text.textContent = label;
  svg.append(text);
  return svg;
}
