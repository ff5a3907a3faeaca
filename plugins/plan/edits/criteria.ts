/**
 * Ticking criteria.
 *
 * @module
 */

import { nearest, RefraktError } from "../../../src/errors.ts";
import type { Criterion } from "../document.ts";
import type { Editable, EditOutcome } from "./outcome.ts";

/** Criteria: all of them, or some by number (from 1) or by text. */
export type CriterionPick = "all" | readonly (string | number)[];

/** Ticks or unticks criteria. One that is named by its text must not be so already. */
export function tick(
  { kind, which }: { readonly kind: "check" | "uncheck"; readonly which: CriterionPick },
  document: Editable,
): EditOutcome {
  const { criteria } = document.entity;
  const wanted = kind === "check";
  const isOther = ({ checked }: Criterion) => checked !== wanted;
  if (which === "all" && criteria.length === 0) throw none();
  const picked = which === "all"
    ? criteria
    : which.map((one) =>
      typeof one === "number"
        ? numbered(criteria, one)
        : named(criteria.filter(isOther), one, kind, criteria)
    );
  const found = new Set(picked.filter(isOther));
  const [old, now] = wanted ? ["[ ]", "[x]"] : ["[x]", "[ ]"];
  return {
    splices: [...found].map(({ box }) => ({ ...box, text: wanted ? "x" : " " })),
    touched: sectionsWith(found),
    criteria: criteria.length,
    changes: [...found].map(({ text }) => ({
      field: "criterion",
      old: `${old} ${text}`,
      new: `${now} ${text}`,
    })),
  };
}

/** The indexes of the sections that criteria stand in. */
export function sectionsWith(criteria: Iterable<Criterion>): number[] {
  return [...new Set(Array.from(criteria, ({ section }) => section))];
}

/** The criterion of a number. */
export function numbered(criteria: readonly Criterion[], number: number): Criterion {
  const found = criteria[number - 1];
  if (found !== undefined) return found;
  throw new RefraktError("VALIDATION_ERROR", `No criterion ${number}`, {
    hint: criteria.length === 0
      ? "The entity has no criteria."
      : `The entity's criteria have the numbers 1 to ${criteria.length}.`,
  });
}

/**
 * The criterion that a text singles out: the one that is the text, else the one that
 * contains it.
 *
 * @param candidates Those that may be meant.
 * @param all Those that the nearest are looked for in.
 */
export function named(
  candidates: readonly Criterion[],
  text: string,
  kind: "check" | "uncheck" | "remove",
  all: readonly Criterion[],
): Criterion {
  const state = kind === "check" ? "unchecked " : kind === "uncheck" ? "checked " : "";
  const wanted = plain(text);
  if (wanted === "") {
    throw new RefraktError("INVALID_ARGS", `"${kind}": may not be empty`, {
      hint: "Quote the criterion, or give its number.",
    });
  }
  const exact = candidates.filter((criterion) => plain(criterion.text) === wanted);
  const found = exact.length > 0
    ? exact
    : candidates.filter((criterion) => plain(criterion.text).includes(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `Ambiguous: ${found.length} ${state}criteria match "${text}"`,
      { hint: `Quote more of it, or give a number: ${listed(found)}.` },
    );
  }
  const near = nearest(wanted, all.map((criterion) => criterion.text));
  const close = all.filter((criterion) => near.includes(criterion.text));
  throw new RefraktError("VALIDATION_ERROR", `No ${state}criterion matching "${text}"`, {
    hint: all.length === 0
      ? "The entity has no criteria."
      : `Quote a part of one, or give its number: ${listed(close.length > 0 ? close : all)}.`,
  });
}

/** A text as two are compared: letters of one piece and of several are the same. */
export function plain(text: string): string {
  return text.trim().normalize("NFC");
}

function none(): RefraktError {
  return new RefraktError("VALIDATION_ERROR", "The entity has no criteria", {
    hint: "Criteria are lines such as - [ ] It is tested.",
  });
}

/** The first criteria with their numbers. */
function listed(criteria: readonly Criterion[]): string {
  return criteria.slice(0, 20).map(({ number, text, checked }) =>
    `${number} [${checked ? "x" : " "}] ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`
  ).join("; ");
}
