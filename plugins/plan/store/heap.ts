/**
 * Returns memory to the system. V8 grows its heap for a burst of work and keeps most of it while
 * idle afterwards: 60 MB for the real plan (681 entities).
 */

/** Above this size, in bytes, collecting would delay other calls too long. */
const LARGEST_HEAP = 512 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

let collect: Promise<Collect> | undefined;

/**
 * Collects garbage and returns its memory to the system. Call it after a burst of work: it blocks
 * for about two milliseconds per megabyte in use.
 */
export async function giveBackMemory(): Promise<void> {
  collect ??= Promise.all([import("node:v8"), import("node:vm")]).then(([v8, vm]) => {
    // Contexts created while the flag is set have the function.
    v8.setFlagsFromString("--expose-gc");
    const found: Collect = vm.runInNewContext("gc");
    v8.setFlagsFromString("--no-expose-gc");
    return found;
  });
  const run = await collect;
  if (Deno.memoryUsage().heapUsed > LARGEST_HEAP) return;
  run({ type: "major", execution: "sync", flavor: "last-resort" });
}
