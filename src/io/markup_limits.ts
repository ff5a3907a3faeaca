/**
 * Rejects Markdown that would block the parser. `time_limit.ts` stops slow work, but cannot
 * interrupt a single call of the engine: too many open tags in a paragraph keep the parser there
 * forever, and the memory of a table grows with rows times columns. Real texts need a tenth of these
 * limits.
 */

import { RefraktError } from "../errors.ts";
import { FILE_LIMIT_MS, withTimeLimit } from "./time_limit.ts";

/** The maximum number of tags: for each, the parser may search the whole text. */
const MOST_TAGS = 2000;

/** The maximum number of open tags in a block; blank lines separate blocks. */
const MOST_OPEN_TAGS = 80;

/** The maximum number of cells in a block, lines times columns: the parser pads short rows. */
const MOST_TABLE_CELLS = 60_000;

/**
 * Returns why a text is too hard to parse, such as `more than 2000 tags`, or `undefined`. Runs in
 * linear time.
 */
export function tooHardToParse(text: string): string | undefined {
  const tags = text.split("{%", MOST_TAGS + 2).length - 1;
  if (tags > MOST_TAGS) return `more than ${MOST_TAGS} tags`;
  const pipes = text.split("|", MOST_TABLE_CELLS).length - 1;
  // The whole text has at least as many of each as any block.
  const mayOpenTooMany = tags > MOST_OPEN_TAGS;
  const mayBeTooWide = pipes > 0 && pipes * text.split(/\r\n?|\n/).length > MOST_TABLE_CELLS;
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
 * Rejects a text that is {@linkcode tooHardToParse} or too long.
 *
 * @param most The maximum length in UTF-16 units.
 * @throws {RefraktError} `VALIDATION_ERROR` with the reason.
 */
export function requireParsable(text: string, most = Infinity): void {
  const reason = text.length > most ? `more than ${most} characters` : tooHardToParse(text);
  if (reason !== undefined) throw tooHard(reason);
}

/** Whether the error comes from these limits: it recurs until the text changes. */
export function isTooHard(error: unknown): boolean {
  return error instanceof RefraktError && error.code === "VALIDATION_ERROR";
}

/**
 * Parses a text within the limits and a timeout.
 *
 * @param parse The parser. It may be stopped anywhere, so it must not change shared state.
 * @param most The maximum length in UTF-16 units.
 * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard; also rethrows parser errors.
 */
export function parseMarkup<Parsed>(
  text: string,
  parse: (text: string) => Parsed,
  most?: number,
): Parsed {
  requireParsable(text, most);
  return withTimeLimit(FILE_LIMIT_MS, () => parse(text), (reason) => {
    throw tooHard(reason);
  });
}

export function tooHard(reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${reason}`, {
    hint: "Split the text, or separate its blocks with blank lines.",
  });
}

/** A tag with an unambiguous end. */
const SIMPLE_TAG = /\{%([^"{}%]*(?:"[^"\\{}%]*"[^"{}%]*)*)%\}/y;
const CLOSING = /^\s*\/[\w-]+\s*$/;

/** Returns the maximum number of tags that are open at once. */
function openTags(block: string): number {
  let [open, mostOpen, isDoubtful] = [0, 0, false];
  for (let at = block.indexOf("{%"); at !== -1; at = block.indexOf("{%", at + 2)) {
    SIMPLE_TAG.lastIndex = at;
    const inner = SIMPLE_TAG.exec(block)?.[1];
    // After an ambiguous tag, an apparent closing tag may be part of it.
    isDoubtful ||= inner === undefined;
    if (inner === undefined || !CLOSING.test(inner) && !inner.endsWith("/")) open++;
    else if (!isDoubtful && CLOSING.test(inner)) open = Math.max(0, open - 1);
    mostOpen = Math.max(mostOpen, open);
  }
  return mostOpen;
}

/** The number of lines times the columns of the widest line. */
function tableCells(block: string): number {
  if (!block.includes("|")) return 0;
  const lines = block.split("\n");
  const widest = lines.reduce((most, line) => Math.max(most, line.split("|").length), 0);
  return lines.length * widest;
}
