/**
 * Why a Worker was ended, for those whose calls it had.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { WORKER_MEMORY } from "./memory.ts";

/** What ran in the Worker, for messages. */
interface Named {
  readonly name: string;
}

/** It was ended for no fault of its own. */
export const STOPPED: RefraktError = new RefraktError("TIMEOUT", "The Worker was stopped", {
  hint: "Call again.",
});

/** A call went on for too long; `at` is what it was last at. */
export function tooLong(
  { name }: Named,
  method: string,
  timeoutMs: number,
  at: string | undefined,
): RefraktError {
  return new RefraktError(
    "TIMEOUT",
    `${name} was stopped: it took longer than ${timeoutMs / 1000} seconds` +
      (at === undefined ? "" : `, and was last at ${JSON.stringify(at)}`),
    {
      hint: "Call again with less to do, or start the server with a longer --timeout=<seconds>.",
      data: { method },
    },
  );
}

/** It took too much memory. */
export function tooMuchMemory({ name }: Named): RefraktError {
  const limit = WORKER_MEMORY / 1024 / 1024;
  return new RefraktError(
    "MEMORY_LIMIT",
    `${name} was stopped: the project's code took more than ${limit} MB of memory`,
    { hint: "Call again with less to do: it starts anew. If it fails again, mend the code." },
  );
}

/** It ended by itself, or sent what it may not. */
export function failed({ name }: Named, reason: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `${name} was stopped: ${messageOf(reason)}`, {
    hint: "Call again: it starts anew. If it fails again, mend the package.",
  });
}

/** It was in a loop so often that it is not started again. */
export function stuckTooOften({ name }: Named): RefraktError {
  return new RefraktError(
    "TIMEOUT",
    `${name} is not started again: it was in loops without an end, which go on until the server ends`,
    { hint: "Mend the code, and restart the server." },
  );
}
