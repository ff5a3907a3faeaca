/** Returns memory to the system: V8 keeps most of the heap that a burst of work took. */

import { nodeModule } from "../../../src/io/lazily.ts";

/** The growth of the heap, in bytes, from which collecting garbage is worth its time. */
const MUCH = 24 * 1024 * 1024;
/** A larger heap, in bytes, is left alone: calls would wait 2 ms for each MB of it. */
const LARGEST_HEAP = 256 * 1024 * 1024;
/** How long nothing is read before memory is returned, in milliseconds. */
const IDLE_MS = 2000;

export function memoryReturner() {
  /** The size of the heap before the plan is read, then after the last collection. */
  let settled = Deno.memoryUsage().heapTotal;
  let timer = 0;

  /** Returns memory, if much was taken: a history of 1,000 commits takes 90 MB. */
  function now(): void {
    const { heapTotal, heapUsed } = Deno.memoryUsage();
    if (heapTotal < settled + MUCH || heapUsed > LARGEST_HEAP) return;
    const v8 = nodeModule("node:v8");
    // Contexts that are created while the flag is set have the function.
    v8.setFlagsFromString("--expose-gc");
    const collect: () => void = nodeModule("node:vm").runInNewContext("gc");
    v8.setFlagsFromString("--no-expose-gc");
    collect();
    settled = Deno.memoryUsage().heapTotal;
  }

  return {
    now,
    /** Returns memory when this has not been called for a while. */
    whenIdle() {
      clearTimeout(timer);
      timer = Number(setTimeout(now, IDLE_MS));
      Deno.unrefTimer(timer);
    },
  };
}
