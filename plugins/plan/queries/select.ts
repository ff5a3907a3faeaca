/** Filters, sorts, groups and paginates entities. */

import { quotedName } from "../../../src/plain_text.ts";
import { invalidArguments } from "../entity/values.ts";
import { byNumber } from "./progress.ts";
import { type Entity, splitList } from "../entity/entity.ts";
import { type PlanView } from "./access.ts";
import {
  checkFields,
  checkValues,
  fieldNames,
  fieldTexts,
  knownValues,
  NONE,
  type OneOrMore,
} from "./fields.ts";

/** Filters by the values of the field of the same name; `tag` filters by `tags`. */
const BY_VALUE = ["type", "status", "milestone", "tag", "assignee", "priority"] as const;

export type Filters =
  & { readonly [Name in typeof BY_VALUE[number]]?: OneOrMore | undefined }
  & {
    /** `true`: only unfinished; `false`: only finished. */
    readonly open?: boolean | undefined;
  };

/**
 * Returns the entities that pass every filter, in the plan's order.
 *
 * @throws {RefraktError} For an unknown value.
 */
export function filterItems(plan: PlanView, filters: Filters): Entity[] {
  const { open } = filters;
  const types = filters.type === undefined ? undefined : checkValues(plan, "type", filters.type);
  const tests: ((item: Entity) => boolean)[] = [];
  for (const name of BY_VALUE) {
    const value = filters[name];
    if (value === undefined) continue;
    const field = name === "tag" ? "tags" : name;
    const wanted = checkValues(plan, field, value, types);
    tests.push((item) => {
      const texts = fieldTexts(plan, item, field);
      return wanted.some((value) => value === NONE && texts.length === 0 || texts.includes(value));
    });
  }
  if (open !== undefined) tests.push((item) => item.finished !== open);
  return plan.entities.filter((item) => tests.every((test) => test(item)));
}

/** Fields whose values are ordered by the vocabulary. */
const RANKED = ["type", "status", "priority", "complexity", "severity"];

/** Compares two values of a field by the vocabulary, else in natural order; no value comes last. */
function valueOrder(plan: PlanView, name: string): (a: string, b: string) => number {
  const values = RANKED.includes(name) ? knownValues(plan, name) : [];
  const rank = new Map(values.map((value, index) => [value, index]));
  return (a, b) => {
    if (a === b) return 0;
    if (a === NONE || b === NONE) return a === NONE ? 1 : -1;
    const rankOfValue = (value: string) => rank.get(value) ?? values.length;
    return rankOfValue(a) - rankOfValue(b) || byNumber(a, b);
  };
}

/** Compares by type in the vocabulary's order, then by id in natural order; of one id, as in `find`. */
export function byId(plan: PlanView): (a: Entity, b: Entity) => number {
  const types = valueOrder(plan, "type");
  const rank = (item: Entity) => plan.allOf(item.id).indexOf(item);
  return (a, b) => types(a.type, b.type) || byNumber(a.id, b.id) || rank(a) - rank(b);
}

/**
 * Sorts items by fields such as `priority`, `-modified` or `milestone,priority`, then by id.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown field.
 */
export function sortItems(plan: PlanView, items: readonly Entity[], sort: string): Entity[] {
  const orders = splitList(sort).map((part) => {
    const name = part.replace(/^-/, "");
    checkFields("sort", [name], fieldNames(plan));
    const textOf = (item: Entity) => fieldTexts(plan, item, name).join(",") || NONE;
    const texts = new Map(items.map((item) => [item, textOf(item)]));
    return { isDown: part.startsWith("-"), order: valueOrder(plan, name), texts };
  });
  const ids = byId(plan);
  return items.toSorted((a, b) => {
    for (const { isDown, order, texts } of orders) {
      const first = texts.get(a)!;
      const second = texts.get(b)!;
      const compared = order(first, second);
      if (compared === 0) continue;
      // Items without a value come last in either direction.
      return first === NONE || second === NONE || !isDown ? compared : -compared;
    }
    return ids(a, b);
  });
}

/** Items by type or status (`none` without one), in the vocabulary's order. */
export function groupItems(plan: PlanView, items: readonly Entity[], by: "type" | "status") {
  const order = valueOrder(plan, by);
  return [...Map.groupBy(items, (item) => item[by] || NONE)].sort(([a], [b]) => order(a, b));
}

/** Returns one page of a list; rejects an invalid cursor. */
export function pageOf<Value>(
  all: readonly Value[],
  limit: number,
  cursor: string | undefined,
): { items: Value[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(start)) {
    const hint = "Pass the nextCursor of the previous answer, or omit it to start.";
    throw invalidArguments(`"cursor": invalid: ${quotedName(cursor!)}`, hint);
  }
  const end = start + limit;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: String(end) } : { items };
}
