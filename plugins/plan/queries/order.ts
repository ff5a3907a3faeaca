/**
 * The order of rows and of groups: values of a vocabulary in its order, the rest
 * in natural order, what has no value last.
 *
 * @module
 */

import type { Item, PlanView } from "./access.ts";
import { checkFields, fieldValue } from "./fields.ts";
import { byNumber, knownValues, NONE } from "./values.ts";

/** Names whose values have an order of their own. */
const RANKED = ["type", "status", "priority", "complexity", "severity"];

/** Compares two values of an attribute. */
export function valueOrder(plan: PlanView, name: string): (a: string, b: string) => number {
  const known = RANKED.includes(name) ? knownValues(plan, name) : [];
  const rank = new Map(known.map((value, index) => [value, index]));
  return (a, b) => {
    if (a === b) return 0;
    if (a === NONE || b === NONE) return a === NONE ? 1 : -1;
    const [first, second] = [rank.get(a) ?? known.length, rank.get(b) ?? known.length];
    return first - second || byNumber(a, b);
  };
}

/**
 * Sorts items by fields: `priority`, `-modified`, `milestone,priority`. What is
 * equal stays in the order of ids.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown field.
 */
export function sortItems(plan: PlanView, items: readonly Item[], sort: string): Item[] {
  const keys = sort.split(",").map((part) => part.trim()).filter((part) => part !== "")
    .map((part) => ({ name: part.replace(/^-/, ""), down: part.startsWith("-") }));
  checkFields(plan, "sort", keys.map(({ name }) => name));
  const orders = keys.map(({ name, down }) => ({
    name,
    down,
    order: valueOrder(plan, name),
    values: new Map(items.map((item) => [item, sortKey(fieldValue(plan, item, name))])),
  }));
  const ids = byId(plan);
  return items.toSorted((a, b) => {
    for (const { down, order, values } of orders) {
      const [first, second] = [values.get(a)!, values.get(b)!];
      const compared = order(first, second);
      if (compared === 0) continue;
      // What has no value comes last either way.
      return first === NONE || second === NONE || !down ? compared : -compared;
    }
    return ids(a, b);
  });
}

/** The order of ids: types as the vocabulary has them, numbers as numbers. */
export function byId(plan: PlanView): (a: Item, b: Item) => number {
  const types = valueOrder(plan, "type");
  return (a, b) => types(a.type, b.type) || byNumber(a.id, b.id);
}

function sortKey(value: unknown): string {
  if (value === undefined) return NONE;
  return Array.isArray(value) ? value.join(",") : String(value);
}
