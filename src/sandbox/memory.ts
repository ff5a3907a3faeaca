/**
 * Limits the memory of all Workers together. Deno has no limit per Worker, and a Worker that
 * allocates endlessly would crash the process; the server's timers still run, so it measures the
 * process and terminates Workers in time.
 */

import { exitProcess, writeStderr } from "../io/pipes.ts";

/** The memory limit of all Workers, in bytes; on small machines, V8 itself stops at 1 GiB. */
export const WORKER_MEMORY = 768 * 1024 * 1024;

/**
 * The limit after Workers were terminated for their memory, in bytes. Deno 2.9 cannot stop a Worker
 * in a loop, which may keep allocating; then the process exits before it exhausts the machine.
 */
const LAST_MEMORY = 2048 * 1024 * 1024;

/** How often memory is measured during calls and between them, in milliseconds. */
const BUSY_MS = 25;
const IDLE_MS = 250;

/** What the watcher needs of a Worker. */
export interface WatchedWorker {
  /** Whether it is running a call. */
  isBusy(): boolean;
  /** Called above the limit; terminates the Worker. */
  onTooMuch(): void;
}

const watched = new Set<WatchedWorker>();
/** The process's memory at the start, and since Workers were last terminated. */
let first = Infinity;
let base = Infinity;
let hasEnded = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Watches a Worker from its next call on. Above the limit, terminates the busy Workers, or all if
 * none is busy.
 *
 * @returns A function that stops watching.
 */
export function watchMemory(worker: WatchedWorker): () => void {
  if (watched.size === 0 && !hasEnded) first = base = besideOwnHeap();
  watched.add(worker);
  return () => {
    watched.delete(worker);
    if (watched.size === 0 && !hasEnded) clearTimeout(timer);
  };
}

/** Measures now, and often from now on: a call has begun. */
export function watchClosely(): void {
  clearTimeout(timer);
  const held = besideOwnHeap();
  // The engine returns a terminated Worker's memory after a while.
  [first, base] = [Math.min(first, held), Math.min(base, held)];
  if (hasEnded && held - first > LAST_MEMORY) {
    const message = "The server exits: code of the project allocates memory endlessly, and Deno " +
      "does not stop a Worker that is in a loop.";
    writeStderr(`${JSON.stringify({ level: "error", logger: "refrakt", message })}\n`);
    exitProcess(1);
  }
  const busy = [...watched].filter((worker) => worker.isBusy());
  if (held - base > WORKER_MEMORY) {
    hasEnded = true;
    for (const worker of busy.length > 0 ? busy : [...watched]) worker.onTooMuch();
    // Memory the engine has not returned yet does not count against the next call.
    base = held;
  }
  if (watched.size === 0 && !hasEnded) return;
  timer = setTimeout(watchClosely, busy.length > 0 ? BUSY_MS : IDLE_MS);
  Deno.unrefTimer(Number(timer));
}

/** The process's memory without the server's own heap. */
function besideOwnHeap(): number {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  return rss - heapTotal - external;
}
