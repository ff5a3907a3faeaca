/** Applies edits to the text of an entity. */

import { countAndLimit } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import type { Document } from "../entity/document.ts";
import type { PlanStore } from "../store/mod.ts";
import { addCriteria, changeCriteria, rewordCriterion } from "./edits/criteria.ts";
import { declareDependencies, dependOn, independentOf } from "./edits/dependencies.ts";
import type { Edit, EditOf } from "./edits/edit.ts";
import { addNote } from "./edits/notes.ts";
import { appendToSection, replacePassage, resolve, setBody, setSection } from "./edits/sections.ts";
import type { Editable, EditOutcome } from "./edits/splices.ts";
import { setAttributes, setTitle } from "./edits/tag.ts";
import { applyOutcome } from "./verify.ts";

export type { Edit };

const OUTCOMES: {
  readonly [Kind in Edit["kind"]]: (edit: EditOf<Kind>, document: Editable) => EditOutcome;
} = {
  attributes: setAttributes,
  title: setTitle,
  check: (edit, document) => changeCriteria("check", edit, document),
  uncheck: (edit, document) => changeCriteria("uncheck", edit, document),
  remove: (edit, document) => changeCriteria("remove", edit, document),
  reword: rewordCriterion,
  addCriteria,
  dependsOn: dependOn,
  independentOf,
  declareDependencies: (_edit, document) => declareDependencies(document),
  section: setSection,
  passage: replacePassage,
  append: appendToSection,
  resolve,
  note: addNote,
  body: setBody,
};

/**
 * Applies edits one after the other, and verifies that nothing else changes.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if an edit does not apply to this entity.
 */
export function editDocument(
  before: Document,
  edits: readonly Edit[],
): Editable {
  requireFewEdits(edits);
  let document = editable(before);
  const { type, tag } = document.entity;
  if (tag.isSelfClosing && edits.some(({ kind }) => kind !== "attributes")) {
    throw invalid(
      "The entity has no text: its tag is self-closing",
      `Write {% /${type} %} on its own line below the tag and call again.`,
    );
  }
  for (const edit of edits) {
    const outcomeOf = OUTCOMES[edit.kind] as (edit: Edit, document: Editable) => EditOutcome;
    const edited = applyOutcome(document, outcomeOf(edit, document));
    // Before the next edit makes it even larger.
    requireReadableSize(edited);
    document = edited;
  }
  return document;
}

/** Rejects an entity that would be too large to read. */
function requireReadableSize({ source }: Document): void {
  const bytes = new TextEncoder().encode(source).length;
  if (bytes <= SIZE_LIMITS.plan) return;
  throw invalid(
    `The entity would have ${countAndLimit(bytes, "bytes", SIZE_LIMITS.plan)}`,
    "Move part of the text to another entity or file.",
  );
}

/** An edit for each text by its heading; new sections that no template knows keep their order. */
export function sectionEdits(
  kind: "section" | "append",
  texts: Readonly<Record<string, string>>,
): Edit[] {
  const headings = Object.keys(texts);
  const edits = Object.entries(texts).map(([heading, text], at): Edit => ({
    kind,
    heading,
    text,
    before: headings.slice(at + 1),
  }));
  // The last one first, so that the others find what they stand before.
  return kind === "section" ? edits.reverse() : edits;
}

/** Writes the ids of new dependencies as the plan does. */
export function spelledIn(store: Pick<PlanStore, "last">, edits: readonly Edit[]): Edit[] {
  const { spelled } = store.last();
  return edits.map((edit) => "ids" in edit ? { ...edit, ids: edit.ids.map(spelled) } : edit);
}

/** Requires that a document has an entity. */
export function editable({ entity, ...document }: Document): Editable {
  if (entity !== undefined) return { ...document, entity };
  throw invalid(
    "The entity's opening tag cannot be read",
    "Check that its quotes are closed and that it ends with %}.",
  );
}

/** The most changes per call: each parses the whole text. */
const MAX_EDITS = 1000;

function requireFewEdits(edits: readonly Edit[]): void {
  const counts = edits.map((edit) => {
    if ("texts" in edit) return edit.texts.length;
    if ("ids" in edit) return edit.ids.length;
    return "which" in edit ? [edit.which].flat().length : 1;
  });
  if (counts.reduce((sum, count) => sum + Math.max(1, count), 0) <= MAX_EDITS) return;
  throw invalid(`More than ${MAX_EDITS} changes in one call`, "Split them into several calls.");
}

function invalid(message: string, hint: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, { hint });
}
