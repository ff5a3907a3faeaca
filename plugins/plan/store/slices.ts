/**
 * Long work in slices, so that other calls are answered in between.
 *
 * @module
 */

/** How long a slice delays other work while a call waits for the result, in milliseconds. */
const SLICE_MS = 20;
/** The same, and the pause after each slice, while no call waits. */
const [IDLE_SLICE_MS, IDLE_PAUSE_MS] = [4, 2];

/** Runs work in short steps; the slices are shorter while no call waits for the result. */
export async function inSlices<Value>(
  steps: Generator<void, Value>,
  isAwaited: () => boolean = () => true,
): Promise<Value> {
  const nextEnd = () => performance.now() + (isAwaited() ? SLICE_MS : IDLE_SLICE_MS);
  for (let sliceEnd = nextEnd();;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    // A timer, not an immediate callback: those run before new input is read.
    await new Promise((resolve) => setTimeout(resolve, isAwaited() ? 0 : IDLE_PAUSE_MS));
    sliceEnd = nextEnd();
  }
}
