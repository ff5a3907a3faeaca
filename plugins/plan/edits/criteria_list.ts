/**
 * Adds and removes criteria.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { linesOf } from "../../../src/project/entities.ts";
import type { EditOutcome } from "../edits.ts";
import type { CriterionLine, Outline } from "../outline.ts";
import { safeText } from "../safe_text.ts";
import { type CriterionPick, named, numbered } from "./criteria.ts";
import { addSection, findSection, withoutEmptyEnd } from "./sections.ts";

const HEADING = "Acceptance Criteria";

/** Other headings of the same section, as the plugin knows them. */
const NAMES = [HEADING, "Criteria", "AC", "Done When"];

/** Criteria as the lines of a section. */
export function criteriaText(texts: readonly string[]): string {
  return texts.map((text) => `- [ ] ${criterionText(text)}`).join("\n");
}

/** Adds criteria after those that are there. */
export function addCriteria(
  { texts }: { readonly texts: readonly string[] },
  source: string,
  outline: Outline,
): EditOutcome {
  if (texts.length === 0) return { splices: [], changes: [] };
  const lines = criteriaText(texts);
  const changes = texts.map((text) => ({
    field: "criterion",
    old: "",
    new: `[ ] ${criterionText(text)}`,
  }));
  const section = NAMES.flatMap((name) => findSection(outline, name) ?? [])[0];
  const last = outline.criteria.findLast(({ start }) =>
    section === undefined || start >= section.bodyStart && start < section.end
  );
  if (last !== undefined) {
    const at = endOf(source, last);
    return { splices: [{ start: at, end: at, text: `\n${lines}` }], changes };
  }
  if (section === undefined) {
    return { ...addSection(HEADING, lines, source, outline), changes };
  }
  const old = withoutEmptyEnd(source.slice(section.bodyStart, section.end));
  const at = section.bodyStart + old.length;
  const text = old === "" ? `${lines}\n` : `\n\n${lines}`;
  return { splices: [{ start: at, end: at, text }], changes };
}

/** Removes criteria, with the lines that belong to them. */
export function removeCriteria(
  { which }: { readonly which: CriterionPick },
  source: string,
  { criteria }: Outline,
): EditOutcome {
  const found = new Set(
    which === "all"
      ? criteria
      : which.map((one) =>
        typeof one === "number" ? numbered(criteria, one) : named(criteria, one, "remove", criteria)
      ),
  );
  return {
    splices: [...found].map((criterion) => {
      const end = endOf(source, criterion);
      return { start: criterion.start, end: Math.min(end + 1, source.length), text: "" };
    }),
    changes: [...found].map(({ text, checked }) => ({
      field: "criterion",
      old: `${checked ? "[x]" : "[ ]"} ${text}`,
      new: "",
    })),
  };
}

/** Where a criterion ends: after the lines that go on with it. */
function endOf(source: string, { start, end }: CriterionLine): number {
  const indent = /^\s*/.exec(source.slice(start, end))![0].length;
  let last = end;
  for (const line of linesOf(source, Math.min(end + 1, source.length))) {
    const text = line.text;
    const goesOn = text.trim() !== "" && /^\s*/.exec(text)![0].length > indent &&
      !/^\s*(?:[-*+]|\d+[.)])\s/.test(text);
    if (!goesOn) break;
    last = line.start + text.length;
  }
  return last;
}

/** One line of text, without the marks of a list. */
function criterionText(given: string): string {
  const text = safeText(given, "A criterion").trim().replace(
    /^(?:[-*+]\s+)?\[[ xX]?\](?:\s+|$)/,
    "",
  )
    .replace(/^[-*+]\s+/, "").trim();
  if (text === "") {
    throw new RefraktError("INVALID_ARGS", "A criterion may not be empty", {
      hint: "Say what has to hold.",
    });
  }
  if (!text.includes("\n")) return text;
  throw new RefraktError("VALIDATION_ERROR", "A criterion is one line of text", {
    hint: "Give several criteria as several texts.",
  });
}
