/// <reference lib="dom" />
/**
 * What happened to one entity, by git, as a list of a line each.
 *
 * @module
 */

import type { Board } from "./board_state.ts";
import { h } from "./dom.ts";

interface HistoryEvent {
  kind: string;
  date: string;
  shortHash: string;
  author: string;
  message: string;
  attributeChanges?: { field: string; from: string | null; to: string | null }[];
  criteriaChanges?: { text: string; action: string }[];
  initialAttributes?: Record<string, string>;
}

/** How many events are shown. */
const EVENTS = 20;

/** Fills a section of the dialog with the history of an entity; without one it stays empty. */
export async function showHistory(
  board: Board,
  id: string,
  section: HTMLElement,
): Promise<void> {
  try {
    const { events } = await board.host.call<{ events: HistoryEvent[] }>("history", {
      id,
      limit: EVENTS,
    });
    if (events.length === 0) return;
    section.replaceChildren(
      h("h3", {}, "History"),
      h(
        "ol",
        { class: "history" },
        ...events.map((event) =>
          h(
            "li",
            {},
            h("time", {}, event.date.slice(0, 10)),
            h(
              "span",
              {},
              `${what(event)} `,
              h("small", {}, `${event.message} (${event.shortHash})`),
            ),
          )
        ),
      ),
    );
  } catch {
    // Without git there is no history, and nothing to say about it.
  }
}

/** An event in a few words. */
function what(event: HistoryEvent): string {
  const { kind, initialAttributes, attributeChanges = [], criteriaChanges = [] } = event;
  const parts = attributeChanges.map(({ field, from, to }) =>
    `${field === "status" ? "" : `${field} `}${from || "none"} → ${to || "none"}`
  );
  if (kind === "created") {
    const status = initialAttributes?.["status"];
    parts.unshift(status === undefined ? "created" : `created as ${status}`);
  }
  for (const { text, action } of criteriaChanges) parts.push(`${action} "${text}"`);
  if (parts.length > 0) return parts.join(", ");
  return kind === "resolution" ? "resolution written" : "text changed";
}
