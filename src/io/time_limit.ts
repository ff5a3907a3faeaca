/** Stops work that takes too long, such as a slow parser. */

import { Script } from "node:vm";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";

/** The timeout for parsing, checking or rendering one file, in milliseconds. */
export const FILE_LIMIT_MS = 5000;

/**
 * How long the timeout exceeds the limit, in milliseconds. Deno 2.9 crashes if work finishes in the
 * moment in which it is stopped, so late work waits in a loop for the timeout.
 */
const MARGIN_MS = 500;

/**
 * The global symbol through which the script calls the work; unique because a process may load this
 * module several times.
 */
const KEY = `@refrakt/mcp.time_limit.${crypto.randomUUID()}`;
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(KEY)})]()`);
let next: (() => void) | undefined;
let isLimited = false;
Object.defineProperty(globalThis, Symbol.for(KEY), { value: () => next?.() });

/**
 * Runs work with a timeout. Only synchronous work counts: of an async function, the part before
 * its first `await`. Nested calls share the outer limit.
 *
 * @param milliseconds The limit.
 * @param work The work. It may be stopped anywhere, without running `finally` blocks, so it must not
 * change shared state.
 * @param late Creates the timeout error.
 * @throws {RefraktError} `TIMEOUT` after the limit; also rethrows errors of the work.
 */
export function inTime<Value>(
  milliseconds: number,
  work: () => Value,
  late: (said: string) => Error = tooLate,
): Value {
  if (isLimited) return work();
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
    hint: "Split the text, or fix the code that processes it.",
  });
}

/**
 * Returns the value of a promise in an object, or `undefined` on timeout. Ignores what the promise
 * does later.
 */
export async function within<Value>(
  pending: Promise<Value>,
  milliseconds: number,
): Promise<{ readonly value: Value } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([pending.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
