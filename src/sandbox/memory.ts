/**
 * A limit on the memory of Workers. The runtime has none for a single Worker, and one
 * that allocates without end takes the process with it: so the server, whose timers go
 * on meanwhile, looks at what the process holds and ends the Workers in time.
 *
 * @module
 */

/** How much Workers may hold together, in bytes; on a small machine V8 itself ends at 1 GiB. */
export const WORKER_MEMORY = 768 * 1024 * 1024;

/** How often to look while a Worker has a call, and while none has, in milliseconds. */
const BUSY_MS = 25;
const IDLE_MS = 250;

/** A Worker, as far as its memory is watched. */
export interface WatchedWorker {
  /** Whether it has a call. */
  isBusy(): boolean;
  /** Is called when Workers hold too much: ends it. */
  onTooMuch(): void;
}

const watched = new Set<WatchedWorker>();
let base = Infinity;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Watches a Worker from its next call until it is let go. Nothing tells the memory of one from that of
 * another: where there is too much of it, all those that work are ended, or all where
 * none does.
 *
 * @returns Lets it go.
 */
export function watchMemory(worker: WatchedWorker): () => void {
  if (watched.size === 0) base = besideOwnHeap();
  watched.add(worker);
  return () => {
    watched.delete(worker);
    if (watched.size === 0) clearTimeout(timer);
  };
}

/** Looks at once, and often from now on: a call has begun. */
export function watchClosely(): void {
  look();
}

function look(): void {
  clearTimeout(timer);
  const held = besideOwnHeap();
  // What an ended Worker held is given back after a while.
  base = Math.min(base, held);
  const all = [...watched];
  const busy = all.filter((worker) => worker.isBusy());
  if (held - base > WORKER_MEMORY) {
    for (const worker of busy.length > 0 ? busy : all) worker.onTooMuch();
  }
  if (watched.size === 0) return;
  timer = setTimeout(look, busy.length > 0 ? BUSY_MS : IDLE_MS);
  Deno.unrefTimer(Number(timer));
}

/** What the process holds beside the objects of the server itself. */
function besideOwnHeap(): number {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  return rss - heapTotal - external;
}
