/**
 * Output of one-shot commands. It contains text of the repository, so control sequences that
 * are not the program's own are removed: a terminal would obey them.
 *
 * @module
 */

import { writeStderr, writeStdout } from "../io/pipes.ts";
import { withEscapes, withoutHidden } from "../plain_text.ts";
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
