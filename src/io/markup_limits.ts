/**
 * Which Markdown is too hard for a parser. Those of Markdoc and of its Markdown take
 * time with the square of some things, memory with the product of others, and one tag too many in a
 * paragraph keeps them busy without end. A text within these limits takes a moment;
 * real ones have a tenth of that.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { FILE_LIMIT_MS, inTime } from "./time_limit.ts";

/** The most tags in a text: each may look for its end through the whole of it. */
const MOST_TAGS = 2000;

/** The most of each in a block, which is what stands between two blank lines. */
const MOST_IN_BLOCK = {
  characters: 64 * 1024,
  lines: 10_000,
  /** Brackets that open: each looks for its partner. */
  brackets: 2000,
  /** Their descriptions are parsed again, one within the other. */
  images: 50,
  /** Lines that may define a link: each reads on to the end of the block. */
  definitions: 200,
  /** From 100 on the parser never ends. */
  "open tags": 80,
  /** Of emphasis and of code. */
  marks: 10_000,
  /** Lines times columns: what a row lacks is filled up. */
  "table cells": 60_000,
  /** Lines times the quotes and lists around them: each reads all of them. */
  "nested lines": 30_000,
  /** White space is looked at from each of its characters. */
  "spaces in a row": 2000,
} as const satisfies Record<string, number>;

type Counts = Record<keyof typeof MOST_IN_BLOCK, number>;
const NAMES = Object.keys(MOST_IN_BLOCK) as (keyof Counts)[];

/** A text with no more than that is within all limits that matter at its length. */
const PLAIN = { characters: 16 * 1024, tags: 80, brackets: 200, pipes: 100 };

/**
 * Says what makes a text too hard to parse. Takes time in proportion to its length.
 *
 * @returns It in a few words, such as `more than 2000 tags`; `undefined` for a text that is not.
 * @example
 * ```ts
 * import { tooHardToParse } from "./markup_limits.ts";
 *
 * console.assert(tooHardToParse("# Title\n\nSome text.") === undefined);
 * console.assert(tooHardToParse("{% a %}".repeat(100)) === "a block with more than 80 open tags");
 * ```
 */
export function tooHardToParse(text: string): string | undefined {
  const tags = count(text, "{%", MOST_TAGS);
  if (tags > MOST_TAGS) return `more than ${MOST_TAGS} tags`;
  if (
    text.length <= PLAIN.characters && tags <= PLAIN.tags &&
    count(text, "[", PLAIN.brackets) <= PLAIN.brackets &&
    count(text, "|", PLAIN.pipes) <= PLAIN.pipes
  ) {
    return undefined;
  }
  // What stands between two empty lines is one block or several, and most are small.
  for (const blocks of text.split("\n\n")) {
    const reason = isSmall(blocks) ? undefined : hardBlock(blocks);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Whether a text cannot have too much of anything, for its length or by a few counts that the
 * runtime does fast: cells and nested lines are no more than its characters times its lines.
 */
function isSmall(text: string): boolean {
  const { length } = text;
  if (length > MOST_IN_BLOCK["spaces in a row"]) return false;
  const most = Math.floor(MOST_IN_BLOCK["nested lines"] / (length + 1)) - 1;
  return count(text, "\n", most) + count(text, "\r", most) <= most &&
    count(text, "[", MOST_IN_BLOCK.images) <= MOST_IN_BLOCK.images &&
    count(text, "{%", MOST_IN_BLOCK["open tags"]) <= MOST_IN_BLOCK["open tags"];
}

/** What there is too much of in the first block that has too much of something. */
function hardBlock(text: string): string | undefined {
  let start = -1;
  for (let at = 0; at <= text.length;) {
    const end = endOfLine(text, at);
    if (isBlank(text, at, end)) {
      const reason = start < 0 ? undefined : excess(countBlock(text, start, at));
      if (reason !== undefined) return reason;
      start = -1;
    } else if (start < 0) start = at;
    at = end + 1;
  }
  return start < 0 ? undefined : excess(countBlock(text, start, text.length));
}

/**
 * Refuses a text that is {@linkcode tooHardToParse}, or too long.
 *
 * @param most The most UTF-16 units that it may have.
 * @throws {RefraktError} `VALIDATION_ERROR`, with what there is too much of.
 */
export function requireParsable(text: string, most = Infinity): void {
  const reason = text.length > most ? `more than ${most} characters` : tooHardToParse(text);
  if (reason !== undefined) throw tooHard(reason);
}

function tooHard(reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${reason}`, {
    hint: "Split the text, or part its blocks by blank lines.",
  });
}

/** Whether an error says so of a text: it stays so until the text changes. */
export function isTooHard(error: unknown): boolean {
  return error instanceof RefraktError && error.code === "VALIDATION_ERROR";
}

/**
 * Parses a text within the limits, and in time: what nobody thought of is refused as well.
 *
 * @param parse The parser. Where it is ended, nothing of it may be in use.
 * @param limits The most UTF-16 units of the text, and milliseconds that it may take.
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that is too hard; what the parser throws.
 */
export function parseMarkup<Parsed>(
  text: string,
  parse: (text: string) => Parsed,
  { most, milliseconds = FILE_LIMIT_MS }: { most?: number; milliseconds?: number } = {},
): Parsed {
  requireParsable(text, most);
  return inTime(milliseconds, () => parse(text), tooHard);
}

function excess(counts: Counts): string | undefined {
  const name = NAMES.find((each) => counts[each] > MOST_IN_BLOCK[each]);
  return name && `a block with more than ${MOST_IN_BLOCK[name]} ${name}`;
}

/** Where a line ends: the parser takes a carriage return alone for an end too. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === RETURN) return at;
  }
  return text.length;
}

/** Blank to the parser: any other white space is text. Between the two halves of CRLF is nothing. */
function isBlank(text: string, from: number, end: number): boolean {
  if (from === end && text.charCodeAt(end) === LINE_FEED && text.charCodeAt(end - 1) === RETURN) {
    return false;
  }
  for (let at = from; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

const isSpace = (code: number) => code === 32 || code === 9;
const LINE_FEED = 10;
const RETURN = 13;

/** What a character is to the count, by its code. */
const Kind = {
  Other: 0,
  Space: 1,
  LineEnd: 2,
  Digit: 3,
  /** What quotes and items of lists begin with; a number may stand before the last two. */
  Container: 4,
  Bracket: 5,
  Pipe: 6,
  Brace: 7,
  Mark: 8,
} as const;

const KINDS = new Uint8Array(128);
for (
  const [characters, kind] of [
    [" \t", Kind.Space],
    ["\n\r", Kind.LineEnd],
    ["0123456789", Kind.Digit],
    [">-+.)", Kind.Container],
    ["[", Kind.Bracket],
    ["|", Kind.Pipe],
    ["{", Kind.Brace],
    ["*_~`", Kind.Mark],
  ] as const
) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}
const CHECK_BOX = /^\[.\][^:]/;
const STAR = 42;
const EXCLAMATION = 33;
const PERCENT = 37;

