/** The call that the engine works for, and its turns with other work of the process. */

import { RefraktError } from "../../errors.ts";
import type { CallContext } from "../../tools/context.ts";

/** What the engine needs of a call. */
export type EngineCall = Pick<CallContext, "project" | "signal" | "progress">;

/** How long the work may block the event loop, in milliseconds. */
const SLICE_MS = 20;

/**
 * Returns a function to await between steps: it yields to the event loop and throws if cancelled.
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
