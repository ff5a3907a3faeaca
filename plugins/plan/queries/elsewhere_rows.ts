/** States on other branches and in other worktrees, as rows and in words. */

import { dayOf } from "../entity/durations.ts";
import * as z from "zod";
import { lazily } from "../../../src/io/lazily.ts";
import { pointersAmong } from "../store/plan.ts";
import { quoted, quotedName, shortLine, word, wordOrText } from "../../../src/plain_text.ts";
import { ticksOf } from "../entity/version.ts";
import type { Entity } from "../entity/entity.ts";
import type { Elsewhere, StateElsewhere } from "./elsewhere.ts";
import { type PlanView, rowOf } from "./access.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** The places that were read. */
export const examinedPlaces = z.object({
  branches: z.int(),
  worktrees: z.int(),
  leftOut: z.array(z.string()).optional(),
});

const MOST_LEFT_OUT = 10;

/** Summarizes which places were read, and which were not. */
export function examinedOf({ branches, worktrees, leftOut, nothing = [] }: Elsewhere) {
  const all = leftOut.concat(nothing);
  const more = all.length - MOST_LEFT_OUT;
  const sentences = all.slice(0, MOST_LEFT_OUT).concat(more > 0 ? [`${more} more`] : []);
  return { branches, worktrees, leftOut: unlessEmpty(sentences) };
}

/** The values that are shown; of others only the names. */
const SHOWN = ["status", "assignee", "title", "criteria"];
const MOST_VALUE = 200;
/** How many states of one entity a sentence names. */
const NAMED_STATES = 3;

/** A plan that includes its entities' states elsewhere, for filters. */
export function withElsewhere(plan: PlanView, { states }: Elsewhere): PlanView {
  const others = [...states.values()].flat();
  const entities = [...plan.entities, ...others.map(({ item }) => item)];
  const pointers = lazily(() => pointersAmong(plan.find, entities));
  return { ...plan, entities, pointers: (id) => pointers().get(id) ?? [] };
}

/** Lists each entity once: its state here, or else its first state elsewhere. */
export function onceEach(plan: PlanView, items: readonly Entity[]): Entity[] {
  const files = new Set(plan.files);
  const first = new Map<string, Entity>();
  const entities = items.map((item) => {
    if (files.has(item.source)) return item;
    return plan.find(item.id) ?? first.getOrInsert(item.id, item);
  });
  return [...new Set(entities)];
}

/** The row of an entity with its states elsewhere; an entity that is not here has no status. */
export function rowWith(plan: PlanView, others: Elsewhere | undefined, item: Entity) {
  const elsewhere = others?.states.get(item.id)?.map(rowElsewhere);
  if (elsewhere === undefined) return rowOf(item);
  if (plan.find(item.id) !== undefined) return { ...rowOf(item), elsewhere };
  return { ...rowOf({ ...item, status: "" }), onlyElsewhere: true, elsewhere };
}

/** The state of an entity in another place. */
export function rowElsewhere(state: StateElsewhere) {
  const { branch, worktree, date, item, differs, others } = state;
  const valueOf = (name: string, value: string | undefined) =>
    differs.includes(name) && value ? shortLine(value, MOST_VALUE) : undefined;
  const { status, assignee } = item.attributes;
  const ticks = ticksOf(item);
  const hidden = differs.filter((name) => !SHOWN.includes(name) && name !== "id");
  return {
    branch,
    worktree,
    id: differs.includes("id") ? item.id : undefined,
    status: valueOf("status", status),
    // A changed status is shown with its assignee.
    assignee: valueOf("assignee", assignee) ?? valueOf("status", assignee),
    title: valueOf("title", item.title),
    criteria: ticks === "0/0" ? undefined : valueOf("criteria", ticks),
    date: date && dayOf(date),
    // The names of other attributes.
    differs: unlessEmpty(hidden),
    others: others || undefined,
  };
}

/**
 * What other places have changed, the ticks by the numbers of the criteria here:
 * `criteria 3/7 (ticked: 2, 5), note "2026-07-01 ada: Half done" on "feature/x"`.
 */
export function changesElsewhere(
  states: readonly StateElsewhere[],
  here: Entity | undefined,
  isTaken: boolean,
): string {
  const parts = states.flatMap((state) => {
    const row = rowElsewhere(state);
    const ticked = here === undefined ? [] : newTicks(state.item, here);
    const ticks = ticked.length === 0 ? "" : ` (ticked: ${ticked.join(", ")})`;
    const changes = [
      !isTaken && row.status && `status ${wordOrText(row.status)}`,
      !isTaken && row.assignee && `assignee ${quoted(row.assignee)}`,
      row.title && `title ${quoted(row.title)}`,
      row.criteria && `criteria ${row.criteria}${ticks}`,
      ...(row.differs ?? []).map(word),
      state.note !== undefined && `note ${quoted(state.note)}`,
    ].filter(Boolean);
    return changes.length === 0 ? [] : `${changes.join(", ")} ${whereText(state)}`;
  });
  const more = parts.length - NAMED_STATES;
  return parts.slice(0, NAMED_STATES).concat(more > 0 ? `${more} more` : []).join("; ");
}

/** The numbers of the open criteria that are ticked there. */
function newTicks(there: Entity, here: Entity): number[] {
  const ticked = new Set(there.criteria.flatMap(({ text, checked }) => checked ? text : []));
  return here.criteria.flatMap(({ text, checked }, at) =>
    !checked && ticked.has(text) ? at + 1 : []
  );
}

/** A place in words: `on "feature/x"`, or `in "../other"`. */
function whereText({ branch = "", worktree }: StateElsewhere): string {
  return worktree === undefined ? `on ${quotedName(branch)}` : `in ${quotedName(worktree)}`;
}

/** A state in words: `in-progress on "feature/x" by "ada"`. */
export function sentenceOf(state: StateElsewhere): string {
  const { id, status = "changed", assignee, others } = rowElsewhere(state);
  const by = assignee === undefined ? "" : ` by ${quoted(assignee)}`;
  const as = id === undefined ? "" : ` as ${word(id)}`;
  const more = others === undefined ? "" : ` and ${others} more`;
  return `${wordOrText(status)} ${whereText(state)}${by}${as}${more}`;
}
