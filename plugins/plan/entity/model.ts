/**
 * Parts of a parsed plan file. Offsets are UTF-16 units of the text of its document; lines are
 * numbered from 1. Strings are copies, so that they do not keep the text in memory.
 */

/** A part of the text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Markup that does not parse. */
export interface SyntaxProblem {
  readonly line: number;
  readonly start: number;
  /** The reason, such as `The code fence that opens in line 12 is not closed`. */
  readonly message: string;
}

/** Something that is opened and never closed. */
export interface Unclosed extends SyntaxProblem {
  /** `entity` if only the closing tag of the entity is missing. */
  readonly kind: "fence" | "comment" | "tag" | "entity";
}

export interface Title {
  /** The text without markup, as the plugin reads it. */
  readonly text: string;
  /**
   * The text as written; `undefined` within a quotation, list or tag, where it cannot be edited.
   */
  readonly words: Span | undefined;
  /** The lines of the heading, including the last line end. */
  readonly line: Span;
}

/** The name of the section between the title and the first heading. */
export const DESCRIPTION = "description";

/**
 * A part of the body: from a level-1 or level-2 heading to the next, or the text before the
 * first. Together with the title, sections cover the body without overlaps. Headings inside a
 * list, a quotation, another tag, code or a comment do not begin sections.
 */
export interface Section extends Span {
  /**
   * Unique within the entity: the heading as written, without closing hashes and annotations;
   * {@linkcode DESCRIPTION} for the part after the title; with ` (2)` if another section already has
   * the name.
   */
  readonly name: string;
  /** The heading without markup, as the plugin compares it; empty without a heading. */
  readonly heading: string;
  /** 1 or 2; 0 without a heading. */
  readonly level: number;
  /** The text below the heading's line. */
  readonly body: Span;
  /** The body without surrounding blank lines. */
  readonly content: Span;
  /** Why it cannot be edited. */
  readonly locked: string | undefined;
}
