/** What entities of a type usually have in this plan. */

import * as z from "zod";
import { read } from "../entity/document.ts";
import { type Item, listed, type PlanView, unlessEmpty } from "./access.ts";
import { byNumber } from "./milestones.ts";
import { nearest } from "./near.ts";

/** How many of the newest entities show what is usual now. */
const NEWEST = 40;

/** From this share on, a section or an attribute is usual. */
const USUAL = 0.15;

/** How many names of one kind are listed. */
const NAMED = 8;

/** How many entities are near. */
const NEAR = 3;

/** What is usual, in an answer. */
export const habits = z.object({
  attributes: z.array(z.string()).describe("name=default, or how many of the newest have it"),
  sections: z.array(z.string()).describe("In their usual order"),
  criteria: z.int().optional(),
  tags: z.array(z.string()).optional(),
  milestones: z.array(z.string()).optional().describe("With work to do, the active first"),
  example: z.string().optional().describe("A finished one"),
  near: z.array(z.string()).optional().describe("Specs and decisions with words of the title"),
});

export type Habits = z.infer<typeof habits>;

/**
 * @param template The attributes of a new entity.
 * @param most How many characters the answer has, as JSON.
 */
export async function habitsOf(
  plan: PlanView,
  type: string,
  template: Readonly<Record<string, string>>,
  title: string | undefined,
  most: number,
): Promise<Habits> {
  const own = plan.items.filter((item) => item.type === type)
    .sort((a, b) => byNumber(b.id, a.id)).slice(0, NEWEST);
  const taken = plan.plugin.vocabulary?.attributes[type] ?? [];
  const names = [...new Set([...Object.keys(template), ...taken])]
    .filter((name) => name !== "id" && name !== "name");
  const counts = own.map(({ entity: { criteria } }) => criteria.length).sort((a, b) => a - b);
  const others = plan.items.filter((item) => item.type === "spec" || item.type === "decision");
  const near = title === undefined ? [] : await nearest(plan, others, title);
  const found: Habits = {
    attributes: names.map((name) => {
      const value = template[name];
      if (value) return `${name}=${value}`;
      const { length } = own.filter(({ entity }) => entity.attributes[name]);
      return name + shareOf(length, own.length);
    }),
    sections: usualSections(plan, own),
    criteria: counts[counts.length >> 1] || undefined,
    tags: unlessEmpty(frequent(own.flatMap((item) => listed(item, "tags")))),
    milestones: unlessEmpty(names.includes("milestone") ? openMilestones(plan) : []),
    example: own.find(({ finished }) => finished)?.id,
    near: title === undefined
      ? undefined
      : near.slice(0, NEAR).map((item) => `${item.id} ${item.title}`.slice(0, 80)),
  };
  const { tags = [], milestones = [], near: named = [], sections } = found;
  for (const list of [tags, milestones, named, sections]) {
    while (list.length > 1 && JSON.stringify(found).length > most) list.pop();
  }
  return found;
}

/** ` 33%`, or nothing if that is not usual. */
function shareOf(count: number, all: number): string {
  return count > 0 && count >= USUAL * all ? ` ${Math.round(100 * count / all)}%` : "";
}

/** The milestones that new work can belong to, the active first. */
function openMilestones(plan: PlanView): string[] {
  const open = plan.items.filter((item) => {
    if (item.type !== "milestone" || item.finished) return false;
    const tasks = plan.tasksOf(item.id);
    return tasks.length === 0 || tasks.some(({ finished }) => !finished);
  });
  const rank = ({ status }: Item) => status === "active" ? 0 : 1;
  return open.sort((a, b) => rank(a) - rank(b) || byNumber(b.id, a.id))
    .slice(0, NAMED).map(({ id }) => id);
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
  return [...found].map(([name, { count, place }]) => ({
    place: place / count,
    share: shareOf(count, items.length),
    name,
  })).filter(({ share }) => share !== "").sort((a, b) => a.place - b.place)
    .map(({ name, share }) => name + share);
}

function frequent(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, NAMED)
    .map(([name]) => name);
}
