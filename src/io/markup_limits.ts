/**
 * Markdown that is refused before it is parsed. Work that takes too long is ended
 * (`time_limit.ts`), but not inside a single call of the engine: one open tag too many in a
 * paragraph keeps the parser there without end, and a wide table takes memory with the product of
 * its rows and columns. Real texts have a tenth of these.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { FILE_LIMIT_MS, inTime } from "./time_limit.ts";

/** The most tags in a text: each may look for its end through the whole of it. */
const MOST_TAGS = 2000;

/** The most tags that are open at once in a block, which is what stands between two blank lines. */
const MOST_OPEN_TAGS = 80;

/** The most cells in a block, lines times columns: what a row lacks is filled up. */
const MOST_TABLE_CELLS = 60_000;

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
  const tags = text.split("{%", MOST_TAGS + 2).length - 1;
  if (tags > MOST_TAGS) return `more than ${MOST_TAGS} tags`;
  const pipes = text.split("|", MOST_TABLE_CELLS).length - 1;
  // No block has more of anything than the text.
  const mayOpenTooMany = tags > MOST_OPEN_TAGS;
  const mayBeTooWide = pipes > 0 && pipes * lineCount(text) > MOST_TABLE_CELLS;
  if (!mayOpenTooMany && !mayBeTooWide) return undefined;
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/)) {
    if (mayOpenTooMany && openTags(block) > MOST_OPEN_TAGS) {
      return `a block with more than ${MOST_OPEN_TAGS} open tags`;
    }
    if (mayBeTooWide && tableCells(block) > MOST_TABLE_CELLS) {
      return `a block with more than ${MOST_TABLE_CELLS} table cells`;
    }
  }
  return undefined;
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

/** Whether an error says so of a text: it stays so until the text changes. */
export function isTooHard(error: unknown): boolean {
  return error instanceof RefraktError && error.code === "VALIDATION_ERROR";
}

/**
 * Parses a text within the limits, and in time.
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

function tooHard(reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${reason}`, {
    hint: "Split the text, or part its blocks by blank lines.",
  });
}

/** A tag without anything that makes its end doubtful. */
const SIMPLE_TAG = /\{%([^"{}%]*(?:"[^"\\{}%]*"[^"{}%]*)*)%\}/y;
const CLOSING = /^\s*\/[\w-]+\s*$/;

/** How many tags are open at once in a block, at most. */
function openTags(block: string): number {
  let [open, mostOpen, isDoubtful] = [0, 0, false];
  for (let at = block.indexOf("{%"); at !== -1; at = block.indexOf("{%", at + 2)) {
    SIMPLE_TAG.lastIndex = at;
    const inner = SIMPLE_TAG.exec(block)?.[1];
    // After a doubtful tag, what looks like a closing one may be part of it.
    isDoubtful ||= inner === undefined;
    if (inner === undefined || !CLOSING.test(inner) && !inner.endsWith("/")) open++;
    else if (!isDoubtful && CLOSING.test(inner)) open = Math.max(0, open - 1);
    mostOpen = Math.max(mostOpen, open);
  }
  return mostOpen;
}

/** The lines of a block times the columns of its widest one. */
function tableCells(block: string): number {
  if (!block.includes("|")) return 0;
  const lines = block.split("\n");
  return lines.length * Math.max(...lines.map((line) => line.split("|").length));
}

function lineCount(text: string): number {
  return text.split(/\r\n?|\n/).length;
}
