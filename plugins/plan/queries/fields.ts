/**
 * What a row of `plan.list` can show beside id, title and status.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { type Item, listed, pathOf, type PlanView, uriOf } from "./access.ts";
import { dependenciesOf, dependentsOf, referencesOf, waitsFor } from "./dependencies.ts";

/** What is computed of an entity, by the name of the field. */
const COMPUTED: Readonly<Record<string, (plan: PlanView, item: Item) => unknown>> = {
  type: (_plan, item) => item.type,
  path: pathOf,
  uri: (_plan, item) => uriOf(item),
  criteria: (_plan, { entity: { criteria } }) =>
    criteria.length === 0
      ? undefined
      : `${criteria.filter((one) => one.checked).length}/${criteria.length}`,
  dependencies: (_plan, item) => dependenciesOf(item),
  dependents: (plan, item) => dependentsOf(plan, item).map(({ id }) => id),
  references: (_plan, item) => referencesOf(item),
  blockedBy: waitsFor,
  modified: (_plan, { entity }) =>
    entity.mtime === undefined ? undefined : new Date(entity.mtime).toISOString().slice(0, 10),
};

/** Attributes that hold a list. */
const LISTS = new Set(["tags", "source"]);

/** Every field of a plan: what is computed, and the attributes of its entities. */
export function fieldNames(plan: PlanView): string[] {
  const names = new Set(["id", "title", "status", ...Object.keys(COMPUTED)]);
  for (const attributes of Object.values(plan.vocabulary?.attributes ?? {})) {
    for (const name of attributes) names.add(name);
  }
  for (const { entity } of plan.items) {
    for (const name of Object.keys(entity.attributes)) names.add(name);
  }
  return [...names];
}

/**
 * Checks names of fields.
 *
 * @param argument The argument that holds them, for the error.
 */
export function checkFields(plan: PlanView, argument: string, names: readonly string[]): void {
  const known = fieldNames(plan);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new RefraktError("INVALID_ARGS", `"${argument}": no such field: "${name.slice(0, 80)}"`, {
      hint: `${didYouMean(name, known)} The fields are ${known.join(", ")}.`.trim(),
    });
  }
}

/** The value of a field; `undefined` where the entity has none. */
export function fieldValue(plan: PlanView, item: Item, name: string): unknown {
  if (name === "id") return item.id;
  if (name === "title") return item.title || undefined;
  const compute = Object.hasOwn(COMPUTED, name) ? COMPUTED[name] : undefined;
  const value = compute !== undefined
    ? compute(plan, item)
    : LISTS.has(name)
    ? listed(item, name)
    : item.entity.attributes[name];
  return value === "" || Array.isArray(value) && value.length === 0 ? undefined : value;
}
