/** Work that several callers wait for: it runs once, and stops when the last of them has left. */

import { unlessAborted } from "./turns.ts";

interface Running<Result> {
  readonly end: AbortController;
  readonly done: Promise<Result>;
  callers: number;
}

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
