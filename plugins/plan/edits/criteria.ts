/**
 * Ticking criteria: those of the entity alone, and none in a code fence.
 *
 * @module
 */

import { nearest, RefraktError } from "../../../src/errors.ts";
import type { EditOutcome } from "../edits.ts";
import type { CriterionLine, Outline } from "../outline.ts";

/** Criteria: all of them, or some by number (from 1) or by text. */
export type CriterionPick = "all" | readonly (string | number)[];

/** Ticks or unticks criteria. One that is named by its text must not be so already. */
export function tick(
  { kind, which }: { readonly kind: "check" | "uncheck"; readonly which: CriterionPick },
  _source: string,
  { criteria }: Outline,
): EditOutcome {
  const wanted = kind === "check";
  const found = new Set<CriterionLine>();
  if (which === "all") {
    for (const criterion of criteria) if (criterion.checked !== wanted) found.add(criterion);
    if (criteria.length === 0) throw none();
  } else {
    for (const one of which) {
      const criterion = typeof one === "number"
        ? numbered(criteria, one)
        : named(criteria.filter(({ checked }) => checked !== wanted), one, kind, criteria);
      if (criterion.checked !== wanted) found.add(criterion);
    }
  }
  const [old, now] = wanted ? ["[ ]", "[x]"] : ["[x]", "[ ]"];
  return {
    splices: [...found].map(({ box }) => ({ start: box, end: box + 1, text: wanted ? "x" : " " })),
    changes: [...found].map(({ text }) => ({
      field: "criterion",
      old: `${old} ${text}`,
      new: `${now} ${text}`,
    })),
  };
}

/** The criterion of a number. */
export function numbered(criteria: readonly CriterionLine[], number: number): CriterionLine {
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
 * holds it.
 *
 * @param candidates Those that may be meant.
 * @param all Those that the nearest are looked for in.
 */
export function named(
  candidates: readonly CriterionLine[],
  text: string,
  kind: "check" | "uncheck" | "remove",
  all: readonly CriterionLine[],
): CriterionLine {
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
      { hint: `Quote more of it, or give a number: ${found.map(shown).join("; ")}.` },
    );
  }
  const near = nearest(wanted, all.map((criterion) => criterion.text));
  const listed = all.filter((criterion) => near.includes(criterion.text));
  throw new RefraktError("VALIDATION_ERROR", `No ${state}criterion matching "${text}"`, {
    hint: all.length === 0
      ? "The entity has no criteria."
      : `Quote a part of one, or give its number: ${
        (listed.length > 0 ? listed : all.slice(0, 20)).map(shown).join("; ")
      }.`,
  });
}

/** A text as two are compared: letters of one piece and of several are the same. */
function plain(text: string): string {
  return text.trim().normalize("NFC");
}

function none(): RefraktError {
  return new RefraktError("VALIDATION_ERROR", "The entity has no criteria", {
    hint: "Criteria are lines such as - [ ] It is tested.",
  });
}

function shown({ number, text, checked }: CriterionLine): string {
  return `${number} [${checked ? "x" : " "}] ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
}
