/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * What git knows of an entity: what changed when, and by whom.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";

/** An event of `plan.history`. */
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

/** The history; nothing without git. */
export function History({ board, id }: { board: Board; id: string }) {
  const [events, setEvents] = useState<readonly HistoryEvent[]>([]);
  useEffect(() => {
    board.host.call<{ events: HistoryEvent[] }>("history", { id, limit: 20 })
      .then(({ events }) => setEvents(events), () => {});
  }, [id, board.stamp]);
  if (events.length === 0) return null;
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ol class="history">
        {events.map((event) => (
          <li key={event.shortHash}>
            <time>{event.date.slice(0, 10)}</time>
            <span>
              {describe(event)} <small>{event.message} ({event.author}, {event.shortHash})</small>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** An event in a few words. */
function describe(event: HistoryEvent): string {
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
