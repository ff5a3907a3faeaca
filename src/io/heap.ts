/**
 * Returns memory to the system. V8 grows its heap for a burst of work and keeps most of it while
 * idle afterwards: 60 MB for the real plan (681 entities).
 */

import { lazily } from "./lazily.ts";

/** The growth of the heap, in bytes, after which collecting is worth it again. */
const GROWTH = 24 * 1024 * 1024;

/** How long nothing is read before memory is returned, in milliseconds. */
const IDLE_MS = 2000;

/** Above this size, in bytes, collecting would delay other calls too long. */
const LARGEST_HEAP = 512 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

const collector = lazily(async () => {
  const [v8, vm] = await Promise.all([import("node:v8"), import("node:vm")]);
  // Contexts created while the flag is set have the function.
  v8.setFlagsFromString("--expose-gc");
  const found: Collect = vm.runInNewContext("gc");
  v8.setFlagsFromString("--no-expose-gc");
  return found;
});

/** The size of the heap after the last collection, in bytes, and the timer of the next one. */
const heap = { settled: 0, idle: 0 };

/**
 * Collects garbage and returns its memory to the system. Call it after a burst of work: it blocks
 * for about two milliseconds per megabyte in use.
 */
export async function giveBackMemory(): Promise<void> {
  const collect = await collector();
  if (Deno.memoryUsage().heapUsed > LARGEST_HEAP) return;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  heap.settled = Deno.memoryUsage().heapTotal;
}

/** Calls {@linkcode giveBackMemory} once the plan is no longer read, if the heap has grown. */
export function giveBackWhenIdle(): void {
  clearTimeout(heap.idle);
  heap.idle = Number(setTimeout(() => {
    if (Deno.memoryUsage().heapTotal > heap.settled + GROWTH) void giveBackMemory();
  }, IDLE_MS));
  Deno.unrefTimer(heap.idle);
}
