/**
 * Checks values in arguments against the vocabulary and the values in use, so that a typing
 * error is an error instead of an empty answer.
 */

import { shortList } from "../../../src/plugin/counted.ts";
import { meantBy, quoted, wordOrText } from "../../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { byNumber } from "./progress.ts";
import { parts } from "../entity/entity.ts";
import { type PlanView } from "./access.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { typesIn } from "../upstream/vocabulary.ts";
import { fieldTexts } from "./fields.ts";

/** Means "no value" in filters and as a group's key. */
export const NONE = "none";

/** Attributes whose values the vocabulary lists. */
const LISTED = ["status", "priority", "complexity", "severity"];

/** How many values an error lists at most. */
const SHOWN = 30;

export type OneOrMore = string | readonly string[];

/** The values of an attribute: first the vocabulary in its order, then other values in use. */
export function knownValues(
  plan: PlanView,
  name: string,
  ofTypes?: readonly string[],
): string[] {
  const vocabulary = plan.plugin.vocabulary ?? NEWEST;
  const types: readonly string[] = ofTypes ?? typesIn(vocabulary);
  if (name === "type") return typesIn(vocabulary);
  const { status, values } = vocabulary;
  const used = plan.entities.flatMap((item) =>
    name === "milestone" && item.type === "milestone"
      ? item.id
      : types.includes(item.type)
      ? fieldTexts(plan, item, name)
      : []
  );
  return [
    ...new Set([
      ...(name === "status" ? types.flatMap((type) => status[type] ?? []) : []),
      ...values[name] ?? [],
      ...[...new Set(used)].sort(byNumber),
    ]),
  ];
}

/**
 * Checks values of an attribute.
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
  const meanings: string[] = [];
  for (const value of [values].flat()) {
    const isOne = valid.includes(value) || !value.includes(",");
    for (const part of isOne ? [value] : parts(value)) {
      const lower = part.toLowerCase();
      const meant = part === NONE || valid.includes(part)
        ? part
        : valid.find((name) => name.toLowerCase() === lower) ?? meantBy(part, valid);
      if (meant === undefined) throw unknownValue(name, part, valid);
      meanings.push(meant);
    }
  }
  return meanings;
}

/** The one value of an attribute that was given, as the plan writes it. */
export function checkValue<Text extends string | undefined>(
  plan: PlanView,
  name: string,
  text: Text,
): Text | string {
  if (text === undefined || text === "") return text;
  const values = checkValues(plan, name, text);
  return values.length === 1 ? values[0]! : text;
}

function unknownValue(
  field: string,
  value: string,
  valid: readonly string[],
): RefraktError {
  const name = field === "tags" ? "tag" : field;
  const names = name.endsWith("status")
    ? "statuses"
    : name.endsWith("y")
    ? `${name.slice(0, -1)}ies`
    : `${name}s`;
  const hint = valid.length === 0
    ? `The plan has no ${names} yet.`
    : `The ${names} are ${
      shortList(valid.map(name === "type" || LISTED.includes(name) ? wordOrText : quoted), SHOWN)
    }.`;
  const code = name === "type"
    ? "INVALID_ARGS"
    : LISTED.includes(name)
    ? "VALIDATION_ERROR"
    : "NOT_FOUND";
  return new RefraktError(code, `No ${name} ${quoted(value)} in the plan`, {
    hint: `${didYouMean(value, valid)} ${hint}`.trim(),
  });
}
