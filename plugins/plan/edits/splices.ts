/**
 * What an edit does to a text, and the text that comes of it.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { contentOf, type Document, type Entity, type Section, type Span } from "../document.ts";

/** What stands between two places becomes another text, which has LF line ends. */
export interface Splice extends Span {
  readonly text: string;
}

/** What one edit does; whatever its splices do not cover must read as before. */
export interface EditOutcome {
  readonly splices: readonly Splice[];
  /** The levels of the headings that the new text has; none by default. */
  readonly levels?: readonly number[];
  /** How many criteria the new text has; any number by default. */
  readonly criteria?: number;
  readonly title?: string;
  /** The attributes that are set; an empty value removes one. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
}

/** What an update did, as the plugin reports it. */
export interface Change {
  /** The attribute, or what else was changed. */
  readonly field: string;
  readonly old: string;
  readonly new: string;
}

/** A document that has an entity. */
export interface Editable extends Document {
  readonly entity: Entity;
}

/**
 * A file's text with splices in it, in its own line ends.
 *
 * @param splices In the order of the text, with places of {@linkcode Document.text}.
 * @throws {TypeError} Where two of them touch the same place.
 */
export function applySplices(source: string, splices: readonly Splice[]): string {
  const [placeOf, fit] = [placesIn(source), lineEndsOf(source)];
  let [text, at, last] = ["", 0, 0];
  for (const { start, end, text: put } of splices) {
    if (start < last) throw new TypeError("Two changes overlap");
    text += source.slice(at, placeOf(start)) + fit(put);
    [at, last] = [placeOf(end), end];
  }
  return text + source.slice(at);
}

/** Where the places of a text with LF are in the file's own. */
function placesIn(source: string): (place: number) => number {
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const ends = Array.from(source.matchAll(/\r\n/g), ({ index }, count) => index - count - mark);
  return (place) => place + mark + ends.filter((end) => end < place).length;
}

/** Gives a text the line ends of a file, where those are all of one kind. */
export function lineEndsOf(source: string): (text: string) => string {
  const [kind = "\n", ...others] = new Set(source.match(/\r\n?|\n/g));
  return (text) => others.length > 0 ? text : text.replace(/\r?\n/g, kind);
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
