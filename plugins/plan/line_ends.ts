/**
 * The plugin writes LF, whatever a file has; a file with CRLF keeps it.
 *
 * @module
 */

import { withWriteGate } from "../../src/sandbox/call.ts";
import { readTextIfExists, writeFileAtomic } from "../../src/sandbox/files.ts";

/** A text that is to replace a file's, with the line ends of the file, where those are all CRLF. */
export function withLineEndsOf(before: string, text: string): string {
  const isCrlf = before.includes("\r\n") && !/(?<!\r)\n/.test(before);
  return isCrlf ? text.replace(/\r?\n/g, "\r\n") : text;
}

/** The same for the file at a path; a new file gets the text as it is. */
export function withLineEndsAt(path: string, text: string): string {
  return withLineEndsOf(readTextIfExists(path) ?? "", text);
}

/** Runs work of the plugin whose writes keep the line ends of the files. */
export function keepingLineEnds<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  return withWriteGate((path, text) => ({ path, text: withLineEndsAt(path, text) }), work);
}

/** Mends a file that the plugin may have added to, by what it was before. */
export function mendLineEnds(path: string, before: string | null): void {
  if (before === null) return;
  const now = readTextIfExists(path) ?? before;
  const kept = withLineEndsOf(before, now);
  if (kept !== now) writeFileAtomic(path, kept);
}
