/** What entities of a type usually have in this plan. */

import { read } from "../entity/document.ts";
import { type Item, listed, type PlanView } from "./access.ts";
import { byNumber } from "./milestones.ts";
import { nearest } from "./near.ts";

/** How many of the newest entities show what is usual now. */
const NEWEST = 40;

/** From this share on, a section is usual. */
const USUAL = 0.15;

/** How many names of one kind are listed. */
const NAMED = 8;

/** How many entities are near. */
const NEAR = 3;

export interface Habits {
  /** `Approach 84%`, in their usual order. */
  readonly sections: string[];
  /** How many criteria are usual. */
  readonly criteria?: number | undefined;
  /** The most frequent first. */
  readonly tags: string[];
  /** Those that are not finished, else the newest. */
  readonly milestones: string[];
  /** A finished example. */
  readonly example?: string | undefined;
  /** Specs and decisions that have words of the title. */
  readonly near?: string[] | undefined;
}

/** @param most How many characters the answer has, as JSON. */
export async function habitsOf(
  plan: PlanView,
  type: string,
  title: string | undefined,
  most: number,
): Promise<Habits> {
  const own = plan.items.filter((item) => item.type === type)
    .sort((a, b) => byNumber(b.id, a.id)).slice(0, NEWEST);
  const milestones = plan.items.filter((item) => item.type === "milestone");
  const open = milestones.filter(({ finished }) => !finished);
  const counts = own.map(({ entity: { criteria } }) => criteria.length).sort((a, b) => a - b);
  const others = plan.items.filter((item) => item.type === "spec" || item.type === "decision");
  const near = title === undefined ? [] : await nearest(plan, others, title);
  const habits: Habits = {
    sections: usualSections(plan, own),
    criteria: counts[counts.length >> 1] || undefined,
    tags: frequent(own.flatMap((item) => listed(item, "tags"))),
    milestones: (open.length > 0 ? open : milestones).map(({ id }) => id)
      .sort((a, b) => byNumber(b, a)).slice(0, NAMED),
    example: own.find(({ finished }) => finished)?.id,
    near: title === undefined
      ? undefined
      : near.slice(0, NEAR).map((item) => `${item.id} ${item.title}`.slice(0, 80)),
  };
  for (const names of [habits.tags, habits.milestones, habits.near ?? [], habits.sections]) {
    while (names.length > 1 && JSON.stringify(habits).length > most) names.pop();
  }
  return habits;
}

function usualSections(plan: PlanView, items: readonly Item[]): string[] {
  const found = new Map<string, { count: number; place: number }>();
  for (const { entity } of items) {
    const { sections = [] } = read(plan.store.source(entity)).entity ?? {};
    for (const [at, { name, level }] of sections.entries()) {
      if (level === 0) continue;
      const { count, place } = found.get(name) ?? { count: 0, place: 0 };
      found.set(name, { count: count + 1, place: place + at });
    }
  }
  return [...found].filter(([, { count }]) => count >= USUAL * items.length && count > 0)
    .sort(([, a], [, b]) => a.place / a.count - b.place / b.count)
    .map(([name, { count }]) => `${name} ${Math.round(100 * count / items.length)}%`);
}

function frequent(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, NAMED)
    .map(([name]) => name);
}
