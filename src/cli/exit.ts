/**
 * How the programs end.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { exitProcess } from "../io/pipes.ts";
import { printNote } from "./print.ts";
import { startupSentence } from "./start.ts";

/** The exit code for arguments that are not understood. */
export const USAGE = 2;

/**
 * Runs a program and ends the process with its exit code; one that serves gives
 * none and goes on.
 */
export async function runProgram(program: () => Promise<number | undefined>): Promise<void> {
  try {
    const code = await program();
    if (code !== undefined) exitProcess(code);
  } catch (error) {
    printNote(`${errorText(error)}\n`);
    exitProcess(exitCodeOf(error));
  }
}

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
