/**
 * Long work. Nothing can interrupt JavaScript, so the work itself yields to the rest of the process
 * after each file, page or entity. Callers wait with a timeout or a signal, or share one run.
 */

import { RefraktError } from "../errors.ts";

/** How long work that a call waits for may block the event loop, in milliseconds. */
const SLICE_MS = 20;
/** How long work in the background may block it, and its pause afterwards, in milliseconds. */
const [IDLE_SLICE_MS, IDLE_PAUSE_MS] = [4, 2];
/** If a timer is late by more than this, another call is working. */
const LATE_MS = 6;
/** How long background work pauses then, in milliseconds. */
const BUSY_PAUSE_MS = 25;

/** A function to await after each step of long work. */
export type Turn = () => Promise<void>;

/**
 * Returns a function to await after each step: it yields to the event loop if the last time is long
 * ago, and throws a `TIMEOUT` if the call was cancelled.
 *
 * @param isAwaited Whether a call waits for the work; the rest is done in the background.
 */
export function turnTaker(signal?: AbortSignal, isAwaited: () => boolean = () => true): Turn {
  let since = performance.now();
  return async () => {
    if (performance.now() - since >= (isAwaited() ? SLICE_MS : IDLE_SLICE_MS)) {
      // A timer, because immediate callbacks run before new input is read.
      let late = await measuredPause(isAwaited() ? 0 : IDLE_PAUSE_MS);
      while (late > LATE_MS && !isAwaited()) late = await measuredPause(BUSY_PAUSE_MS);
      since = performance.now();
    }
    if (signal?.aborted !== true) return;
    throw new RefraktError("TIMEOUT", "The call was cancelled", {
      hint: "Call again if you still need the result.",
    });
  };
}

/** Pauses, and returns by how many milliseconds it took longer. */
async function measuredPause(milliseconds: number): Promise<number> {
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return performance.now() - start - milliseconds;
}

/** Goes through items, and takes a turn after each. */
export async function* inTurns<Item>(
  items: Iterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void> {
  const turn = turnTaker(signal);
  for (const item of items) {
    yield item;
    await turn();
  }
}

/** Waits for a promise; rejects with the reason of a signal once that aborts. */
export async function unlessAborted<Value>(
  pending: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal?.reason);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, pending]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Waits for a promise at most some time. The work behind it is not stopped: what it does later is
 * ignored.
 *
 * @param late Returns the value if the time is over, or throws.
 */
export async function waitAtMost<Value, Late>(
  milliseconds: number,
  pending: Promise<Value>,
  late: () => Late,
): Promise<Value | Awaited<Late>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, milliseconds));
  try {
    return await Promise.race([pending, limit.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

interface Running<Result> {
  readonly end: AbortController;
  readonly done: Promise<Result>;
  callers: number;
}

/** Work that several callers wait for: it runs once, and stops when the last of them has left. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Running<Result>>();

  /** Whether work with this key is running. */
  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /**
   * Starts work, or joins the running work with the same key.
   *
   * @param signal The caller leaves, with the signal's reason, when it aborts.
   * @param work Receives a signal that aborts when no caller is left.
   */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.callers++;
    try {
      return await unlessAborted(running.done, signal);
    } finally {
      if (--running.callers === 0) {
        if (this.#running.get(key) === running) this.#running.delete(key);
        running.end.abort();
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const end = new AbortController();
    const running = { end, done: work(end.signal), callers: 0 };
    this.#running.set(key, running);
    const forget = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.done.then(forget, forget);
    return running;
  }
}
