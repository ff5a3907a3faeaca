/** Runs long work in slices, so that other calls are answered in between. */

/** The length of a slice while a call waits for the result. */
const SLICE_MS = 20;
/** The length of a slice, and the pause after it, while no call waits. */
const [IDLE_SLICE_MS, IDLE_PAUSE_MS] = [4, 2];
/** A timer that is late by more tells that a call for something else is working. */
const LATE_MS = 6;
/** The pause until it is looked at again. */
const BUSY_PAUSE_MS = 25;

export async function inSlices<Value>(
  steps: Generator<void, Value>,
  isAwaited: () => boolean = () => true,
): Promise<Value> {
  while (true) {
    const sliceEnd = performance.now() + (isAwaited() ? SLICE_MS : IDLE_SLICE_MS);
    let step = steps.next();
    while (step.done !== true && performance.now() < sliceEnd) step = steps.next();
    if (step.done === true) return step.value;
    // A timer, because immediate callbacks run before new input is read.
    let late = await pause(isAwaited() ? 0 : IDLE_PAUSE_MS);
    while (late > LATE_MS && !isAwaited()) late = await pause(BUSY_PAUSE_MS);
  }
}

/** Returns by how many milliseconds the pause was longer than wanted. */
async function pause(milliseconds: number): Promise<number> {
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return performance.now() - start - milliseconds;
}
