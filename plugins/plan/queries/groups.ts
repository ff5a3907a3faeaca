/**
 * Counts by the value of an attribute.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../../src/errors.ts";
import type { Item, PlanView } from "./access.ts";
import { fieldNames } from "./fields.ts";
import { valueOrder } from "./order.ts";
import { attributeValues, NONE } from "./values.ts";

/** One group. */
export interface Group {
  /** The value that its items share; `none` where they have none. */
  key: string;
  /** How many there are. */
  count: number;
  /** How many of them are not finished. */
  open: number;
}

/** What entities can be grouped by. */
export function groupNames(plan: PlanView): string[] {
  const computed = [
    "id",
    "title",
    "name",
    "tags",
    "path",
    "uri",
    "criteria",
    "dependencies",
    "dependents",
    "references",
    "blockedBy",
    "modified",
  ];
  return [...fieldNames(plan).filter((name) => !computed.includes(name)), "tag"];
}

/**
 * Groups items. One with several tags or sources counts in each of its groups.
 *
 * @throws {RefraktError} `INVALID_ARGS` for something that nothing can be grouped by.
 */
export function groupItems(plan: PlanView, items: readonly Item[], by: string): Group[] {
  const name = by === "tags" ? "tag" : by;
  const names = groupNames(plan);
  if (!names.includes(name)) {
    throw new RefraktError("INVALID_ARGS", `"groupBy": no such attribute: "${by.slice(0, 80)}"`, {
      hint: `${didYouMean(by, names)} Group by one of ${names.join(", ")}.`.trim(),
    });
  }
  const groups = new Map<string, Group>();
  for (const item of items) {
    const values = attributeValues(item, name);
    for (const key of values.length === 0 ? [NONE] : new Set(values)) {
      const group = groups.get(key) ?? { key, count: 0, open: 0 };
      groups.set(key, group);
      group.count++;
      if (!item.finished) group.open++;
    }
  }
  const order = valueOrder(plan, name);
  const byCount = name === "tag" || name === "source" || name === "assignee";
  return [...groups.values()].sort((a, b) =>
    (byCount && a.key !== NONE && b.key !== NONE ? b.count - a.count : 0) || order(a.key, b.key)
  );
}
