/**
 * What can be changed of an entity's text, and the text that comes of it.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { type Document, read } from "./document.ts";
import { setAttributes } from "./edits/attributes.ts";
import { type CriterionPick, tick } from "./edits/criteria.ts";
import { addCriteria, removeCriteria } from "./edits/criteria_list.ts";
import {
  applySplices,
  type Change,
  type Editable,
  type EditOutcome,
  type Splice,
} from "./edits/outcome.ts";
import { resolve } from "./edits/resolution.ts";
import { appendToSection, setBody, setSection } from "./edits/sections.ts";
import { setTitle } from "./edits/title.ts";
import { verifyEdit } from "./verify.ts";

/** One change of an entity. */
export type Edit =
  | { readonly kind: "attribute"; readonly name: string; readonly value: string }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "check" | "uncheck"; readonly which: CriterionPick }
  | { readonly kind: "addCriteria"; readonly texts: readonly string[] }
  | { readonly kind: "removeCriteria"; readonly which: CriterionPick }
  | { readonly kind: "section" | "append"; readonly heading: string; readonly text: string }
  | { readonly kind: "resolve"; readonly text: string }
  | { readonly kind: "body"; readonly text: string };

/** The edits that change the body of an entity. */
export type BodyEdit = Exclude<Edit, { kind: "attribute" }>;

/** A document with edits in it. */
export interface EditedDocument {
  /** The document after them. */
  readonly document: Editable;
  /** What was changed of the body. */
  readonly changes: readonly Change[];
}

/** What an edit does to a document. */
function outcomeOf(edit: BodyEdit, document: Editable): EditOutcome {
  switch (edit.kind) {
    case "title":
      return setTitle(edit, document);
    case "check":
    case "uncheck":
      return tick(edit, document);
    case "addCriteria":
      return addCriteria(edit, document);
    case "removeCriteria":
      return removeCriteria(edit, document);
    case "section":
      return setSection(edit, document);
    case "append":
      return appendToSection(edit, document);
    case "body":
      return setBody(edit, document);
    case "resolve":
      return resolve(edit, document);
  }
}

/**
 * Applies edits, and makes sure that nothing else changes. Edits of one kind that touch different
 * sections are made at once; each further kind sees the document that the one before it made.
 *
 * @param attributes The attributes to set; an empty value removes one.
 * @param edits The other edits.
 * @throws {RefraktError} `VALIDATION_ERROR` for what does not apply to this entity.
 */
export function editDocument(
  before: Document,
  attributes: Readonly<Record<string, string>>,
  edits: readonly BodyEdit[],
): EditedDocument {
  requireFew(edits);
  let document = editable(before);
  if (edits.length > 0 && document.entity.tag.isSelfClosing) throw withoutText(document);
  let unset = attributes;
  let pending: { readonly kind: string; readonly outcome: EditOutcome }[] = [];
  const changes: Change[] = [];
  const flush = () => {
    document = applied(document, unset, pending.map(({ outcome }) => outcome));
    unset = {};
    pending = [];
  };
  for (const edit of edits) {
    const isLater = edit.kind !== "title" &&
      pending.some(({ kind }) => kind !== "title" && kind !== edit.kind);
    if (isLater) flush();
    let outcome = outcomeOf(edit, document);
    if (pending.some((other) => isNear(other.outcome, outcome))) {
      flush();
      outcome = outcomeOf(edit, document);
    }
    pending.push({ kind: edit.kind, outcome });
    changes.push(...outcome.changes);
  }
  flush();
  return { document, changes };
}

/** Whether two edits cannot be made at once: they touch one section, or add one of the same name. */
function isNear(one: EditOutcome, other: EditOutcome): boolean {
  const nameOf = ({ added }: EditOutcome) => added?.parts[0]?.text.split("\n", 1)[0];
  return [...other.sections?.keys() ?? []].some((index) => one.sections?.has(index)) ||
    one.added !== undefined && nameOf(one) === nameOf(other);
}

function applied(
  before: Editable,
  attributes: Readonly<Record<string, string>>,
  outcomes: readonly EditOutcome[],
): Editable {
  const splices: Splice[] = [
    ...setAttributes(before, attributes),
    ...outcomes.flatMap((outcome) => outcome.splices ?? []),
  ];
  const added = outcomes.flatMap((outcome) => outcome.added ?? [])
    .sort((a, b) => a.before - b.before || a.rank - b.rank);
  for (const [index, { before, splice }] of added.entries()) {
    const follows = index > 0 && added[index - 1]!.before === before;
    splices.push(follows ? { ...splice, text: splice.text.trimStart() } : splice);
  }
  if (splices.length === 0) return before;
  const text = applySplices(before.text, splices, { lineEnd: lineEndOf(before.text) });
  if (new TextEncoder().encode(text).length > SIZE_LIMITS.plan) throw tooLarge();
  const after = read(text);
  verifyEdit(before, after, { attributes, outcomes });
  return after;
}

/** CRLF where all lines end with it. */
function lineEndOf(text: string): string {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
}

/** A document that has an entity. */
export function editable({ entity, ...document }: Document): Editable {
  if (entity !== undefined) return { ...document, entity };
  throw new RefraktError("VALIDATION_ERROR", "The entity's opening tag cannot be read", {
    hint: "See whether its quotes are closed and it ends with %}.",
  });
}

function withoutText({ entity: { type } }: Editable): RefraktError {
  return new RefraktError("VALIDATION_ERROR", "The entity has no text: its tag closes itself", {
    hint: `Write {% /${type} %} on a line of its own below the tag, and call again.`,
  });
}

/** The most changes of one call: each looks at the whole text. */
const MOST_EDITS = 1000;

function requireFew(edits: readonly BodyEdit[]): void {
  let [count, length] = [0, 0];
  for (const edit of edits) {
    const texts = "texts" in edit ? edit.texts : "text" in edit ? [edit.text] : [];
    const picks = "which" in edit && edit.which !== "all" ? edit.which.length : 0;
    count += Math.max(1, texts.length, picks);
    for (const text of texts) length += text.length;
  }
  if (count > MOST_EDITS) {
    throw new RefraktError("VALIDATION_ERROR", `There are more than ${MOST_EDITS} changes`, {
      hint: "Make them in several calls.",
    });
  }
  if (length > SIZE_LIMITS.plan) throw tooLarge();
}

/** The error for an entity that would not be read any more. */
function tooLarge(): RefraktError {
  return new RefraktError(
    "VALIDATION_ERROR",
    `The entity would have more than ${SIZE_LIMITS.plan} bytes, and not be read any more`,
    { hint: "Put a part of the text into an entity or a file of its own." },
  );
}
