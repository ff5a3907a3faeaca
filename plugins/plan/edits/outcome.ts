/**
 * What one edit does to a document.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { contentOf, type Document, type Entity, type Section } from "../document.ts";

/** What stands between two offsets becomes another text, which has LF line ends. */
export interface Splice {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** What stands there afterwards. */
  readonly text: string;
}

/** What one edit does; every section that it does not name stays as it is. */
export interface EditOutcome {
  /** The changes of the text. */
  readonly splices: readonly Splice[];
  /** The indexes of the sections whose text changes. */
  readonly touched?: readonly number[];
  /** The indexes of the sections that go. */
  readonly removed?: readonly number[];
  /** The levels of new sections, and the index of the section that they stand before. */
  readonly added?: { readonly before: number; readonly levels: readonly number[] };
  /** The words of the title, where it changes. */
  readonly title?: string;
  /** How many criteria there are afterwards, where that can be told. */
  readonly criteria?: number;
  /** The same for people. */
  readonly changes: readonly Change[];
}

/** What an update did, as the plugin reports it. */
export interface Change {
  /** The attribute, or what else was changed. */
  readonly field: string;
  /** What it was. */
  readonly old: string;
  /** What it is. */
  readonly new: string;
}

/** A document that has an entity. */
export interface Editable extends Document {
  readonly entity: Entity;
}

/**
 * Applies changes to a text.
 *
 * @throws {TypeError} Where two of them touch the same place.
 */
export function applySplices(source: string, splices: readonly Splice[]): string {
  const isCrlf = source.includes("\r\n") && !/(?<!\r)\n/.test(source);
  let text = "";
  let at = 0;
  for (const { start, end, text: put } of splices.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new TypeError("Two changes overlap");
    text += source.slice(at, start) + (isCrlf ? put.replaceAll("\n", "\r\n") : put);
    at = end;
  }
  return text + source.slice(at);
}

/** Refuses a change of a section, or a new one, where the end of sections is in doubt. */
export function requireUnlocked({ entity }: Editable, section?: Section): void {
  const locked = section === undefined ? entity.unclosed?.message : section.locked;
  if (locked === undefined) return;
  const name = section === undefined ? "Sections" : `The section "${section.name}"`;
  throw new RefraktError("VALIDATION_ERROR", `${name} cannot be changed: ${locked}`, {
    hint: entity.unclosed === undefined
      ? "Move the title out of the section by hand."
      : "Close it in the file by hand. Attributes, the title and the check boxes that plan.get " +
        "shows can be changed meanwhile.",
    data: entity.unclosed === undefined ? {} : { line: entity.unclosed.line },
  });
}

/** How long a text is, as changes tell it. */
export function sizeOf(heading: string, text: string): string {
  return `${heading} (${text.trim().length} characters)`.trim();
}

/** The same of a section. */
export function sectionSize(document: Editable, section: Section, added = ""): string {
  const text = contentOf(document, section.content) + added;
  return sizeOf(section.level === 0 ? "" : section.name, text);
}
