/** The data of the plan board: cards, and when each entity was created and finished. */

import type { Elsewhere } from "./states_elsewhere.ts";
import type { HistoryEvent } from "../git/events.ts";
import { type Item, type PlanView, present } from "./access.ts";
import type { Availability } from "./availability.ts";
import { fieldValue } from "./fields.ts";
import { sentenceOf } from "./elsewhere.ts";

export interface Card {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly status: string;
  /** Whether the status is final for its type. */
  readonly finished?: true;
  readonly milestone?: string;
  /** The priority, or the severity of a bug. */
  readonly priority?: string;
  readonly assignee?: string;
  readonly tags?: readonly string[];
  /** The ids of its unfinished dependencies. */
  readonly blockedBy?: readonly string[];
  /** The ids of what withholds it otherwise, such as mentions that count as dependencies. */
  readonly withheldBy?: readonly string[];
  /** Whether plan.next offers it. */
  readonly offered?: true;
  /** A contradiction in its blocked status. */
  readonly note?: string;
  readonly criteria?: readonly [ticked: number, all: number];
  /** Its states and claims elsewhere, such as `in-progress on feature/x by ada`. */
  readonly elsewhere?: readonly string[];
  /** The date on which it reached its status. */
  readonly since?: string;
}

/**
 * @param available What `plan.next` offers, and who has the rest.
 * @param events The events of the plan, newest first; without git, ages are unknown.
 */
export function cardsOf(
  plan: PlanView,
  available: Pick<Availability, "offered" | "taken"> | undefined,
  states: Elsewhere["states"] = new Map(),
  events: readonly HistoryEvent[] = [],
): Card[] {
  const byFile = Map.groupBy(events, ({ file }) => file);
  const offered = new Set(available?.offered.map(({ id }) => id));
  return plan.items.map((item): Card => {
    const { id, type, title, status, entity: { attributes, criteria } } = item;
    const fields = ["assignee", "tags", "blockedBy", "withheldBy", "note"];
    const said = new Set(
      [available?.taken.get(id) ?? [], states.get(id)?.map(sentenceOf) ?? []].flat(),
    );
    return {
      id,
      type,
      title: title || id,
      status,
      ...present({
        finished: item.finished || undefined,
        offered: offered.has(id) || undefined,
        milestone: attributes["milestone"],
        priority: attributes["priority"] ?? attributes["severity"],
        ...Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
        criteria: criteria.length === 0
          ? undefined
          : [criteria.filter((one) => one.checked).length, criteria.length],
        elsewhere: said.size === 0 ? undefined : [...said],
        since: reached(byFile.get(item.entity.file) ?? [], item)?.date.slice(0, 10),
      }),
    };
  });
}

/** The dates on which an entity was created and finished. */
export interface Life {
  readonly id: string;
  readonly created: string;
  /** The date of the commit that set its current, final status. */
  readonly finished?: string;
}

/** @param events The events of the plan, newest first. */
export function lifespansOf(plan: PlanView, events: readonly HistoryEvent[]): Life[] {
  const byFile = Map.groupBy(events, ({ file }) => file);
  return plan.items.flatMap((item) => {
    const own = byFile.get(item.entity.file) ?? [];
    const created = own.at(-1)?.date.slice(0, 10);
    if (created === undefined) return [];
    const finished = item.finished ? reached(own, item)?.date.slice(0, 10) : undefined;
    return [{ id: item.id, created, ...present({ finished }) }];
  });
}

/** Finds the last event that set the current status of an entity. */
function reached(events: readonly HistoryEvent[], { status }: Item): HistoryEvent | undefined {
  return events.find(({ attributeChanges = [], initialAttributes }) =>
    initialAttributes?.["status"] === status ||
    attributeChanges.some(({ field, to }) => field === "status" && to === status)
  );
}
