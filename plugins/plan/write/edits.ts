/** Applies edits to the text of an entity. */

import { countAndLimit } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import type { Document } from "../entity/document.ts";
import {
  addCriteria,
  changeCriteria,
  type CriterionPick,
  rewordCriterion,
} from "./edits/criteria.ts";
import { declareDependencies, dependOn, independentOf } from "./edits/dependencies.ts";
import { appendToSection, resolve, setBody, setSection } from "./edits/sections.ts";
import { addNote } from "./edits/notes.ts";
import type { Change, Editable, EditOutcome } from "./edits/splices.ts";
import { setAttributes, setTitle } from "./edits/tag.ts";
import type { PlanStore } from "../store/mod.ts";
import { applyOutcome } from "./verify.ts";

export type Edit =
  | {
    readonly kind: "attributes";
    /** An empty value removes the attribute. */
    readonly values: Readonly<Record<string, string>>;
  }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "check" | "uncheck" | "remove"; readonly which: CriterionPick }
  | { readonly kind: "addCriteria"; readonly texts: readonly string[] }
  | { readonly kind: "reword"; readonly which: string; readonly text: string }
  | { readonly kind: "dependsOn" | "independentOf"; readonly ids: readonly string[] }
  | { readonly kind: "declareDependencies" }
  | {
    readonly kind: "section" | "append";
    readonly heading: string;
    readonly text: string;
    readonly before?: readonly string[];
  }
  | { readonly kind: "resolve"; readonly text: string }
  | { readonly kind: "note"; readonly text: string; readonly by: string }
  | { readonly kind: "body"; readonly text: string };

function outcomeOf(edit: Edit, document: Editable): EditOutcome {
  switch (edit.kind) {
    case "attributes":
      return setAttributes(edit, document);
    case "title":
      return setTitle(edit, document);
    case "check":
    case "uncheck":
    case "remove":
      return changeCriteria(edit, document);
    case "addCriteria":
      return addCriteria(edit, document);
    case "reword":
      return rewordCriterion(edit, document);
    case "independentOf":
      return independentOf(edit, document);
    case "dependsOn":
      return dependOn(edit, document);
    case "declareDependencies":
      return declareDependencies(document);
    case "section":
      return setSection(edit, document);
    case "append":
      return appendToSection(edit, document);
    case "body":
      return setBody(edit, document);
    case "resolve":
      return resolve(edit, document);
    case "note":
      return addNote(edit, document);
  }
}

/**
 * Applies edits one after the other, and verifies that nothing else changes.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if an edit does not apply to this entity.
 */
export function editDocument(before: Document, edits: readonly Edit[]) {
  requireFewEdits(edits);
  let document = editable(before);
  const hasBody = !document.entity.tag.isSelfClosing;
  if (!hasBody && edits.some(({ kind }) => kind !== "attributes")) throw selfClosingError(document);
  const changes: Change[] = [];
  for (const edit of edits) {
    const outcome = outcomeOf(edit, document);
    document = applyOutcome(document, outcome);
    changes.push(...outcome.changes);
    // Before the next edit makes it even larger.
    requireReadableSize(document);
  }
  return { document, changes };
}

/** Rejects an entity that would be too large to read. */
function requireReadableSize({ source }: Document): void {
  const bytes = new TextEncoder().encode(source).length;
  if (bytes <= SIZE_LIMITS.plan) return;
  throw new RefraktError(
    "VALIDATION_ERROR",
    `The entity would have ${countAndLimit(bytes, "bytes", SIZE_LIMITS.plan)}`,
    { hint: "Move part of the text to another entity or file." },
  );
}

/** An edit for each text by its heading; new sections that no template knows keep their order. */
export function sectionEdits(
  kind: "section" | "append",
  texts: Readonly<Record<string, string>>,
): Edit[] {
  const headings = Object.keys(texts);
  const edits = Object.entries(texts).map(([heading, text], at) => ({
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
  const spelled = (id: string) => store.last().spelled(id);
  return edits.map((edit) => "ids" in edit ? { ...edit, ids: edit.ids.map(spelled) } : edit);
}

/** Requires that a document has an entity. */
export function editable({ entity, ...document }: Document): Editable {
  if (entity !== undefined) return { ...document, entity };
  throw new RefraktError("VALIDATION_ERROR", "The entity's opening tag cannot be read", {
    hint: "Check that its quotes are closed and that it ends with %}.",
  });
}

function selfClosingError({ entity: { type } }: Editable): RefraktError {
  return new RefraktError("VALIDATION_ERROR", "The entity has no text: its tag is self-closing", {
    hint: `Write {% /${type} %} on its own line below the tag and call again.`,
  });
}

/** The most changes per call: each parses the whole text. */
const MAX_EDITS = 1000;

function requireFewEdits(edits: readonly Edit[]): void {
  const count = edits.reduce((sum, edit) => {
    const several = "texts" in edit
      ? edit.texts
      : "ids" in edit
      ? edit.ids
      : "which" in edit
      ? [edit.which].flat()
      : [];
    return sum + Math.max(1, several.length);
  }, 0);
  if (count <= MAX_EDITS) return;
  throw new RefraktError("VALIDATION_ERROR", `More than ${MAX_EDITS} changes in one call`, {
    hint: "Split them into several calls.",
  });
}
