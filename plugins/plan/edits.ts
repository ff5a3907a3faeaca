/**
 * What can be changed of an entity's text, and the text that comes of it.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { type CriterionPick, tick } from "./edits/criteria.ts";
import { resolve } from "./edits/resolution.ts";
import { setAttributes } from "./edits/attributes.ts";
import { addCriteria, removeCriteria } from "./edits/criteria_list.ts";
import { appendToSection, setBody, setSection } from "./edits/sections.ts";
import { setTitle } from "./edits/title.ts";
import { applySplices, type Outline, outlineOf, type Splice } from "./outline.ts";

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

/** What an update did, as the plugin reports it. */
export interface Change {
  /** The attribute, or what else was changed. */
  readonly field: string;
  /** What it was. */
  readonly old: string;
  /** What it is. */
  readonly new: string;
}

/** What one edit comes to. */
export interface EditOutcome {
  /** The changes of the text. */
  readonly splices: readonly Splice[];
  /** The same for people. */
  readonly changes: readonly Change[];
}

/** The edits that change the body of an entity. */
export type BodyEdit = Exclude<Edit, { kind: "attribute" }>;

/** What an edit changes of a text. */
function outcomeOf(edit: BodyEdit, source: string, outline: Outline): EditOutcome {
  switch (edit.kind) {
    case "title":
      return setTitle(edit, source, outline);
    case "check":
    case "uncheck":
      return tick(edit, source, outline);
    case "addCriteria":
      return addCriteria(edit, source, outline);
    case "removeCriteria":
      return removeCriteria(edit, source, outline);
    case "section":
      return setSection(edit, source, outline);
    case "append":
      return appendToSection(edit, source, outline);
    case "body":
      return setBody(edit, source, outline);
    case "resolve":
      return resolve(edit, source, outline);
  }
}

/** A text with edits in it, and what they took out and put in. */
export interface EditedText {
  /** The new text. */
  readonly text: string;
  /** What was changed. */
  readonly changes: readonly Change[];
  /** Every part that was taken out. */
  readonly removed: readonly string[];
  /** Every part that was put in. */
  readonly inserted: readonly string[];
}

/**
 * Applies edits one after the other. The line ends of the text, where they are all
 * CRLF, stay.
 *
 * @param source The text of a file, which holds an entity.
 * @param attributes The attributes to set; an empty value removes one.
 * @param edits The other edits.
 * @throws {RefraktError} `VALIDATION_ERROR` for what does not apply to this entity.
 */
export function editText(
  source: string,
  attributes: Readonly<Record<string, string>>,
  edits: readonly BodyEdit[],
): EditedText {
  requireFew(edits);
  const isCrlf = source.includes("\r\n") && !/(?<!\r)\n/.test(source);
  let text = isCrlf ? source.replaceAll("\r\n", "\n") : source;
  text = setAttributes(text, attributes);
  const changes: Change[] = [];
  const removed: string[] = [];
  const inserted: string[] = [];
  for (const edit of edits) {
    const outline = outlineOf(text);
    if (outline === undefined) throw unreadable();
    if (outline.isEmpty) {
      throw new RefraktError("VALIDATION_ERROR", "The entity has no text: its tag closes itself", {
        hint: `Write {% /${outline.type} %} on a line of its own below the tag, and call again.`,
      });
    }
    const outcome = outcomeOf(edit, text, outline);
    for (const { start, end, text: put } of outcome.splices) {
      const from = lineStart(text, start);
      const to = end > start || put !== "" ? lineEnd(text, end) : from;
      // Whole lines, because a part of a line may mean something else alone.
      removed.push(text.slice(from, to));
      inserted.push(text.slice(from, start) + put + text.slice(end, to));
    }
    changes.push(...outcome.changes);
    text = applySplices(text, outcome.splices);
  }
  return { text: isCrlf ? text.replaceAll("\n", "\r\n") : text, changes, removed, inserted };
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
export function tooLarge(): RefraktError {
  return new RefraktError(
    "VALIDATION_ERROR",
    `The entity would have more than ${SIZE_LIMITS.plan} bytes, and not be read any more`,
    { hint: "Put a part of the text into an entity or a file of its own." },
  );
}

function unreadable(): RefraktError {
  return new RefraktError("VALIDATION_ERROR", "The entity's opening tag cannot be read", {
    hint: "See whether its quotes are closed and it ends with %}.",
  });
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}
