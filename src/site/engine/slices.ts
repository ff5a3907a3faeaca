/**
 * Long work in one process with others: it gives way now and then, and stops when it is
 * cancelled.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";

/** How long the work may keep the process to itself, in milliseconds. */
const SLICE_MS = 20;

/**
 * Makes a function to call between the steps of long work.
 *
 * @param signal Aborts when nobody waits any more.
 * @param hint What to do instead of waiting that long.
 */
export function turnTaker(signal: AbortSignal, hint: string): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since >= SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
    if (signal.aborted) throw new RefraktError("TIMEOUT", "The call was cancelled", { hint });
  };
}
