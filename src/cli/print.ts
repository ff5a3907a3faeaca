/**
 * Output and exit codes of one-shot commands. Output contains text of the repository, so control sequences that
 * are not the program's own are removed: a terminal would obey them.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { withEscapes, withoutHidden } from "../plain_text.ts";
import { startupSentence } from "./start.ts";
import { MARKS } from "./terminal.ts";

/** Prints text to stdout, with the marks of `Paint` and nothing else that is hidden. */
export function print(text: string): void {
  writeStdout(withMarksOnly(text));
}

/** Prints a value as JSON to stdout. */
export function printJson(value: unknown): void {
  printData(JSON.stringify(value, null, 2));
}

/** Prints JSON, or a text with its escapes such as TOML, to stdout. */
export function printData(text: string): void {
  writeStdout(`${withEscapes(text)}\n`);
}

/** Prints text to stderr, as {@linkcode print} does. */
export function printNote(text: string): void {
  writeStderr(withMarksOnly(text));
}

function withMarksOnly(text: string): string {
  return text.split(MARKS).map((part, at) => at % 2 === 1 ? part : withoutHidden(part)).join("");
}

/** The exit code for an error: 2 for invalid arguments, else 1. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RefraktError && error.code === "INVALID_ARGS" ? 2 : 1;
}

/** The text of an error with its code, as one-shot commands print it. */
export function describeError(error: RefraktError): string {
  const hint = error.hint === undefined ? "" : `\n${error.hint}`;
  return `${error.code}: ${error.message}${hint}`;
}

/** The text of an error without its code. */
export function errorText(error: unknown): string {
  if (!(error instanceof RefraktError)) return startupSentence(error);
  return `Error: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
}
