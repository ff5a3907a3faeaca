/** Turns of long work with other work of the process. */

/** How long the work may block the event loop, in milliseconds. */
const SLICE_MS = 20;

/**
 * Returns a function to await between steps: it yields to the event loop, and throws the signal's
 * reason once that is aborted.
 */
export function turnTaker(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since >= SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
    signal.throwIfAborted();
  };
}
