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
import type { WorkerLogLevel, WorkerProgress } from "./messages.ts";
import { type Running, startWorker } from "./running_worker.ts";

/**
 * How many Workers of one kind may be lost in loops. Deno (2.9) does not stop a Worker that is
 * in a loop without a pause: each goes on to use a processor.
 */
const MOST_STUCK = 3;

/** How often a call is begun again without what did not end loading. */
const MOST_RESTARTS = 2;

/** The most modules that are left out: code of the repository has a say in what they are called. */
const MOST_LEFT_OUT = 50;

/** How a Worker is made. */
export interface WorkerOptions {
  /** The module that runs in it, which calls `serveMethods`. */
  readonly url: URL;
  /** What runs in it, for messages: `Plugin @acme/runes`. */
  readonly name: string;
  /** The project's real, absolute path. The Worker may read it and nothing else. */
  readonly root: string;
  /** Absolute paths that it may write, each granted to the process; none by default. */
  readonly write?: readonly string[];
  /** Whether its errors are a package's, so that their hints are marked as its own. */
  readonly isPlugin?: boolean;
  /** How long a call may go on without progress, in milliseconds. */
  readonly timeoutMs: number;
}

/** The channels of the call that a Worker works for. */
export interface WorkerChannels {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Another time limit for this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Takes its progress, which also extends its time. */
  progress?(update: WorkerProgress): void;
  /** Takes what it logs and prints. */
  log?(level: WorkerLogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks the person a question. */
  confirm?(question: string): Promise<boolean>;
}

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
  const leftOut = new Set<string>();
  const workerNow = (): Running => {
    if (running?.isFree()) return running;
    running?.retire();
    if (stuck >= MOST_STUCK) throw stuckTooOften(options.name);
    return running = startWorker(options, [...leftOut], () => stuck++);
  };
  const code: IsolatedCode = {
    call: async (method, params, channels = {}) => {
      for (let restarts = 0;; restarts++) {
        channels.signal?.throwIfAborted();
        const worker = workerNow();
        try {
          return await worker.call(method, params, channels);
        } catch (error) {
          // Without the module, the rest can be had.
          const module = worker.neverLoaded();
          const isLast = restarts === MOST_RESTARTS || leftOut.size >= MOST_LEFT_OUT;
          if (module === undefined || isLast) throw error;
          leftOut.add(module);
        }
      }
    },
    stop: () => running?.end(),
  };
  return code;
}

function stuckTooOften(name: string): RefraktError {
  const message = `${name} is not started again: it was in loops without an end, which go on ` +
    "until the server ends";
  return new RefraktError("TIMEOUT", message, { hint: "Mend the code, and restart the server." });
}
