/**
 * Work that takes long. It takes turns with the rest of the process: nothing stops code from outside,
 * so the work itself yields after each file, page or entity. And it is waited for at most some time,
 * until a signal aborts, or by several callers.
 */

import { RefraktError } from "../errors.ts";

/** How long work that a call waits for may block the event loop, in milliseconds. */
const SLICE_MS = 20;
/** The same for work in the background, and the pause after it. */
const [IDLE_SLICE_MS, IDLE_PAUSE_MS] = [4, 2];
/** A timer that is late by more tells that a call for something else is working. */
const LATE_MS = 6;
/** The pause until background work looks at that again. */
const BUSY_PAUSE_MS = 25;

/** To be awaited after each step of long work. */
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

/** Returns by how many milliseconds the pause was longer than wanted. */
async function measuredPause(milliseconds: number): Promise<number> {
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return performance.now() - start - milliseconds;
}

/** What work returned or threw. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

/** Does work for each item, and takes a turn after each. */
export async function eachInTurn<Item, Value>(
  items: readonly Item[],
  turn: Turn,
  work: (item: Item) => Value,
): Promise<Outcome<Value>[]> {
  const outcomes: Outcome<Value>[] = [];
  for (const item of items) {
    try {
      outcomes.push({ value: work(item) });
    } catch (error) {
      outcomes.push({ error });
    }
    await turn();
  }
  return outcomes;
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
