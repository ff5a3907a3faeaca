/**
 * Adds and removes criteria.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import { sectionNamed } from "../document.ts";
import { safeText } from "../safe_text.ts";
import { type CriterionPick, named, numbered, sectionsAfter } from "./criteria.ts";
import { criteriaIn, type Editable, type EditOutcome, partOf } from "./outcome.ts";
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
  if (texts.length === 0) return { changes: [] };
  const { type, criteria, sections } = document.entity;
  const boxes = texts.map((text) => ({ text: criterionText(text, type), checked: false }));
  const lines = boxes.map(({ text }) => `- [ ] ${text}`).join("\n");
  const changes = boxes.map(({ text }) => ({ field: "criterion", old: "", new: `[ ] ${text}` }));
  const section = NAMES.flatMap((name) => sectionNamed(document.entity, name) ?? [])[0];
  const index = section === undefined ? -1 : sections.indexOf(section);
  const last = criteria.findLast((one) => section === undefined || one.section === index);
  if (last !== undefined) {
    const at = last.itemEnd;
    const before = document.text[at - 1] === "\n" || document.text[at - 1] === "\r" ? "" : "\n";
    const splices = [{ start: at, end: at, text: `${before}${lines}\n` }];
    const own = document.entity.criteria.filter((one) => one.section === last.section);
    const all = [
      ...own.filter(({ start }) => start < at),
      ...boxes,
      ...own.filter(({ start }) => start >= at),
    ];
    return {
      splices,
      sections: new Map([[last.section, partOf(document, last.section, splices, all)]]),
      changes,
    };
  }
  if (section === undefined) {
    return { added: addSection(HEADING, { text: lines, criteria: boxes }, document), changes };
  }
  const { splices, sections: after } = appendTo(section, { text: lines, isList: true }, document, [
    ...criteriaIn(document, index),
    ...boxes,
  ]);
  return { splices, sections: after, changes };
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
  const splices = new Map(
    [...found].map((one) => [one, { start: one.start, end: one.end, text: "" }]),
  );
  return {
    ...sectionsAfter(document, splices, () => []),
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
