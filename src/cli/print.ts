/**
 * Output and exit codes of one-shot commands. Hidden characters are shown as escapes: a terminal
 * would execute some of them.
 */

import { RefraktError } from "../errors.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { shownData, withEscapes } from "../plain_text.ts";
import { startupSentence } from "./start.ts";
import { MARKS } from "./terminal.ts";

/** Prints text to stdout, with no control sequences but those of `Paint`. */
export function print(text: string): void {
  writeStdout(withMarksOnly(text));
}

export function printJson(value: unknown): void {
  writeStdout(`${JSON.stringify(shownData(value), null, 2)}\n`);
}

/** Prints text to stderr like {@linkcode print}. */
export function printNote(text: string): void {
  writeStderr(withMarksOnly(text));
}

function withMarksOnly(text: string): string {
  return text.split(MARKS).map((part, at) => at % 2 === 1 ? part : withEscapes(part)).join("");
}

/** 2 for invalid arguments and values, else 1. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RefraktError && INVALID.has(error.code) ? 2 : 1;
}

const INVALID: ReadonlySet<string> = new Set(["INVALID_ARGS", "VALIDATION_ERROR"]);

/** The text of an error, which begins with its code. */
export function errorText(error: unknown): string {
  if (!(error instanceof RefraktError)) return startupSentence(error);
  return `${error.code}: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
}
