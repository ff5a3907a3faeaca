/**
 * What a running method of the engine talks to while it works.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";

/** One step of long work: `progress` rises, `total` is known or left out. */
export interface EngineProgress {
  /** How much is done, in units of the work's own. */
  readonly progress: number;
  /** How much there is in all, in the same units. */
  readonly total?: number;
  readonly message?: string;
}

/** How a method is cancelled, and how it says how far it is. */
export interface Channels {
  readonly signal: AbortSignal;
  progress(update: EngineProgress): void;
}

/** How long the work may keep the process to itself, in milliseconds. */
const SLICE_MS = 20;

/** Makes a function to call between the steps of long work. */
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
