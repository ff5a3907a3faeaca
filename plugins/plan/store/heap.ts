/**
 * Gives memory back to the system. V8 grows its heap for a burst of work, and keeps most of it
 * while little happens afterwards, as in a server that mostly waits.
 *
 * @module
 */

/** Above this, in bytes, collecting takes so long that other calls would have to wait. */
const LARGEST_HEAP = 512 * 1024 * 1024;
/** By how much the heap has to grow, in bytes, to be worth it again. */
const GROWTH = 24 * 1024 * 1024;
/** How long nothing has to happen for that, in milliseconds. */
const IDLE_MS = 2000;

/** V8's own function, as far as it is used. */
type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

let collect: Promise<Collect | undefined> | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
/** The size of the heap after the last time. */
let settled = 0;

/**
 * Collects garbage and gives its memory back to the system. To be called when a burst of work
 * is over: it holds up everything for as long as looking through twice what is in use takes,
 * some two milliseconds a megabyte, and does nothing where that would be long.
 */
export async function giveBackMemory(): Promise<void> {
  collect ??= findCollector();
  const run = await collect;
  if (Deno.memoryUsage().heapUsed > LARGEST_HEAP) return;
  run?.({ type: "major", execution: "sync", flavor: "last-resort" });
  settled = Deno.memoryUsage().heapTotal;
}

/** The same in a while, unless this is called again before, and if the heap has grown by much. */
export function giveBackWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    if (Deno.memoryUsage().heapTotal > settled + GROWTH) void giveBackMemory();
  }, IDLE_MS);
  // A process that has nothing else to do ends without it.
  Deno.unrefTimer(Number(idle));
}

/** V8 has the function in contexts that are made while a flag is set; the flag is not left set. */
async function findCollector(): Promise<Collect | undefined> {
  try {
    const [v8, vm] = await Promise.all([import("node:v8"), import("node:vm")]);
    v8.setFlagsFromString("--expose-gc");
    try {
      return vm.runInNewContext("gc") as Collect;
    } finally {
      v8.setFlagsFromString("--no-expose-gc");
    }
  } catch {
    // The runtime does not offer it: garbage is collected when V8 decides to.
    return undefined;
  }
}