function countBlock(text: string, start: number, end: number): Counts {
  let [lines, columns, mostColumns, depth, mostDepth, open, mostOpen] = [0, 1, 1, 0, 0, 0, 0];
  let [spaces, mostSpaces, brackets, images, definitions, marks] = [0, 0, 0, 0, 0, 0];
  let [isPrefix, isDoubtful] = [true, false];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? KINDS[code] : Kind.Other;
    if (kind === Kind.Space) {
      if (++spaces > mostSpaces) mostSpaces = spaces;
      continue;
    }
    spaces = 0;
    if (kind === Kind.LineEnd) {
      lines++;
      columns = 1;
      depth = 0;
      isPrefix = true;
      continue;
    }
    if (isPrefix) {
      if (kind === Kind.Container || code === STAR) mostDepth = Math.max(mostDepth, ++depth);
      else if (kind !== Kind.Digit) {
        isPrefix = false;
        if (kind === Kind.Bracket && !CHECK_BOX.test(text.slice(at, at + 4))) definitions++;
      }
    }
    if (kind === Kind.Other) continue;
    if (kind === Kind.Bracket) {
      brackets++;
      if (text.charCodeAt(at - 1) === EXCLAMATION) images++;
    } else if (kind === Kind.Pipe) mostColumns = Math.max(mostColumns, ++columns);
    else if (kind === Kind.Mark) marks++;
    else if (kind === Kind.Brace && text.charCodeAt(at + 1) === PERCENT) {
      const change = openedBy(text, at);
      // Behind a doubtful tag, what looks like a closing one may be part of it.
      isDoubtful ||= change === undefined;
      open = Math.max(0, open + (isDoubtful ? Math.max(0, change ?? 1) : change!));
      mostOpen = Math.max(mostOpen, open);
    }
  }
  return {
    characters: end - start,
    lines,
    brackets,
    images,
    definitions,
    "open tags": mostOpen,
    marks,
    "table cells": mostColumns > 1 ? mostColumns * lines : 0,
    "nested lines": mostDepth * lines,
    "spaces in a row": mostSpaces,
  };
}

/** A tag without anything that makes its end doubtful. */
const SIMPLE_TAG = /\{%([^"{}%]*(?:"[^"\\{}%]*"[^"{}%]*)*)%\}/y;
const CLOSING = /^\s*\/[\w-]+\s*$/;

/** What a tag adds to those that are open; `undefined` for a doubtful one. */
function openedBy(text: string, at: number): number | undefined {
  SIMPLE_TAG.lastIndex = at;
  const inner = SIMPLE_TAG.exec(text)?.[1];
  if (inner === undefined) return undefined;
  if (CLOSING.test(inner)) return -1;
  return inner.endsWith("/") ? 0 : 1;
}

/** How often a text has another, counted no further than one beyond a limit. */
function count(text: string, what: string, most: number): number {
  let found = 0;
  for (
    let at = text.indexOf(what);
    at !== -1 && found <= most;
    at = text.indexOf(what, at + what.length)
  ) {
    found++;
  }
  return found;
}
