/**
 * Ends work that takes too long, such as a parser that a text keeps busy.
 *
 * @module
 */

import { Script } from "node:vm";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";

/** How long one file may be parsed, checked or rendered, in milliseconds. */
export const FILE_LIMIT_MS = 5000;

/**
 * How much later than its time work is ended, in milliseconds. Where work is over in the moment
 * in which Deno (2.9) ends it, the process ends: so work that is late waits for that.
 */
const MARGIN_MS = 500;

/**
 * The key of the function that the script calls, which has no other way to it; a process may have
 * several copies of this module.
 */
const KEY = `@refrakt/mcp.time_limit.${crypto.randomUUID()}`;
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(KEY)})]()`);
let next: (() => void) | undefined;
let isLimited = false;
Object.defineProperty(globalThis, Symbol.for(KEY), { value: () => next?.() });

/**
 * Runs work that may take no longer than a time. Only what runs without a pause counts: of an
 * asynchronous function, the part up to its first `await`. Within other such work, the time of
 * that work counts alone.
 *
 * @param milliseconds The time.
 * @param work The work. It is ended wherever it is, without its `finally` blocks, so it may
 * change nothing that is used afterwards.
 * @param late Makes the error for when the time is over.
 * @throws {RefraktError} `TIMEOUT` when the time is over; whatever the work throws.
 * @example
 * ```ts
 * import { inTime } from "./time_limit.ts";
 *
 * console.assert(inTime(1000, () => "a".repeat(3)) === "aaa");
 * ```
 */
export function inTime<Value>(
  milliseconds: number,
  work: () => Value,
  late: (said: string) => Error = tooLate,
): Value {
  if (isLimited) return work();
  // What the script itself answers has no type.
  let outcome: { value: Value } | { error: unknown } | undefined;
  next = () => {
    const end = performance.now() + milliseconds;
    next = undefined;
    try {
      outcome = { value: work() };
    } catch (error) {
      outcome = { error };
    }
    if (performance.now() > end) { for (;;); }
  };
  isLimited = true;
  try {
    script.runInThisContext({ timeout: Math.ceil(milliseconds) + MARGIN_MS });
  } catch (error) {
    if (fieldOf(error, "code") !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    outcome = undefined;
  } finally {
    isLimited = false;
  }
  if (outcome === undefined) throw late(`it takes longer than ${milliseconds / 1000} seconds`);
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

function tooLate(said: string): RefraktError {
  return new RefraktError("TIMEOUT", `Stopped: ${said}`, {
    hint: "Split the text, or mend the code that works on it.",
  });
}
