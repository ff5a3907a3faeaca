/**
 * Adds and removes criteria.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import { sectionNamed } from "../document.ts";
import { safeText } from "../safe_text.ts";
import { type CriterionPick, named, numbered, sectionsWith } from "./criteria.ts";
import type { Editable, EditOutcome } from "./outcome.ts";
import { addSection, appendTo } from "./sections.ts";

const HEADING = "Acceptance Criteria";

/** Other headings of the same section, as the plugin knows them. */
const NAMES = [HEADING, "Criteria", "AC", "Done When"];

/** Criteria as the lines of a section. */
export function criteriaText(texts: readonly string[], type: EntityType): string {
  return texts.map((text) => `- [ ] ${criterionText(text, type)}`).join("\n");
}

/** Adds criteria after those that are there. */
export function addCriteria(
  { texts }: { readonly texts: readonly string[] },
  document: Editable,
): EditOutcome {
  if (texts.length === 0) return { splices: [], changes: [] };
  const { type, criteria, sections } = document.entity;
  const clean = texts.map((text) => criterionText(text, type));
  const lines = clean.map((text) => `- [ ] ${text}`).join("\n");
  const counted = {
    criteria: criteria.length + clean.length,
    changes: clean.map((text) => ({ field: "criterion", old: "", new: `[ ] ${text}` })),
  };
  const section = NAMES.flatMap((name) => sectionNamed(document.entity, name) ?? [])[0];
  const index = section === undefined ? -1 : sections.indexOf(section);
  const last = criteria.findLast((one) => section === undefined || one.section === index);
  if (last !== undefined) {
    const at = last.itemEnd;
    const before = "\r\n".includes(document.text[at - 1]!) ? "" : "\n";
    const splices = [{ start: at, end: at, text: `${before}${lines}\n` }];
    return { splices, touched: [last.section], ...counted };
  }
  if (section === undefined) return { ...addSection(HEADING, lines, document), ...counted };
  return { splices: appendTo(section, lines, document), touched: [index], ...counted };
}

/** Removes criteria, with the lines that belong to them. */
export function removeCriteria(
  { which }: { readonly which: CriterionPick },
  document: Editable,
): EditOutcome {
  const { criteria } = document.entity;
  const found = new Set(
    which === "all"
      ? criteria
      : which.map((one) =>
        typeof one === "number" ? numbered(criteria, one) : named(criteria, one, "remove", criteria)
      ),
  );
  return {
    splices: [...found].map(({ start, end }) => ({ start, end, text: "" })),
    touched: sectionsWith(found),
    criteria: criteria.length - found.size,
    changes: [...found].map(({ text, checked }) => ({
      field: "criterion",
      old: `${checked ? "[x]" : "[ ]"} ${text}`,
      new: "",
    })),
  };
}

/** One line of text, without the marks of a list. */
function criterionText(given: string, type: EntityType): string {
  const { text: safe } = safeText(given, "A criterion", type);
  const text = safe.trim()
    .replace(/^(?:[-*+]\s+)?\[[ xX]?\](?:\s+|$)/, "")
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
