/**
 * What the end of a call means to the one who called.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { CallOutcome } from "./call.ts";

/**
 * What a call answers: what its function returned, else what a command printed. What else
 * was printed goes to the log.
 *
 * @param outcome How the call ended.
 * @param log Takes a text that was printed.
 * @throws {RefraktError} `TOOL_FAILED` with what was said, where it asked to exit as a failure.
 */
export function answerOf<Value>(
  outcome: CallOutcome<Value>,
  log: (text: string) => void,
): Value | unknown {
  const { value, stdout, stderr, exitCode, printsAnswer } = outcome;
  const isFailure = exitCode !== undefined && exitCode !== 0 ||
    exitCode === 0 && value === undefined && !printsAnswer;
  if (isFailure) throw exitError(outcome);
  const isPrinted = printsAnswer && value === undefined;
  for (const text of isPrinted ? [stderr] : [stdout, stderr]) {
    if (text.trim() !== "") log(text.trimEnd());
  }
  return isPrinted ? parseOutput(stdout) : value;
}

/** The error of a call that asked to exit: what it said on stderr, else on stdout. */
function exitError({ stdout, stderr, exitCode, printsAnswer }: CallOutcome<unknown>) {
  const said = (stderr.trim() || stdout.trim()).slice(0, 4000);
  const ended = `${printsAnswer ? "The command" : "A package"} ended with exit code ${exitCode}`;
  return new RefraktError("TOOL_FAILED", said === "" ? ended : said, {
    hint: `${ended}; mend the arguments and call again.`,
    data: { exitCode },
  });
}

/** What a command printed: the data if it is a JSON object or list, else the text, if any. */
function parseOutput(text: string): unknown {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      // Prose that begins like JSON.
    }
  }
  return trimmed === "" ? undefined : trimmed;
}
