/**
 * Exit codes and the text of errors.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { startupSentence } from "./start.ts";

/** The exit code for invalid arguments. */
export const USAGE = 2;

/** The exit code for an error: 2 for invalid arguments, else 1. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RefraktError && error.code === "INVALID_ARGS" ? USAGE : 1;
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
