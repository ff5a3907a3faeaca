/**
 * What the plan board shows: its cards, and when each entity began and was finished.
 *
 * @module
 */

import type { Elsewhere } from "../branches.ts";
import type { HistoryEvent } from "../history_events.ts";
import { type Item, type PlanView, present } from "./access.ts";
import { fieldValue } from "./fields.ts";
import { sentenceOf } from "./elsewhere.ts";

/** A card. */
export interface Card {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly status: string;
  /** Whether its type counts its status as finished. */
  readonly finished?: true;
  readonly milestone?: string;
  /** How urgent it is: the priority, or the severity of a bug. */
  readonly priority?: string;
  readonly assignee?: string;
  readonly tags?: readonly string[];
  /** The ids of the unfinished entities that it depends on. */
  readonly blockedBy?: readonly string[];
  /** What is odd about its being blocked. */
  readonly note?: string;
  /** How many of its criteria are ticked, and how many there are. */
  readonly criteria?: readonly [ticked: number, all: number];
  /** Its states elsewhere, as `in-progress on feature/x by ada`. */
  readonly elsewhere?: readonly string[];
}

/** The cards, in the order of the plan's files. */
export function cardsOf(plan: PlanView, states: Elsewhere["states"] = new Map()): Card[] {
  return plan.items.map((item): Card => {
    const { id, type, title, status, entity: { attributes, criteria } } = item;
    const fields = ["assignee", "tags", "blockedBy", "note"];
    return {
      id,
      type,
      title: title || id,
      status,
      ...present({
        finished: item.finished || undefined,
        milestone: attributes["milestone"],
        priority: attributes["priority"] ?? attributes["severity"],
        ...Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
        criteria: criteria.length === 0
          ? undefined
          : [criteria.filter((one) => one.checked).length, criteria.length],
        elsewhere: states.get(id)?.map(sentenceOf),
      }),
    };
  });
}

/** When an entity was added to the plan and when it got its present status, as dates. */
export interface Life {
  readonly id: string;
  /** The day of the commit that brought it. */
  readonly created: string;
  /** For a finished one, the day of the commit since which it has its status. */
  readonly finished?: string;
}

/**
 * The lives of the entities that git knows.
 *
 * @param events The events of the plan, newest first.
 */
export function livesOf(plan: PlanView, events: readonly HistoryEvent[]): Life[] {
  const byFile = Map.groupBy(events, ({ file }) => file);
  return plan.items.flatMap((item) => {
    const own = byFile.get(item.entity.file) ?? [];
    const created = own.at(-1)?.date.slice(0, 10);
    if (created === undefined) return [];
    const finished = item.finished ? reached(own, item)?.date.slice(0, 10) : undefined;
    return [{ id: item.id, created, ...present({ finished }) }];
  });
}

/** The last event that brought an entity to the status that it has. */
function reached(events: readonly HistoryEvent[], { status }: Item): HistoryEvent | undefined {
  return events.find(({ attributeChanges = [], initialAttributes }) =>
    initialAttributes?.["status"] === status ||
    attributeChanges.some(({ field, to }) => field === "status" && to === status)
  );
}
