/** Edits as splices of a text. */

import { quoted } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import {
  type Document,
  lineEndsOf,
  type ParsedEntity,
  type Section,
  type Span,
} from "../../entity/document.ts";

/** Replaces a span with a text that has LF line ends. */
export interface Splice extends Span {
  readonly text: string;
}

/** The effect of one edit. Everything outside its splices must parse as before. */
export interface EditOutcome {
  readonly splices: readonly Splice[];
  /** The heading levels in the new text; none by default. */
  readonly levels?: readonly number[];
  /** The number of criteria in the new text; any number by default. */
  readonly criteria?: number;
  readonly title?: string;
  /** An empty value removes the attribute. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Finds what is to be changed in an entity, and says what replaces it. */
export type Edit = (document: Editable) => EditOutcome;

/** Nothing is to be changed. */
export const UNCHANGED: EditOutcome = { splices: [] };

export interface Editable extends Document {
  readonly entity: ParsedEntity;
}

/**
 * Applies splices to the text of a file and keeps its line ends.
 *
 * @param splices In order, with offsets in {@linkcode Document.text}.
 * @throws {TypeError} If two of them overlap.
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

/** Maps offsets in the LF text to offsets in the file. */
function placesIn(source: string): (place: number) => number {
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const ends = Array.from(source.matchAll(/\r\n/g), ({ index }, count) => index - count - mark);
  return (place) => place + mark + ends.filter((end) => end < place).length;
}

/** Rejects a change if it is unclear where sections end. */
export function requireUnlocked({ entity: { unclosed } }: Editable, section?: Section): void {
  const locked = section === undefined ? unclosed?.message : section.locked;
  if (locked === undefined) return;
  const name = section === undefined ? "Sections" : `The section ${quoted(section.name)}`;
  throw new RefraktError("VALIDATION_ERROR", `${name} cannot be changed: ${locked}`, {
    hint: unclosed === undefined
      ? "Move the title out of the section by hand."
      : "Close it in the file by hand. Until then, attributes, the title and the check boxes that " +
        "plan_get shows can still be changed.",
    data: { line: unclosed?.line },
  });
}
