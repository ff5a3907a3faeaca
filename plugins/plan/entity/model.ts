/**
 * A parsed plan file. Offsets are UTF-16 units of {@linkcode Document.text}; lines are numbered
 * from 1. Strings are copies, so that they do not keep the text in memory.
 */

import type { References, Token } from "./tokens.ts";
import type { EntityType } from "./types.ts";

/** A part of the text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Markdoc's tokens of a text: which tags match, what is hidden, and what is not closed. */
export interface Outline {
  /** The text with LF line ends and without a byte order mark. */
  readonly text: string;
  /** Numbered from 0; a line after the last begins at the end of the text. */
  readonly lines: {
    readonly count: number;
    startOf(line: number): number;
    lineAt(offset: number): number;
  };
  readonly tokens: readonly Token[];
  /** The inline tokens of the blocks that contain a tag. */
  readonly inlines: ReadonlyMap<Token, readonly Token[]>;
  /** The definitions of links, which inline content refers to. */
  readonly references: References;
  /** The indexes of the tokens that open and close the first entity at the top level. */
  readonly range: { readonly open: number; readonly close: number | undefined } | undefined;
  /** Entities after the first one. They are not read, and edits leave them unchanged. */
  readonly further: readonly { readonly type: EntityType; readonly id: string | undefined }[];
  /** How many tags anywhere in the text have the name of an entity type. */
  readonly entityTags: number;
  /** Tags without a partner, also within blocks. */
  readonly unmatched: ReadonlySet<Token>;
  /** In the order of the text. */
  readonly unclosed: readonly Unclosed[];
  /** The first code fence without a closing line, even if its list or quotation ends it. */
  readonly openFence: Unclosed | undefined;
  /** Tags with syntax errors, and closing tags without an opening one. */
  readonly errors: readonly Misplaced[];
  /** The ids that tags `ref` and `xref` refer to, with the offset of the block around the tag. */
  readonly refs: readonly { readonly id: string; readonly start: number }[];
  /** Comments, which hide their content; one that begins a line hides its last line too. */
  readonly comments: readonly Span[];
  /** Lines, from 0, that begin within code, a comment, front matter or a tag of several lines. */
  readonly hidden: ReadonlySet<number>;
}

export interface Document extends Outline {
  /** The text of the file as it is on disk. */
  readonly source: string;
  /** The first entity at the top level of the text. */
  readonly entity: ParsedEntity | undefined;
  /** The first opening tag of an entity that is not valid, if there is no entity. */
  readonly broken: Misplaced | undefined;
  /** The first complete conflict whose markers begin outside code and comments. */
  readonly conflict: ConflictMarkers | undefined;
}

/** An entity. Its body consists of the title and the sections, in order. */
export interface ParsedEntity {
  readonly type: EntityType;
  /** Its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** The attributes of the tag as text, like the plugin reads them: the last of a name wins. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tag: OpeningTag;
  /** The text between the lines of the opening and the closing tag. */
  readonly body: Span;
  /** The offset after the closing tag's line; the end of the text without a closing tag. */
  readonly end: number;
  /** What leaves the entity open, if anything: its sections cannot be edited. */
  readonly unclosed: Unclosed | undefined;
  /** The first level-1 heading. */
  readonly title: Title | undefined;
  /** Everything in the body except the title. */
  readonly sections: readonly Section[];
  /** Check boxes outside code and comments. */
  readonly criteria: readonly Criterion[];
  /** Lines that look like check boxes, and do not count. */
  readonly uncounted: readonly UncountedBox[];
  /** The first level-2 section named Resolution. */
  readonly resolution: Section | undefined;
  readonly refs: Outline["refs"];
  readonly errors: readonly Misplaced[];
}

export interface OpeningTag extends Span {
  /** Whether it ends with `/%}`, so that the entity has no body. */
  readonly isSelfClosing: boolean;
  /** In the order of the text, including repeated ones, as `name=value`; without shortcuts (`#id`). */
  readonly attributes: readonly (Span & {
    readonly name: string;
    /** The value with its quotes. */
    readonly valueSpan: Span;
  })[];
}

/** A tag without a meaning. */
export interface Misplaced {
  readonly line: number;
  readonly start: number;
  /** The reason, such as `The code fence that opens in line 12 is not closed`. */
  readonly message: string;
}

/** Something that is opened and never closed. */
export interface Unclosed extends Misplaced {
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

/**
 * A check box: a line such as `- [ ] Text`, at any depth of a list. The span covers its own lines
 * including the last line end, without nested items.
 */
export interface Criterion extends Span {
  /** From 1, within the entity. */
  readonly number: number;
  /** Its first paragraph on one line. */
  readonly text: string;
  /** The text as written, which may go on in further lines. */
  readonly words: Span;
  readonly checked: boolean;
  /** The character between the brackets. */
  readonly box: Span;
  /** The index of its section. */
  readonly section: number;
  /** The end of its list item, with nested items and further paragraphs. */
  readonly wholeEnd: number;
  /** The end of the outermost list item that contains it. */
  readonly itemEnd: number;
}

/** A line such as `- [~] Text` or `* [ ] Text`: the plugin counts `- [ ]` and `- [x]` alone. */
export interface UncountedBox {
  /** In the file, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface ConflictMarkers {
  /** The line of `<<<<<<<`. */
  readonly first: number;
  /** The line of `>>>>>>>`. */
  readonly last: number;
}
