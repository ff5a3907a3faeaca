/**
 * Filters of `plan.list` and of every other question about a part of the plan.
 *
 * @module
 */

import { unknownEntity } from "../failures.ts";
import { type Item, listed, type PlanView } from "./access.ts";
import { isBlocked } from "./dependencies.ts";
import { attributeValues, checkValues, knownValues, NONE, type OneOrMore } from "./values.ts";

/** What entities are asked for. */
export interface Filters {
  /** Types. */
  readonly type?: OneOrMore | undefined;
  /** Statuses. */
  readonly status?: OneOrMore | undefined;
  /** `true` leaves out what is finished, `false` leaves nothing else. */
  readonly open?: boolean | undefined;
  /** Milestones by name. */
  readonly milestone?: OneOrMore | undefined;
  /** Specs or decisions that the `source` attribute names. */
  readonly source?: OneOrMore | undefined;
  /** Tags. */
  readonly tag?: OneOrMore | undefined;
  /** Assignees. */
  readonly assignee?: OneOrMore | undefined;
  /** Priorities. */
  readonly priority?: OneOrMore | undefined;
  /** Complexities. */
  readonly complexity?: OneOrMore | undefined;
  /** Severities. */
  readonly severity?: OneOrMore | undefined;
  /** Ids that the text refers to. */
  readonly mentions?: OneOrMore | undefined;
  /** `true` for what is blocked by its status or by unfinished dependencies. */
  readonly blocked?: boolean | undefined;
}

const BY_VALUE = [
  "status",
  "milestone",
  "tag",
  "assignee",
  "priority",
  "complexity",
  "severity",
] as const;

/**
 * The entities that pass every filter, in the order of the plan.
 *
 * @throws {RefraktError} For a value that nothing has and nothing may have.
 */
export function filterItems(plan: PlanView, filters: Filters): Item[] {
  const tests: ((item: Item) => boolean)[] = [];
  const { type, open, source, mentions, blocked } = filters;
  const types = type === undefined ? undefined : checkValues(plan, "type", type);
  if (types !== undefined) tests.push((item) => types.includes(item.type));
  if (open !== undefined) tests.push((item) => item.finished !== open);
  for (const name of BY_VALUE) {
    const given = filters[name];
    if (given === undefined) continue;
    const wanted = checkValues(plan, name, given, types);
    tests.push((item) => hasOne(attributeValues(item, name), wanted));
  }
  if (source !== undefined) {
    const wanted = checkIds(plan, source, knownValues(plan, "source"));
    tests.push((item) => hasOne(listed(item, "source"), wanted));
  }
  if (mentions !== undefined) {
    const wanted = checkIds(plan, mentions, plan.items.flatMap(({ entity }) => entity.refs));
    tests.push((item) => hasOne(item.entity.refs, wanted));
  }
  if (blocked !== undefined) tests.push((item) => isBlocked(plan, item) === blocked);
  return plan.items.filter((item) => tests.every((test) => test(item)));
}

/** Ids that are in the plan, or that it names although they are not. */
function checkIds(plan: PlanView, given: OneOrMore, named: readonly string[]): string[] {
  const ids = (typeof given === "string" ? [given] : given).flatMap((id) => id.split(","))
    .map((id) => id.trim()).filter((id) => id !== "");
  for (const id of ids) {
    if (id === NONE || plan.find(id) !== undefined || named.includes(id)) continue;
    throw unknownEntity(plan.store, id);
  }
  return ids;
}

function hasOne(values: readonly string[], wanted: readonly string[]): boolean {
  if (values.length === 0) return wanted.includes(NONE);
  return values.some((value) => wanted.includes(value));
}
