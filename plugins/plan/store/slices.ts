/** Runs long work in slices, so that other calls are answered in between. */

import { RefraktError } from "../../../src/errors.ts";
import { FILE_LIMIT_MS, withTimeLimit } from "../../../src/io/time_limit.ts";

/** The length of a slice while a call waits for the result. */
const SLICE_MS = 20;
/** The length of a slice, and the pause after it, while no call waits. */
const [IDLE_SLICE_MS, IDLE_PAUSE_MS] = [4, 2];

type Step<Value> = IteratorResult<void, Value>;

export async function inSlices<Value>(
  steps: Generator<void, Value>,
  isAwaited: () => boolean = () => true,
  run: (slice: () => Step<Value>) => Step<Value> = (slice) => slice(),
): Promise<Value> {
  while (true) {
    const sliceEnd = performance.now() + (isAwaited() ? SLICE_MS : IDLE_SLICE_MS);
    const last = run(() => {
      let step = steps.next();
      while (step.done !== true && performance.now() < sliceEnd) step = steps.next();
      return step;
    });
    if (last.done === true) return last.value;
    // A timer, because immediate callbacks run before new input is read.
    await new Promise((resolve) => setTimeout(resolve, isAwaited() ? 0 : IDLE_PAUSE_MS));
  }
}

/**
 * Runs work that parses many files. A time limit costs as much as parsing a small file, so the files
 * of a slice share one. If it ends a slice, the work starts again with a limit for each file.
 *
 * @param start Begins the work; what it changes must not outlive it.
 * @param milliseconds The limit of a slice.
 */
export async function parseInSlices<Value>(
  start: () => Generator<void, Value>,
  isAwaited?: () => boolean,
  milliseconds = FILE_LIMIT_MS,
): Promise<Value> {
  try {
    return await inSlices(start(), isAwaited, (slice) => withTimeLimit(milliseconds, slice));
  } catch (error) {
    if (!(error instanceof RefraktError && error.code === "TIMEOUT")) throw error;
    return await inSlices(start(), isAwaited);
  }
}
