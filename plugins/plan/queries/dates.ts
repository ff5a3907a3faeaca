/** When entities were committed, begun and finished, by the events of their files. */

import type { Entity } from "../entity/entity.ts";
import { CLAIMED } from "../entity/lifecycle.ts";
import { type HistoryEvent, valueFrom } from "../git/events.ts";

/** Dates of commits, as git writes them; `undefined` if there is none. */
export interface EntityDates {
  /** Of the first commit, and of the last one. */
  readonly created: string | undefined;
  readonly modified: string | undefined;
  /** When its status first became in-progress. */
  readonly started: string | undefined;
  /** When it got the status that it has; `undefined` if that is not committed. */
  readonly reached: string | undefined;
}

/** Finds the dates of entities. @param events Newest first. */
export function dateFinder(events: readonly HistoryEvent[]): (entity: Entity) => EntityDates {
  const byFile = Map.groupBy(events, ({ file }) => file);
  return ({ file, status }) => {
    const own = byFile.get(file) ?? [];
    const last = own.find((event) => valueFrom(event, "status") !== undefined);
    return {
      created: own.at(-1)?.date,
      modified: own[0]?.date,
      started: own.findLast((event) => valueFrom(event, "status") === CLAIMED)?.date,
      reached: last && valueFrom(last, "status") === status ? last.date : undefined,
    };
  };
}
