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

/** A check box as it reads. */
export interface Box {
  /** Its text. */
  readonly text: string;
  /** Whether it is ticked. */
  readonly checked: boolean;
}

/** A part of the body as it has to read after an edit. */
export interface Part {
  /** The level of its heading; 0 without one. */
  readonly level: number;
  /** Its text with its heading, without white space around it. */
  readonly text: string;
  /** Its check boxes. */
  readonly criteria: readonly Box[];
}

/** What one edit does. Offsets are those of the document. */
export interface EditOutcome {
  /** The changes of the text, without what is added. */
  readonly splices?: readonly Splice[];
  /** The sections that change, by index; `undefined` for one that goes. */
  readonly sections?: ReadonlyMap<number, Part | undefined>;
  /** Sections that are new. */
  readonly added?: Addition;
  /** The words of the title, where it changes. */
  readonly title?: string;
  /** The same for people. */
  readonly changes: readonly Change[];
}

/** New sections. */
export interface Addition {
  /** The index of the section that they stand before; the number of sections for the end. */
  readonly before: number;
  /** Which of several in one place comes first. */
  readonly rank: number;
  /** The change of the text. */
  readonly splice: Splice;
  /** How they have to read. */
  readonly parts: readonly Part[];
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

/** A document that has an entity with a body. */
export interface Editable extends Document {
  readonly entity: Entity;
}

/**
 * Applies changes to a text.
 *
 * @param lineEnd The line end that what is put in gets.
 * @param from The offset of the text's first character.
 * @throws {TypeError} Where two of them touch the same place.
 */
export function applySplices(
  source: string,
  splices: readonly Splice[],
  { lineEnd = "\n", from = 0 }: { readonly lineEnd?: string; readonly from?: number } = {},
): string {
  let text = "";
  let at = from;
  const inOrder = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  for (const { start, end, text: put } of inOrder) {
    if (start < at) throw new TypeError("Two changes overlap");
    text += source.slice(at - from, start - from) + put.replaceAll("\n", lineEnd);
    at = end;
  }
  return text + source.slice(at - from);
}

/** A section as it reads now, or would read after changes. */
export function partOf(
  document: Editable,
  index: number,
  splices: readonly Splice[] = [],
  criteria: readonly Box[] = criteriaIn(document, index),
): Part {
  const section = document.entity.sections[index]!;
  const text = document.text.slice(section.start, section.end);
  const after = applySplices(text, splices, { from: section.start });
  return { level: section.level, text: after.replace(/\r\n?/g, "\n").trim(), criteria };
}

/** The check boxes of a section. */
export function criteriaIn({ entity }: Editable, index: number): readonly Box[] {
  return entity.criteria.filter(({ section }) => section === index);
}

/**
 * Refuses a change of a section that cannot be told from what is around it.
 *
 * @param what Names it; a section that is to be added without one.
 */
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

/** The length of a section's text, as changes tell it. */
export function sectionSize(document: Editable, section: Section): string {
  return sizeOf(section.level === 0 ? "" : section.name, contentOf(document, section.content));
}
