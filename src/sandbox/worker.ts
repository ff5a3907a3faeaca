/**
 * Runs code of the repository in a Worker with its own permissions. Calls have a timeout; a Worker
 * that exceeds it is terminated, and the next call starts another.
 *
 * Passing permissions without `--unstable-worker-options` ends the process, and programs cannot detect
 * the flag, so Workers are used only with `--isolate`.
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
 * How many Workers of a kind may get stuck. Deno 2.9 cannot stop a Worker in a loop, and each keeps
 * a CPU busy.
 */
const MOST_STUCK = 3;

/** Code in a Worker. */
export interface IsolatedCode {
  /**
   * Calls a method.
   *
   * @param params Plain JSON.
   * @returns The result as plain JSON.
   * @throws {RefraktError} What the method threw, or `TIMEOUT`.
   */
  call(method: string, params: unknown, channels?: WorkerChannels): Promise<unknown>;
  /** Terminates the Worker; the next call starts another. */
  stop(): void;
}

/** Prepares code to run in a Worker; the first call starts it. */
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
  return new RefraktError("TIMEOUT", message, { hint: "Fix the code, then restart the server." });
}
