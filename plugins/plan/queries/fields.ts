/** The fields of entities that `plan_list` shows, filters, sorts and groups by. */

import { quoted, word } from "../../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { dependenciesOf, referencesOf } from "../store/relations.ts";
import { blockersOf, noteOf, withheldBy } from "./waits.ts";
import { type Entity, listed } from "../entity/entity.ts";
import { contentOf, read } from "../entity/document.ts";
import { pathOf, type PlanView, sourceOf, sourceText, uriOf } from "./access.ts";
import { isReady } from "../entity/lifecycle.ts";
import { dayOf } from "../entity/durations.ts";
import { criteriaRatio, progressText, ratioText } from "./progress.ts";

const ids = (items: readonly Entity[]) => items.map(({ id }) => id);

/** Computed fields by name. */
const COMPUTED: Readonly<Record<string, (plan: PlanView, item: Entity) => unknown>> = {
  id: (_plan, { id }) => id,
  title: (_plan, { title }) => title,
  path: pathOf,
  uri: (_plan, item) => uriOf(item),
  criteria: (_plan, item) => ratioText(criteriaRatio(item)),
  dependencies: (_plan, item) => dependenciesOf(item),
  references: (_plan, item) => referencesOf(item),
  blockedBy: (plan, item) => ids(blockersOf(plan, item)),
  blocks: ({ blocking }, item) => blocking?.(item) || undefined,
  referencedBy: (plan, item) =>
    plan.pointers(item.id).map(({ from: { id }, kind }) => ({ id, kind })),
  progress: progressText,
  note: noteOf,
  newestNote: (_plan, { note }) => note,
  withheldBy: (plan, item) => ids(withheldBy(plan, item)),
  taken: ({ taken }, { id, type, status }) =>
    isReady(type, status) ? taken?.taken.get(id) : undefined,
  changedElsewhere: ({ taken }, { id }) => taken?.changed?.(id),
  resolution: (plan, item) => {
    if (item.resolution === undefined) return undefined;
    const document = read(sourceOf(plan, item));
    const { resolution } = document.entity ?? {};
    return resolution && contentOf(document, resolution.content);
  },
  markdoc: sourceText,
  attributes: (_plan, { attributes: { id: _id, name: _name, ...others } }) => others,
  sections: (plan, item) => {
    const document = read(sourceOf(plan, item));
    const { sections = [] } = document.entity ?? {};
    return Object.fromEntries(
      sections.map(({ name, content }) => [name, contentOf(document, content)]),
    );
  },
  modified: ({ datesOf }, item) => {
    const date = datesOf?.(item).modified;
    return date && dayOf(date);
  },
};

const LISTS = ["tags", "source"];

/** The attributes that entities of the plan have or may have. */
function attributeNames(plan: PlanView): string[] {
  return [
    ...new Set([
      "type",
      "status",
      ...Object.values(plan.plugin.vocabulary?.attributes ?? {}).flat(),
      ...plan.entities.flatMap(({ attributes }) => Object.keys(attributes)),
    ]),
  ].filter((name) => name !== "id" && name !== "name");
}

export function fieldNames(plan: PlanView): string[] {
  return [...Object.keys(COMPUTED), ...attributeNames(plan), "name"];
}

/**
 * Checks names of fields.
 *
 * @param argument The argument that contains them, for the error.
 * @throws {RefraktError} `INVALID_ARGS` with the nearest valid name.
 */
export function checkFields(
  argument: string,
  names: readonly string[],
  valid: readonly string[],
): void {
  const unknown = names.find((name) => !valid.includes(name));
  if (unknown === undefined) return;
  throw new RefraktError("INVALID_ARGS", `"${argument}": no such field: ${quoted(unknown)}`, {
    hint: `${didYouMean(unknown, valid)} The fields are ${valid.map(word).join(", ")}.`.trim(),
  });
}

/** Returns the value of a field, if the entity has one. */
export function fieldValue(plan: PlanView, item: Entity, name: string): unknown {
  const value = valueOf(plan, item, name);
  return value === "" || Array.isArray(value) && value.length === 0 ? undefined : value;
}

function valueOf(plan: PlanView, item: Entity, name: string): unknown {
  if (Object.hasOwn(COMPUTED, name)) return COMPUTED[name]!(plan, item);
  if (name === "type") return item.type;
  return LISTS.includes(name) ? listed(item, name) : item.attributes[name];
}

/** Returns the values of a field as texts; empty without a value. */
export function fieldTexts(plan: PlanView, item: Entity, name: string): string[] {
  const value = fieldValue(plan, item, name);
  if (value === undefined) return [];
  // What points here is sorted by its ids.
  return [value].flat().map((part) => String(Object(part).id ?? part));
}
