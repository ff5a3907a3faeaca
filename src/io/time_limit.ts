/** Limits how long work takes: a slow parser is stopped, a slow promise is not awaited. */

import { AsyncLocalStorage } from "node:async_hooks";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";
import { lazily } from "./lazily.ts";
import { nodeModule } from "./node_module.ts";

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
const script = lazily(() =>
  new (nodeModule("node:vm").Script)(`globalThis[Symbol.for(${JSON.stringify(KEY)})]()`)
);
let next: (() => void) | undefined;
let isLimited = false;
Object.defineProperty(globalThis, Symbol.for(KEY), { value: () => next?.() });

/**
 * Limits the time of work. A function is stopped at the limit; of an async function, only the part
 * before its first `await` counts. A promise is only abandoned: what it does later is ignored.
 * Functions called within the work of another share its limit.
 *
 * @param milliseconds The limit.
 * @param work A function, which may be stopped anywhere without running `finally` blocks, so it must
 * not change shared state; or a promise.
 * @param late Returns the value of work that is late, or throws. By default, a late function throws a
 * `RefraktError` with the code `TIMEOUT`.
 */
export function withTimeLimit<Value>(
  milliseconds: number,
  work: () => Value,
  late?: (reason: string) => Value,
): Value;
export function withTimeLimit<Value, Late>(
  milliseconds: number,
  work: Promise<Value>,
  late: () => Late,
): Promise<Value | Awaited<Late>>;
export function withTimeLimit<Value>(
  milliseconds: number,
  work: (() => Value) | Promise<Value>,
  late: (reason: string) => Value = refuse,
): Value | Promise<Value> {
  return typeof work === "function"
    ? stopped(milliseconds, work, late)
    : abandoned(milliseconds, work, late);
}

function stopped<Value>(
  milliseconds: number,
  work: () => Value,
  late: (reason: string) => Value,
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
    const timeout = Math.ceil(milliseconds) + MARGIN_MS;
    // Work that is stopped does not leave the stores that it has entered.
    AsyncLocalStorage.snapshot()(() => script().runInThisContext({ timeout }));
  } catch (error) {
    if (fieldOf(error, "code") !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    outcome = undefined;
  } finally {
    isLimited = false;
  }
  if (outcome === undefined) return late(`it takes longer than ${milliseconds / 1000} seconds`);
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

function refuse(reason: string): never {
  throw new RefraktError("TIMEOUT", `Stopped: ${reason}`, {
    hint: "Split the text, or fix the code that processes it.",
  });
}

async function abandoned<Value>(
  milliseconds: number,
  pending: Promise<Value>,
  late: (reason: string) => Value,
): Promise<Value> {
  const isLate = Symbol();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(() => resolve(isLate), milliseconds);
  });
  try {
    const outcome = await Promise.race([pending, limit]);
    return outcome === isLate ? await late("") : outcome;
  } finally {
    clearTimeout(timer);
  }
}
