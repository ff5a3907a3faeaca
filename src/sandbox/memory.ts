/**
 * A limit on the memory of Workers. The runtime has none for a single Worker, and one
 * that allocates without end takes the process with it: so the server, whose timers go
 * on meanwhile, looks at what the process holds and ends the Workers in time.
 *
 * @module
 */

import { exitProcess, writeStderr } from "../io/pipes.ts";

/** How much Workers may hold together, in bytes; on a small machine V8 itself ends at 1 GiB. */
export const WORKER_MEMORY = 768 * 1024 * 1024;

/**
 * How much more than at first the process may hold once a Worker was ended for its memory,
 * in bytes. Deno (2.9) does not stop a Worker that is in a loop: it may go on to take memory,
 * and then the process ends before the machine has none left.
 */
const LAST_MEMORY = 2048 * 1024 * 1024;

/** How often to look while a Worker has a call, and while none has, in milliseconds. */
const BUSY_MS = 25;
const IDLE_MS = 250;

/** From which part of the limit on the Workers are asked how much each holds. */
const ASKED_FROM = 0.4;

/** A Worker, as far as its memory is watched. */
export interface WatchedWorker {
  /** Whether it has a call. */
  isBusy(): boolean;
  /** How much it says that it holds, in bytes. One in a loop never answers. */
  held(): Promise<number>;
  /** Is called when Workers hold too much: ends it. */
  onTooMuch(): void;
}

/** The Workers, and how much each said that it holds, in bytes; `undefined` until it answers. */
const watched = new Map<WatchedWorker, number | undefined>();
/** What the process held at first, and since the last Worker was ended for its memory. */
let first = Infinity;
let base = Infinity;
let hasEnded = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Watches a Worker from its next call until it is let go. Where there is too much memory, one of
 * those that work (or of all where none does) is ended: the one that says that it holds most, or
 * all that did not answer, as in a loop.
 *
 * @returns Lets it go.
 */
export function watchMemory(worker: WatchedWorker): () => void {
  if (watched.size === 0 && !hasEnded) first = base = besideOwnHeap();
  watched.set(worker, undefined);
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
  const all = [...watched.keys()];
  const busy = all.filter((worker) => worker.isBusy());
  if (held - base > WORKER_MEMORY) {
    hasEnded = true;
    endLargest(busy.length > 0 ? busy : all);
    // Memory the engine has not returned yet does not count against the next call.
    base = held;
  } else if (held - base > WORKER_MEMORY * ASKED_FROM) {
    for (const worker of all) {
      watched.set(worker, undefined);
      void worker.held().then((bytes) => watched.has(worker) && watched.set(worker, bytes));
    }
  }
  if (watched.size === 0 && !hasEnded) return;
  timer = setTimeout(watchClosely, busy.length > 0 ? BUSY_MS : IDLE_MS);
  Deno.unrefTimer(Number(timer));
}

function endLargest(workers: readonly WatchedWorker[]): void {
  const bytesOf = (worker: WatchedWorker) => watched.get(worker) ?? Infinity;
  const most = Math.max(...workers.map(bytesOf));
  for (const worker of workers.filter((each) => bytesOf(each) === most)) worker.onTooMuch();
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
