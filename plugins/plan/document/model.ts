/**
 * What a plan file says, with places: offsets are UTF-16 units of {@linkcode Document.text}, lines
 * are numbered from 1.
 *
 * No string here but the texts of a {@linkcode Document} keeps those alive.
 *
 * @module
 */

import type { EntityType } from "../../../src/project/entities.ts";

/** A part of the text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A plan file. */
export interface Document {
  /** The file's own text. */
  readonly source: string;
  /** The text with LF line ends, and without a byte order mark. */
  readonly text: string;
  /** The first entity at the top level of the text; every other is in {@linkcode further}. */
  readonly entity: Entity | undefined;
  /** The entities after the first one, which nothing reads and no edit changes. */
  readonly further: readonly { readonly type: EntityType; readonly id: string | undefined }[];
  /** The first complete set of merge markers that begins outside code and comments. */
  readonly conflict: ConflictMarkers | undefined;
  /** How many tags have the name of an entity, wherever they stand. */
  readonly entityTags: number;
  /** The first code fence without a closing line, at the end of a list or quotation too. */
  readonly openFence: Unclosed | undefined;
}

/** An entity. Its body is made of the title and the sections, in the order of the text. */
export interface Entity {
  readonly type: EntityType;
  /** Its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** The attributes of its tag as text, as the plugin has them: the last one of a name counts. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tag: OpeningTag;
  /** What lies between the line of the opening tag and that of the closing tag. */
  readonly body: Span;
  /** The offset after the closing tag's line; the end of the text without one. */
  readonly end: number;
  /** What leaves the entity open, if something does: its sections cannot be edited. */
  readonly unclosed: Unclosed | undefined;
  /** Its first heading of the first level. */
  readonly title: Title | undefined;
  /** Every part of the body beside the title. */
  readonly sections: readonly Section[];
  /** Its check boxes, outside code and comments. */
  readonly criteria: readonly Criterion[];
  /** Its section `## Resolution`. */
  readonly resolution: Section | undefined;
  /** Tags that cannot be parsed, and closing tags that close nothing. */
  readonly errors: readonly Misplaced[];
}

/** An opening tag, and where its parts are. */
export interface OpeningTag extends Span {
  /** Whether it closes itself (`/%}`), so that the entity has no text. */
  readonly isSelfClosing: boolean;
  /** Its attributes in the order of the text, repeated ones too; shortcuts (`#id`) are left out. */
  readonly attributes: readonly Attribute[];
}

/** An attribute: the span is `name=value`. */
export interface Attribute extends Span {
  readonly name: string;
  /** The value as it is written, with its quotes. */
  readonly valueSpan: Span;
}

/** A tag that means nothing. */
export interface Misplaced {
  /** The line that it begins in. */
  readonly line: number;
  /** The offset where it begins. */
  readonly start: number;
  /** Why, for people, as `The code fence that opens in line 12 is not closed`. */
  readonly message: string;
}

/** What is opened and never closed. */
export interface Unclosed extends Misplaced {
  /** `entity` where nothing but the closing tag of the entity is missing. */
  readonly kind: "fence" | "comment" | "tag" | "entity";
}

/** The title. */
export interface Title {
  /** Its text without marks, as the plugin has it. */
  readonly text: string;
  /** The words as they are written; `undefined` inside a quotation, a list or a tag: not editable. */
  readonly words: Span | undefined;
  /** The heading's lines, with the last line's end. */
  readonly line: Span;
}

/** The name of the part between the title and the first heading. */
export const DESCRIPTION = "description";

/**
 * A part of the body: what a heading of the first or second level that stands in the entity itself
 * begins, or what comes before the first one. Sections do not overlap; with the title they cover
 * the body. A heading inside a list, a quotation, another tag, code or a comment begins none.
 */
export interface Section extends Span {
  /**
   * Names it among all of the entity: the heading as it is written, without closing hashes and
   * annotations; {@linkcode DESCRIPTION} for the part after the title; with ` (2)` where another
   * section has the name already.
   */
  readonly name: string;
  /** The heading without marks, as the plugin compares it; empty for a part without a heading. */
  readonly heading: string;
  /** 1 or 2; 0 for a part without a heading. */
  readonly level: number;
  /** What stands below the heading's line, up to where the next part begins. */
  readonly body: Span;
  /** The body without blank lines around it. */
  readonly content: Span;
  /** Why it cannot be edited; `undefined` where it can. */
  readonly locked: string | undefined;
}

/**
 * A check box: a line such as `- [ ] Text`, at any depth of a list. The span has the lines that
 * belong to it alone, with the last line's end; the items of a list in it are their own.
 */
export interface Criterion extends Span {
  /** Its number within the entity, from 1. */
  readonly number: number;
  /** The rest of its line. */
  readonly text: string;
  readonly checked: boolean;
  /** The character between the brackets. */
  readonly box: Span;
  /** The index of the section that it stands in. */
  readonly section: number;
  /** Where the list item ends that it stands in, with all that is in it: at the outermost level. */
  readonly itemEnd: number;
}

/** The lines where merge markers stand. */
export interface ConflictMarkers {
  /** The line of `<<<<<<<`. */
  readonly first: number;
  /** The line of `>>>>>>>`. */
  readonly last: number;
}
