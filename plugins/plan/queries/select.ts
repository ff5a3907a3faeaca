/**
 * Filters, orders and groups entities by their fields, and takes parts of long lists.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { unknownEntity } from "../failures.ts";
import { type Item, listed, parts, type PlanView } from "./access.ts";
import { isBlocked, mentionedIn } from "./dependencies.ts";
import { attributeNames, checkFields, fieldNames, fieldTexts } from "./fields.ts";
import { byNumber, checkValues, knownValues, NONE, type OneOrMore } from "./values.ts";

/** Filters whose values are those of a field of the same name, `tag` of `tags`. */
const BY_VALUE = [
  "type",
  "status",
  "milestone",
  "tag",
  "assignee",
  "priority",
  "complexity",
  "severity",
] as const;

/** What entities are asked for. */
export type Filters =
  & {
    readonly [Name in typeof BY_VALUE[number] | "source" | "mentions"]?:
      | OneOrMore
      | undefined;
  }
  & {
    /** `true` leaves out what is finished, `false` leaves nothing else. */
    readonly open?: boolean | undefined;
    /** `true` for what is blocked: marked so, or by unfinished dependencies. */
    readonly blocked?: boolean | undefined;
  };

/**
 * The entities that pass every filter, in the order of the plan.
 *
 * @throws {RefraktError} For a value that nothing has and nothing may have.
 */
export function filterItems(plan: PlanView, filters: Filters): Item[] {
  const { open, source, mentions, blocked } = filters;
  const types = filters.type === undefined ? undefined : checkValues(plan, "type", filters.type);
  const tests: ((item: Item) => boolean)[] = [];
  for (const name of BY_VALUE) {
    const given = filters[name];
    if (given === undefined) continue;
    const field = name === "tag" ? "tags" : name;
    const wanted = checkValues(plan, field, given, types);
    tests.push((item) => hasOne(fieldTexts(plan, item, field), wanted));
  }
  if (open !== undefined) tests.push((item) => item.finished !== open);
  if (source !== undefined) {
    const wanted = checkIds(plan, source, () => knownValues(plan, "source"));
    tests.push((item) => hasOne(listed(item, "source"), wanted));
  }
  if (mentions !== undefined) {
    const wanted = checkIds(plan, mentions, () => plan.items.flatMap(mentionedIn));
    tests.push((item) => hasOne(mentionedIn(item), wanted));
  }
  if (blocked !== undefined) tests.push((item) => isBlocked(plan, item) === blocked);
  return plan.items.filter((item) => tests.every((test) => test(item)));
}

/** Ids that are in the plan, or that it names although they are not. */
function checkIds(plan: PlanView, given: OneOrMore, named: () => readonly string[]): string[] {
  const ids = [given].flat().flatMap(parts);
  for (const id of ids) {
    if (id === NONE || plan.find(id) !== undefined || named().includes(id)) continue;
    throw unknownEntity(plan.store, id);
  }
  return ids;
}

function hasOne(values: readonly string[], wanted: readonly string[]): boolean {
  if (values.length === 0) return wanted.includes(NONE);
  return values.some((value) => wanted.includes(value));
}

/** Fields whose values have an order of their own. */
const RANKED = ["type", "status", "priority", "complexity", "severity"];

/** Compares two values of a field: by the vocabulary, else in natural order; none comes last. */
function valueOrder(plan: PlanView, name: string): (a: string, b: string) => number {
  const known = RANKED.includes(name) ? knownValues(plan, name) : [];
  const rank = new Map(known.map((value, index) => [value, index]));
  return (a, b) => {
    if (a === b) return 0;
    if (a === NONE || b === NONE) return a === NONE ? 1 : -1;
    const [first, second] = [rank.get(a) ?? known.length, rank.get(b) ?? known.length];
    return first - second || byNumber(a, b);
  };
}

/** The order of ids: types as the vocabulary has them, numbers as numbers. */
export function byId(plan: PlanView): (a: Item, b: Item) => number {
  const types = valueOrder(plan, "type");
  return (a, b) => types(a.type, b.type) || byNumber(a.id, b.id);
}

/**
 * Sorts items by fields: `priority`, `-modified`, `milestone,priority`. What is
 * equal stays in the order of ids.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown field.
 */
export function sortItems(plan: PlanView, items: readonly Item[], sort: string): Item[] {
  const orders = parts(sort).map((part) => {
    const name = part.replace(/^-/, "");
    checkFields("sort", [name], fieldNames(plan));
    const textOf = (item: Item) => fieldTexts(plan, item, name).join(",") || NONE;
    const texts = new Map(items.map((item) => [item, textOf(item)]));
    return { isDown: part.startsWith("-"), order: valueOrder(plan, name), texts };
  });
  const ids = byId(plan);
  return items.toSorted((a, b) => {
    for (const { isDown, order, texts } of orders) {
      const [first, second] = [texts.get(a)!, texts.get(b)!];
      const compared = order(first, second);
      if (compared === 0) continue;
      // What has no value comes last either way.
      return first === NONE || second === NONE || !isDown ? compared : -compared;
    }
    return ids(a, b);
  });
}

/** A value that items share (`none` where they have none), how many, and how many unfinished. */
export interface Group {
  key: string;
  count: number;
  open: number;
}

/** Attributes whose groups are sorted by size. */
const BY_SIZE = ["tags", "source", "assignee"];

/**
 * Groups items. One with several tags or sources counts in each of its groups.
 *
 * @throws {RefraktError} `INVALID_ARGS` for something that nothing can be grouped by.
 */
export function groupItems(plan: PlanView, items: readonly Item[], by: string): Group[] {
  const name = by === "tag" ? "tags" : by;
  checkFields("groupBy", [name], attributeNames(plan));
  const groups = new Map<string, Group>();
  for (const item of items) {
    const values = fieldTexts(plan, item, name);
    for (const key of values.length === 0 ? [NONE] : new Set(values)) {
      const group = groups.get(key) ?? { key, count: 0, open: 0 };
      groups.set(key, group);
      group.count++;
      if (!item.finished) group.open++;
    }
  }
  const order = valueOrder(plan, name);
  const isBySize = BY_SIZE.includes(name);
  return [...groups.values()].sort((a, b) =>
    (isBySize && a.key !== NONE && b.key !== NONE ? b.count - a.count : 0) || order(a.key, b.key)
  );
}

/** Takes the part of a list that a `nextCursor` begins; refuses a cursor that no answer gave. */
export function pageOf<Value>(
  all: readonly Value[],
  limit: number,
  cursor: string | undefined,
): { items: Value[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(start)) {
    throw new RefraktError("INVALID_ARGS", `"cursor": not one of ours: ${JSON.stringify(cursor)}`, {
      hint: "Give the nextCursor of the answer before, or leave it out to begin.",
    });
  }
  const end = start + limit;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: String(end) } : { items };
}
