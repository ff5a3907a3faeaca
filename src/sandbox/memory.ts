/**
 * A limit on the memory that Workers hold together. The runtime has none for a single Worker, and
 * one that allocates without end takes the process with it: so the server, whose timers go on
 * meanwhile, looks at what the process holds and ends the Workers in time.
 *
 * @module
 */

import { exitProcess, writeStderr } from "../io/pipes.ts";

/** How much Workers may hold together, in bytes; on a small machine V8 itself ends at 1 GiB. */
export const WORKER_MEMORY = 768 * 1024 * 1024;

/**
 * How much more than at first the process may hold once Workers were ended for their memory, in
 * bytes. Deno (2.9) does not stop a Worker that is in a loop: it may go on to take memory, and
 * then the process ends before the machine has none left.
 */
const LAST_MEMORY = 2048 * 1024 * 1024;

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
/** What the process held at first, and since Workers were ended for their memory. */
let first = Infinity;
let base = Infinity;
let hasEnded = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Watches a Worker from its next call until it is let go. Where there is too much memory, those
 * that work are ended, or all where none does.
 *
 * @returns Lets it go.
 */
export function watchMemory(worker: WatchedWorker): () => void {
  if (watched.size === 0 && !hasEnded) first = base = besideOwnHeap();
  watched.add(worker);
  return () => {
    watched.delete(worker);
    if (watched.size === 0 && !hasEnded) clearTimeout(timer);
  };
}

/** Looks at once, and often from now on: a call has begun. */
export function watchClosely(): void {
  clearTimeout(timer);
  const held = besideOwnHeap();
  // What an ended Worker held is given back after a while.
  [first, base] = [Math.min(first, held), Math.min(base, held)];
  if (hasEnded && held - first > LAST_MEMORY) endProcess();
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

function endProcess(): never {
  const message = "The server ends: code of the project takes memory without end, and Deno does " +
    "not stop a Worker that is in a loop.";
  writeStderr(`${JSON.stringify({ level: "error", logger: "refrakt", message })}\n`);
  return exitProcess(1);
}

/** What the process holds beside the objects of the server itself. */
function besideOwnHeap(): number {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  return rss - heapTotal - external;
}
