/**
 * Exit codes and the text of errors.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { startupSentence } from "./start.ts";

/** The exit code for arguments that are not understood. */
export const USAGE = 2;

/** The exit code for an error: arguments that are not understood are told apart. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RefraktError && error.code === "INVALID_ARGS" ? USAGE : 1;
}

/** An error with its code, for people and logs of one-shot commands. */
export function describeError(error: RefraktError): string {
  const hint = error.hint === undefined ? "" : `\n${error.hint}`;
  return `${error.code}: ${error.message}${hint}`;
}

/** An error as lines for a person. */
export function errorText(error: unknown): string {
  if (!(error instanceof RefraktError)) return startupSentence(error);
  return `Error: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
}
