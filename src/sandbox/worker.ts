/**
 * Runs code of the repository in a Worker with permissions of its own. A call has a
 * time limit; a Worker that passes it is ended, and the next call starts another.
 *
 * Asking for permissions ends the process where it runs without
 * `--unstable-worker-options`, and nothing tells whether it does: so a Worker is made
 * only where the user has said `--isolate`.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import {
  type Running,
  startWorker,
  type WorkerChannels,
  type WorkerOptions,
} from "./running_worker.ts";

export type { WorkerChannels } from "./running_worker.ts";

/**
 * How many Workers of one kind may be lost in loops. Deno (2.9) does not stop a Worker that is
 * in a loop without a pause: each goes on to use a processor.
 */
const MOST_STUCK = 3;

/** Code that runs in a Worker. */
export interface IsolatedCode {
  /**
   * Calls a method of it.
   *
   * @param params Plain JSON.
   * @returns What the method returned, as plain JSON.
   * @throws {RefraktError} What the method threw; `TIMEOUT` where it took too long.
   */
  call(method: string, params: unknown, channels?: WorkerChannels): Promise<unknown>;
  /** Ends the Worker; the next call starts another. */
  stop(): void;
}

/** Prepares code to run in a Worker, which starts with the first call. */
export function isolate(options: WorkerOptions): IsolatedCode {
  let running: Running | undefined;
  let stuck = 0;
  return {
    call: async (method, params, channels = {}) => {
      channels.signal?.throwIfAborted();
      if (running?.isFree() !== true) {
        running?.retire();
        if (stuck >= MOST_STUCK) throw stuckTooOften(options.name);
        running = startWorker(options, () => stuck++);
      }
      return await running.call(method, params, channels);
    },
    stop: () => running?.end(),
  };
}

function stuckTooOften(name: string): RefraktError {
  const message = `${name} is not started again: it was in loops without an end, which go on ` +
    "until the server ends";
  return new RefraktError("TIMEOUT", message, { hint: "Mend the code, and restart the server." });
}
