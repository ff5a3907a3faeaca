/**
 * Long work in slices, so that other calls are answered in between.
 *
 * @module
 */

/** How long a slice holds up other work, in milliseconds. */
const SLICE_MS = 20;
/** The same for the first: most work is done then, and a pause takes two milliseconds. */
const FIRST_SLICE_MS = 40;

/**
 * Runs work step by step, and lets other work in between.
 *
 * @param steps The work: each step is short.
 * @param signal Ends it between two slices.
 */
export async function inSlices<Value>(
  steps: Generator<void, Value>,
  signal?: AbortSignal,
): Promise<Value> {
  let sliceEnd = performance.now() + FIRST_SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    // A timer, not an immediate callback: those run before what has come in is looked at.
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
