/**
 * Lets a few pieces of work run at a time; the others wait for their turn.
 *
 * @module
 */

/** A queue of work. */
export interface Turns {
  /**
   * Runs work when it is its turn.
   *
   * @param signal Gives up waiting.
   * @throws The signal's reason, or whatever the work throws.
   */
  run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

/** Makes a queue. @param most How many pieces of work run at a time. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", giveUp);
        running++;
        resolve();
      };
      const giveUp = () => {
        const place = waiting.indexOf(begin);
        if (place !== -1) waiting.splice(place, 1);
        reject(signal!.reason);
      };
      if (running < most) return begin();
      signal?.addEventListener("abort", giveUp, { once: true });
      waiting.push(begin);
    });
  return {
    async run(work, signal) {
      signal?.throwIfAborted();
      await turn(signal);
      try {
        return await work();
      } finally {
        running--;
        waiting.shift()?.();
      }
    },
  };
}
