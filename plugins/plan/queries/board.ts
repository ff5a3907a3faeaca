/**
 * What the plan board shows: its cards, and when each entity began and was finished.
 *
 * @module
 */

import type { Elsewhere } from "../branches.ts";
import type { HistoryEvent } from "../history_events.ts";
import { type Item, listed, type PlanView } from "./access.ts";
import { blockedNote, blockersOf } from "./dependencies.ts";
import { sentenceOf } from "./elsewhere.ts";

/** A card. */
export interface Card {
  /** Its id. */
  readonly id: string;
  /** `work`, `bug`, `spec`, `decision` or `milestone`. */
  readonly type: string;
  /** Its title. */
  readonly title: string;
  /** Its status. */
  readonly status: string;
  /** Whether its type counts its status as finished. */
  readonly finished?: true;
  /** Its milestone. */
  readonly milestone?: string;
  /** How urgent it is: the priority, or the severity of a bug. */
  readonly priority?: string;
  /** Who works on it. */
  readonly assignee?: string;
  /** Its tags. */
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
    const { id, type, title, status, entity } = item;
    const { milestone, priority, severity, assignee } = entity.attributes;
    const { criteria } = entity;
    const urgency = priority ?? severity;
    const tags = listed(item, "tags");
    const blockedBy = blockersOf(plan, item).map((other) => other.id);
    const note = blockedNote(plan, item);
    const elsewhere = states.get(id)?.map(sentenceOf);
    return {
      id,
      type,
      title: title === "" ? id : title,
      status,
      ...(item.finished ? { finished: true } : {}),
      ...(milestone === undefined ? {} : { milestone }),
      ...(urgency === undefined ? {} : { priority: urgency }),
      ...(assignee === undefined || assignee === "" ? {} : { assignee }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(blockedBy.length === 0 ? {} : { blockedBy }),
      ...(note === undefined ? {} : { note }),
      ...(criteria.length === 0
        ? {}
        : { criteria: [criteria.filter((one) => one.checked).length, criteria.length] }),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    };
  });
}

/** When an entity was added to the plan and when it got its present status, as dates. */
export interface Life {
  /** Its id. */
  readonly id: string;
  /** The day of the commit that brought it. */
  readonly created?: string;
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
    return [{ id: item.id, created, ...(finished === undefined ? {} : { finished }) }];
  });
}

/** The last event that brought an entity to the status that it has. */
function reached(events: readonly HistoryEvent[], { status }: Item): HistoryEvent | undefined {
  return events.find(({ attributeChanges = [], initialAttributes }) =>
    initialAttributes?.["status"] === status ||
    attributeChanges.some(({ field, to }) => field === "status" && to === status)
  );
}
