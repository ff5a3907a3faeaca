/** The fields of entities that `plan_list` shows, filters, sorts and groups by, and their values. */

import { meantBy, quoted, word, wordOrText } from "../../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { invalidArguments } from "../entity/values.ts";
import { dependenciesOf, referencesOf } from "../store/plan.ts";
import { blockersOf, noteOf, withheldBy } from "./waits.ts";
import { type Entity, listedValues, splitList } from "../entity/entity.ts";
import { contentOf, read } from "../entity/document.ts";
import { pathOf, type PlanView, sourceOf, sourceText, uriOf } from "./access.ts";
import { isReady } from "../entity/lifecycle.ts";
import { dayOf } from "../entity/durations.ts";
import { byNumber, criteriaRatio, progressText, ratioText } from "./progress.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { typesIn } from "../upstream/vocabulary.ts";

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
  resolution: (_plan, { texts }) => texts.resolution,
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
  type: (_plan, { type }) => type,
};

/** Attributes with several values. */
const LISTS = ["tags", "source"];

/** The computed fields, and the attributes that entities of the plan have or may have. */
export function fieldNames(plan: PlanView): string[] {
  const names = new Set([
    ...Object.keys(COMPUTED),
    "status",
    ...Object.values(plan.plugin.vocabulary?.attributes ?? {}).flat(),
    ...plan.entities.flatMap(({ attributes }) => Object.keys(attributes)),
  ]);
  names.delete("name");
  return [...names, "name"];
}

/**
 * Checks names of fields.
 *
 * @param argument The argument that contains them, for the error.
 * @throws {RefraktError} `INVALID_ARGS` with the nearest valid name.
 */
export function checkFields(argument: string, names: readonly string[], valid: readonly string[]) {
  const unknown = names.find((name) => !valid.includes(name));
  if (unknown === undefined) return;
  const hint = `${didYouMean(unknown, valid)} The fields are ${valid.map(word).join(", ")}.`.trim();
  throw invalidArguments(`"${argument}": no such field: ${quoted(unknown)}`, hint);
}

/** Returns the value of a field, if the entity has one. */
export function fieldValue(plan: PlanView, item: Entity, name: string): unknown {
  const compute = Object.hasOwn(COMPUTED, name) ? COMPUTED[name] : undefined;
  const written = LISTS.includes(name) ? listedValues(item, name) : item.attributes[name];
  const value = compute === undefined ? written : compute(plan, item);
  return value === "" || Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Returns the values of a field as texts; empty without a value. */
export function fieldTexts(plan: PlanView, item: Entity, name: string): string[] {
  const value = fieldValue(plan, item, name);
  if (value === undefined) return [];
  // Pointers are sorted by their ids.
  return [value].flat().map((part) => String(Object(part).id ?? part));
}

/** Means "no value" in filters and as a group's key. */
export const NONE = "none";

/** Attributes whose values the vocabulary lists. */
const IN_VOCABULARY = ["status", "priority", "complexity", "severity"];

/** How many values an error lists at most. */
const MOST_VALUES = 30;

export type OneOrMore = string | readonly string[];

/** The values of an attribute: first the vocabulary in its order, then other values in use. */
export function knownValues(plan: PlanView, name: string, ofTypes?: readonly string[]): string[] {
  const vocabulary = plan.plugin.vocabulary ?? NEWEST;
  if (name === "type") return typesIn(vocabulary);
  const types: readonly string[] = ofTypes ?? typesIn(vocabulary);
  const used = plan.entities.flatMap((item) => {
    if (name === "milestone" && item.type === "milestone") return item.id;
    return types.includes(item.type) ? fieldTexts(plan, item, name) : [];
  });
  const statuses = types.flatMap((type) => vocabulary.status[type] ?? []);
  const words = name === "status" ? statuses : vocabulary.values[name] ?? [];
  return [...new Set([...words, ...used.sort(byNumber)])];
}

/**
 * Checks values of an attribute against the vocabulary and the values in use, so that a typing error
 * is an error instead of an empty answer.
 *
 * @param values One value or several; a text may hold several, separated by commas.
 * @param types The types that the values are for.
 * @throws {RefraktError} With the nearest valid values, and with all if they are few.
 */
export function checkValues(
  plan: PlanView,
  name: string,
  values: OneOrMore,
  types?: readonly string[],
): string[] {
  const valid = knownValues(plan, name, types);
  const all = [values].flat().flatMap((value) =>
    valid.includes(value) || !value.includes(",") ? value : splitList(value)
  );
  return all.map((value) => {
    if (value === NONE || valid.includes(value)) return value;
    const lower = value.toLowerCase();
    const meant = valid.find((each) => each.toLowerCase() === lower) ?? meantBy(value, valid);
    if (meant === undefined) throw unknownValue(name, value, valid);
    return meant;
  });
}

/** Checks a single value of an attribute, and returns it as the plan writes it. */
export function checkValue<Text extends string | undefined>(
  plan: PlanView,
  name: string,
  text: Text,
): Text | string {
  if (text === undefined || text === "") return text;
  const values = checkValues(plan, name, text);
  return values.length === 1 ? values[0]! : text;
}

function unknownValue(field: string, value: string, valid: readonly string[]): RefraktError {
  const name = field === "tags" ? "tag" : field;
  const names = name === "status" ? "statuses" : `${name.replace(/y$/, "ie")}s`;
  const isWord = name === "type" || IN_VOCABULARY.includes(name);
  const list = shortList(valid.map(isWord ? wordOrText : quoted), MOST_VALUES);
  const hint = valid.length === 0 ? `The plan has no ${names} yet.` : `The ${names} are ${list}.`;
  const code = IN_VOCABULARY.includes(name) ? "VALIDATION_ERROR" : "NOT_FOUND";
  const message = `No ${name} ${quoted(value)} in the plan`;
  return new RefraktError(name === "type" ? "INVALID_ARGS" : code, message, {
    hint: `${didYouMean(value, valid)} ${hint}`.trim(),
  });
}
