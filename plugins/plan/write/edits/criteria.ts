/** Ticks, adds, rewords, moves and removes criteria. */

import { quoted, withEscapes } from "../../../../src/plain_text.ts";
import { nearestNames } from "../../../../src/errors.ts";
import type { EntityType } from "../../entity/types.ts";
import { type Criterion, sectionNamed, type Span } from "../../entity/document.ts";
import { invalidArguments, safeText, validationError } from "../../entity/values.ts";
import { appendToSection } from "./sections.ts";
import { type Edit, UNCHANGED } from "../edits.ts";

const ALL = "all";

/** The changes of existing criteria. */
type Kind = "check" | "uncheck" | "remove" | "reword";

export const CRITERIA_HEADING = "Acceptance Criteria";

/** The headings that the plugin recognizes. */
const CRITERIA_HEADINGS = [CRITERIA_HEADING, "Criteria", "AC", "Done When"];

/**
 * Ticks, unticks or removes criteria. A criterion quoted for ticking must not be ticked already.
 */
export const changeCriteria = (
  kind: "check" | "uncheck" | "remove",
  which: readonly (string | number)[],
): Edit =>
({ entity: { criteria } }) => {
  const isAll = which.includes(ALL) && countOf(criteria, ALL) === 0;
  if (isAll && criteria.length === 0 && kind !== "remove") {
    const hint = "Criteria are lines such as - [ ] It is tested.";
    throw validationError("The entity has no criteria", hint);
  }
  const mayBe = ({ checked }: Criterion) => kind === "remove" || checked !== (kind === "check");
  const open = criteria.filter(mayBe);
  const picked = isAll ? open : which.map((pick) => criterionMeant(pick, kind, open, criteria));
  const changed = [...new Set(picked)].filter(mayBe).sort((a, b) => a.start - b.start);
  if (kind === "remove") {
    return { splices: itemSpans(changed).map((span) => ({ ...span, text: "" })) };
  }
  return { splices: changed.map(({ box, checked }) => ({ ...box, text: checked ? " " : "x" })) };
};

/** The whole items of criteria; one that is nested in another goes with that. */
function itemSpans(criteria: readonly Criterion[]): Span[] {
  const spans: Span[] = [];
  for (const { start, wholeEnd } of criteria) {
    if (start >= (spans.at(-1)?.end ?? 0)) spans.push({ start, end: wholeEnd });
  }
  return spans;
}

/** Replaces the text of a criterion, whose box stays as it is. */
export const rewordCriterion =
  (which: string, newText: string): Edit => ({ text, entity: { criteria, type } }) => {
    const criterion = criterionMeant(which, "reword", criteria, criteria);
    const after = criterionText(newText, type);
    if (after === criterion.text) return UNCHANGED;
    const { box: { start }, words } = criterion;
    const splice = { start, end: words.end, text: text.slice(start, words.start) + after };
    return { splices: [splice], criteria: 1 };
  };

const countOf = (criteria: readonly Criterion[], wanted: string) =>
  criteria.filter(({ text }) => plain(text) === plain(wanted)).length;

/**
 * Finds the criterion that a text or a number means. The listed schema has texts only, because some
 * models reject a choice of types: digits mean the criterion with that text if there is one, else the
 * one with that number. Suggestions come from all criteria.
 */
function criterionMeant(
  which: string | number,
  kind: Kind,
  open: readonly Criterion[],
  all: readonly Criterion[],
): Criterion {
  const isNumber = typeof which === "number" ||
    /^\d+$/.test(which) && countOf(all, which) !== 1 && all[Number(which) - 1] !== undefined;
  if (isNumber) {
    const numbered = all[Number(which) - 1];
    if (numbered !== undefined) return numbered;
    throw validationError(
      `No criterion ${which}`,
      all.length === 0
        ? "The entity has no criteria."
        : `The entity's criteria are numbered from 1 to ${all.length}.`,
    );
  }
  const state = kind === "check" ? "unchecked " : kind === "uncheck" ? "checked " : "";
  const wanted = plain(which);
  if (wanted === "") {
    throw invalidArguments(
      `"${kind}": must not be empty`,
      "Quote the criterion or give its number.",
    );
  }
  const same = open.filter(({ text }) => text === which.trim());
  const exact = same.length > 0 ? same : open.filter(({ text }) => plain(text) === wanted);
  const matching = exact.length > 0
    ? exact
    : open.filter(({ text }) => plain(text).includes(wanted));
  if (matching.length === 1) return matching[0]!;
  if (matching.length > 1) {
    const message = `Ambiguous: ${matching.length} ${state}criteria match ${quoted(which)}`;
    const hint = `Quote more of it or give a number: ${numberedTexts(matching)}.`;
    throw validationError(message, hint);
  }
  const near = nearestNames(wanted, all.map((criterion) => criterion.text));
  const close = all.filter((criterion) => near.includes(criterion.text));
  throw validationError(
    `No ${state}criterion matching ${quoted(which)}`,
    all.length === 0
      ? "The entity has no criteria."
      : `Quote part of one or give its number: ${numberedTexts(close.length > 0 ? close : all)}.`,
  );
}

/** Adds criteria after the existing ones. */
export const addCriteria = (texts: readonly string[]): Edit => (document) => {
  if (texts.length === 0) return UNCHANGED;
  const { type, criteria, sections } = document.entity;
  const text = criteriaText(texts, type);
  const section = CRITERIA_HEADINGS.flatMap((name) => sectionNamed(document.entity, name) ?? [])[0];
  const last = criteria.findLast(({ section: at }) =>
    section === undefined || sections[at] === section
  );
  if (last === undefined) {
    const heading = section?.name ?? CRITERIA_HEADING;
    return { ...appendToSection(heading, text)(document), criteria: texts.length };
  }
  const at = last.itemEnd;
  const before = document.text[at - 1] === "\n" ? "" : "\n";
  const splice = { start: at, end: at, text: `${before}${text}\n` };
  return { splices: [splice], criteria: texts.length };
};

/** Formats criteria as the lines of a section. */
export function criteriaText(texts: readonly string[], type: EntityType): string {
  return texts.map((text) => `- [ ] ${criterionText(text, type)}`).join("\n");
}

/** Normalizes a criterion to one line of text without list markers. */
function criterionText(source: string, type: EntityType): string {
  const { text: safe } = safeText(source, "A criterion", type);
  const text = safe.trim()
    .replace(/^(?:[-*+]\s+)?\[[ xX]?\](?:\s+|$)/, "")
    .replace(/^[-*+]\s+/, "").trim();
  if (text === "") {
    throw invalidArguments("A criterion must not be empty", "State what must be true.");
  }
  if (!text.includes("\n")) return text;
  throw validationError(
    "A criterion must be one line of text",
    "Pass several criteria as several texts.",
  );
}

/** Composed and decomposed letters are equal, and hidden characters and their escapes. */
function plain(text: string | number): string {
  return withEscapes(String(text).trim().normalize("NFC"));
}

/** The first criteria with their numbers. */
function numberedTexts(criteria: readonly Criterion[]): string {
  return criteria.slice(0, 20).map(({ number, text, checked }) =>
    `${number} [${checked ? "x" : " "}] ${quoted(text)}`
  ).join("; ");
}
