/**
 * Gives memory back to the system. V8 grows its heap for a burst of work, and keeps most of it
 * while little happens afterwards: 60 MB for the real plan (681 entities).
 *
 * @module
 */

/** Above this, in bytes, collecting takes so long that other calls would have to wait. */
const LARGEST_HEAP = 512 * 1024 * 1024;

/** V8's own function, as far as it is used. */
type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

let collect: Promise<Collect> | undefined;

/**
 * Collects garbage and gives its memory back to the system. To be called when a burst of work
 * is over: it holds up everything for some two milliseconds a megabyte in use.
 */
export async function giveBackMemory(): Promise<void> {
  collect ??= Promise.all([import("node:v8"), import("node:vm")]).then(([v8, vm]) => {
    // V8 has the function in contexts that are made while a flag is set; it is not left set.
    v8.setFlagsFromString("--expose-gc");
    const found: Collect = vm.runInNewContext("gc");
    v8.setFlagsFromString("--no-expose-gc");
    return found;
  });
  const run = await collect;
  if (Deno.memoryUsage().heapUsed > LARGEST_HEAP) return;
  run({ type: "major", execution: "sync", flavor: "last-resort" });
}
