/** States on other branches and in other worktrees, as rows and in words. */

import { dayOf } from "../entity/durations.ts";
import * as z from "zod";
import { lazily } from "../../../src/io/lazily.ts";
import { pointersAmong } from "../store/relations.ts";
import { quoted, quotedName, shortLine, word, wordOrText } from "../../../src/plain_text.ts";
import { ticksOf } from "../entity/diff.ts";
import type { Entity } from "../entity/entity.ts";
import type { Elsewhere, StateElsewhere } from "./elsewhere.ts";
import { type PlanView, rowOf, unlessEmpty } from "./access.ts";

/** The state of an entity in another place. */
type ElsewhereRow =
  & Pick<StateElsewhere, "branch" | "worktree" | "date">
  & { readonly [Name in "id" | "status" | "assignee" | "title" | "criteria"]?: string | undefined }
  & {
    /** The names of other attributes that differ. */
    readonly differs?: readonly string[] | undefined;
    readonly others?: number | undefined;
  };

/** The places that were read. */
export const examinedPlaces = z.object({
  branches: z.int(),
  worktrees: z.int(),
  leftOut: z.array(z.string()).optional(),
});

const MOST_LEFT_OUT = 10;

/** Summarizes what was read and what was not. */
export function examinedOf({ branches, worktrees, leftOut, nothing = [] }: Elsewhere) {
  const all = leftOut.concat(nothing);
  const more = all.length - MOST_LEFT_OUT;
  const sentences = all.slice(0, MOST_LEFT_OUT).concat(more > 0 ? [`${more} more`] : []);
  return { branches, worktrees, leftOut: unlessEmpty(sentences) };
}

/** The attributes whose values are shown. */
const SHOWN = ["status", "assignee", "title", "criteria"];
const MOST_VALUE = 200;
/** How many states of one entity a sentence tells. */
const MOST_NAMED = 3;

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

export function rowElsewhere(state: StateElsewhere): ElsewhereRow {
  const { branch, worktree, date, item, differs, others } = state;
  const values: Record<string, string> = {
    ...item.attributes,
    title: item.title,
    criteria: ticksOf(item),
  };
  // A changed status is shown with its assignee.
  const isShown = (name: string) =>
    differs.includes(name) || name === "assignee" && differs.includes("status");
  const names = SHOWN.filter((name) => isShown(name) && values[name] && values[name] !== "0/0");
  const hidden = differs.filter((name) => !SHOWN.includes(name) && name !== "id");
  return {
    branch,
    worktree,
    id: differs.includes("id") ? item.id : undefined,
    ...Object.fromEntries(names.map((name) => [name, shortLine(values[name]!, MOST_VALUE)])),
    date: date && dayOf(date),
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
    const { branch, worktree, status, assignee, title, criteria, differs = [] } = rowElsewhere(
      state,
    );
    const who = isTaken ? {} : { status, assignee };
    const ticked = criteria && here ? newTicks(state.item, here) : [];
    const ticks = ticked.length === 0 ? "" : ` (ticked: ${ticked.join(", ")})`;
    const values = Object.entries({ ...who, title, criteria: criteria && criteria + ticks })
      .flatMap(([name, value]) => value === undefined ? [] : `${name} ${textOf(name, value)}`);
    const { note } = state;
    const notes = note === undefined ? [] : `note ${quoted(note)}`;
    const where = whereText(branch, worktree);
    const all = values.concat(differs.map(word), notes).join(", ");
    return all === "" ? [] : `${all} ${where}`;
  });
  const more = parts.length - MOST_NAMED;
  return parts.slice(0, MOST_NAMED).concat(more > 0 ? `${more} more` : []).join("; ");
}

/** A value in a sentence; ticks are numbers already. */
function textOf(name: string, value: string): string {
  if (name === "criteria") return value;
  return name === "status" ? wordOrText(value) : quoted(value);
}

/** The numbers of the open criteria that are ticked there. */
function newTicks(there: Entity, here: Entity): number[] {
  const ticked = new Set(there.criteria.flatMap(({ text, checked }) => checked ? text : []));
  return here.criteria.flatMap(({ text, checked }, at) =>
    !checked && ticked.has(text) ? at + 1 : []
  );
}

/** A place in words: `on "feature/x"`, or `in "../other"`. */
function whereText(branch: string | undefined, worktree: string | undefined): string {
  return worktree === undefined ? `on ${quotedName(branch ?? "")}` : `in ${quotedName(worktree)}`;
}

/** A state in words: `in-progress on "feature/x" by "ada"`. */
export function sentenceOf(state: StateElsewhere): string {
  const { branch, worktree, id, status = "changed", assignee, others } = rowElsewhere(state);
  const where = whereText(branch, worktree);
  const by = assignee === undefined ? "" : ` by ${quoted(assignee)}`;
  const as = id === undefined ? "" : ` as ${word(id)}`;
  return `${wordOrText(status)} ${where}${by}${as}${
    others === undefined ? "" : ` and ${others} more`
  }`;
}
