/** Turns of long work with other work of the process. */

import { RefraktError } from "../errors.ts";
import { withTimeLimit } from "./time_limit.ts";

/** How long the work may block the event loop, in milliseconds: each slice costs half of one. */
const SLICE_MS = 40;

/** To be awaited between steps. @param steps How many were done since; 1 by default. */
export type Turn = (steps?: number) => Promise<void>;

/**
 * Returns a function to await between steps: it yields to the event loop, and throws a `TIMEOUT` if
 * the call was cancelled.
 */
export function turnTaker(signal: AbortSignal): Turn {
  let since = performance.now();
  return async () => {
    if (performance.now() - since >= SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
    if (!signal.aborted) return;
    throw new RefraktError("TIMEOUT", "The call was cancelled", {
      hint: "Call again if you still need the result.",
    });
  };
}

/** What work returned or threw. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

/** The limit of a slice of steps, in milliseconds: what takes longer has a limit of its own. */
const SLICE_LIMIT_MS = 1000;

/**
 * Does work for each item, with one time limit for as many as fit into a slice: setting one takes
 * half a millisecond.
 *
 * @param work As of `withTimeLimit`; it sets limits of its own, which hold if it is slow.
 */
export async function eachInTurn<Item, Value>(
  items: readonly Item[],
  turn: Turn,
  work: (item: Item) => Value,
): Promise<Outcome<Value>[]> {
  const outcomes: Outcome<Value>[] = [];
  const step = () => {
    let outcome: Outcome<Value>;
    try {
      outcome = { value: work(items[outcomes.length]!) };
    } catch (error) {
      outcome = { error };
    }
    outcomes.push(outcome);
  };
  while (outcomes.length < items.length) {
    const before = outcomes.length;
    withTimeLimit(SLICE_LIMIT_MS, () => {
      const end = performance.now() + SLICE_MS;
      do step(); while (outcomes.length < items.length && performance.now() < end);
    }, step);
    await turn(outcomes.length - before);
  }
  return outcomes;
}
