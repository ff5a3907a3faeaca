/**
 * Output and exit codes of one-shot commands. Repository text is stripped of control sequences,
 * which a terminal would execute.
 */

import { RefraktError } from "../errors.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { withEscapes, withoutHidden } from "../plain_text.ts";
import { startupSentence } from "./start.ts";
import { MARKS } from "./terminal.ts";

/** Prints text to stdout, stripped of all control sequences except those of `Paint`. */
export function print(text: string): void {
  writeStdout(withMarksOnly(text));
}

export function printJson(value: unknown): void {
  printData(JSON.stringify(value, null, 2));
}

/** Prints JSON or TOML to stdout; control characters are escaped. */
export function printData(text: string): void {
  writeStdout(`${withEscapes(text)}\n`);
}

/** Prints text to stderr like {@linkcode print}. */
export function printNote(text: string): void {
  writeStderr(withMarksOnly(text));
}

function withMarksOnly(text: string): string {
  return text.split(MARKS).map((part, at) => at % 2 === 1 ? part : withoutHidden(part)).join("");
}

/** 2 for invalid arguments, else 1. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RefraktError && error.code === "INVALID_ARGS" ? 2 : 1;
}

/** The text of an error, which begins with its code. */
export function errorText(error: unknown): string {
  if (!(error instanceof RefraktError)) return startupSentence(error);
  return `${error.code}: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
}
