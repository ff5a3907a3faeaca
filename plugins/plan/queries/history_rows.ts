/** The history of a plan as an answer lists it: by commit, in numbers, or of one entity. */

import { RefraktError } from "../../../src/errors.ts";
import { shallowHint } from "../../../src/io/git_ask.ts";
import { quoted, shortText, word } from "../../../src/plain_text.ts";
import { describeEvent, type HistoryEvent, valueFrom } from "../git/events.ts";
import { sizesOf } from "../../../src/plugin/counted.ts";
import { unknownEntity } from "../store/problems.ts";
import type { PlanView } from "./access.ts";
import { dayOf } from "../entity/durations.ts";
import { pageOf } from "./select.ts";

/** The most changes that all commits list together, and the least that each lists. */
const [TOGETHER, COMMIT_CHANGES] = [30, 3];

/** How many characters of a commit message are shown. */
const MESSAGE = 100;

/** Sorts by the dates that are shown: clocks differ, and a merge brings older commits. */
export function byDate(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.map((event) => ({ event, at: Date.parse(event.date) }))
    .sort((a, b) => b.at - a.at).map(({ event }) => event);
}

/** A page of the events of one entity. */
export function eventPage(all: readonly HistoryEvent[], limit: number, cursor: string | undefined) {
  const { items, nextCursor } = pageOf(all, limit, cursor);
  return { events: items.map(({ id: _id, type: _type, ...rest }) => rest), nextCursor };
}

/** Counts commits, created entities, and reached statuses by type. */
export function eventCounts(events: readonly HistoryEvent[]) {
  const created = events.filter(({ kind }) => kind === "created");
  const settings = events.filter((event) => valueFrom(event, "status") !== undefined);
  const byType = (events: readonly HistoryEvent[]) =>
    Map.groupBy(events, ({ type = "other" }) => type);
  const reached = [...byType(settings)].map(([type, events]) =>
    [type, sizesOf(Map.groupBy(events, (event) => valueFrom(event, "status")!))] as const
  );
  return {
    commits: new Set(events.map(({ hash }) => hash)).size,
    created: sizesOf(byType(created)),
    reached: Object.fromEntries(reached),
  };
}

/** Groups events by commit; each title appears once. */
export function commitPage(
  plan: PlanView,
  events: readonly HistoryEvent[],
  limit: number,
  cursor: string | undefined,
) {
  const all = [...Map.groupBy(events, ({ hash }) => hash).values()];
  const most = Math.max(COMMIT_CHANGES, Math.floor(TOGETHER / Math.min(limit, all.length)));
  const titled = new Set<string>();
  const { items, nextCursor } = pageOf(all, limit, cursor);
  const commits = items.map((together) => {
    const { shortHash, date, author, message } = together[0]!;
    return {
      hash: shortHash,
      date: dayOf(date),
      author,
      message: shortText(message, MESSAGE),
      changes: together.slice(0, most).map((event) => {
        const id = event.id ?? event.file ?? "";
        const entity = plan.find(id);
        // Another entity may have got the id of one that was removed.
        const isSame = entity !== undefined && entity.file === event.file;
        const title = titled.has(id) || !isSame ? undefined : entity.title || undefined;
        if (isSame) titled.add(id);
        const name = title === undefined ? word(id) : `${word(id)} ${quoted(title)}`;
        return `${name}: ${describeEvent(event)}`;
      }),
      totalChanges: together.length > most ? together.length : undefined,
    };
  });
  const isPage = nextCursor !== undefined || cursor !== undefined;
  return { commits, totalCommits: isPage ? all.length : undefined, nextCursor };
}

/** The events of the last entity that had an id and is not there any more, newest first. */
export async function removedEvents(plan: PlanView, name: string) {
  const { recorded } = await plan.history();
  const last = recorded.findLast(({ event: { id } }) =>
    id?.toLowerCase() === name.trim().toLowerCase()
  );
  if (last === undefined) {
    const { code, message, hint } = unknownEntity(plan.store, name);
    const cut = await shallowHint(plan.git);
    throw new RefraktError(code, message, { hint: [hint, cut].filter(Boolean).join(" ") });
  }
  return recorded.filter(({ file }) => file === last.file).map(({ event }) => event).reverse();
}
