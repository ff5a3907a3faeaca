import { RefraktError } from "../../errors.ts";

export interface EngineProgress {
  /** Done so far, in any unit. */
  readonly progress: number;
  /** In the same unit as `progress`. */
  readonly total?: number;
  readonly message?: string;
}

export interface Channels {
  readonly signal: AbortSignal;
  progress(update: EngineProgress): void;
}

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
