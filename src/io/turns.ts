/** Turns of long work with other work of the process. */

import { RefraktError } from "../errors.ts";

/** How long the work may block the event loop, in milliseconds. */
const SLICE_MS = 20;

/**
 * Returns a function to await between steps: it yields to the event loop, and throws a `TIMEOUT` if
 * the call was cancelled.
 */
export function turnTaker(signal: AbortSignal): () => Promise<void> {
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
