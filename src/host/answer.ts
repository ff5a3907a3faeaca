/** What a call answers: what its function returned, or what its command printed. */

import { orElse, RefraktError } from "../errors.ts";
import type { CallOutcome, CallState } from "../packages/stand_in_call.ts";

/**
 * Returns what the function returned, else what the command printed. Logs the rest of the output.
 *
 * @param outcome The outcome of the call.
 * @param log Receives output that is not the answer.
 * @throws {RefraktError} `TOOL_FAILED` with the output, if the call exited with a failure.
 */
export function answerOf(
  { call, value }: CallOutcome<unknown>,
  log: (text: string) => void,
): unknown {
  const { stdout, stderr, exitCode, printsAnswer } = call;
  const isFailure = exitCode !== undefined && exitCode !== 0 ||
    exitCode === 0 && value === undefined && !printsAnswer;
  if (isFailure) throw exitError(call);
  const isPrinted = printsAnswer && value === undefined;
  for (const text of isPrinted ? [stderr] : [stdout, stderr]) {
    if (text.trim() !== "") log(text.trimEnd());
  }
  return isPrinted ? parseOutput(stdout) : value;
}

/** The error for a call that exited: its stderr, else its stdout. */
function exitError({ stdout, stderr, exitCode, printsAnswer }: CallState) {
  const said = (stderr.trim() || stdout.trim()).slice(0, 4000);
  const ended = `${printsAnswer ? "The command" : "A package"} ended with exit code ${exitCode}`;
  return new RefraktError("TOOL_FAILED", said === "" ? ended : said, {
    hint: `${ended}; mend the arguments and call again.`,
    data: { exitCode },
  });
}

/** Parses command output: a JSON object or list, else text, if any. */
function parseOutput(text: string): unknown {
  const trimmed = text.trim();
  // Text may look like JSON.
  if (/^[[{]/.test(trimmed)) return orElse(() => JSON.parse(trimmed), trimmed);
  return trimmed === "" ? undefined : trimmed;
}
