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

import { messageOf, RefraktError } from "../errors.ts";
import { mayRead } from "../io/permissions.ts";
import {
  decodeFromWorker,
  encodeMessage,
  errorFromData,
  type FromWorker,
  type ToWorker,
  type WorkerLogLevel,
  type WorkerProgress,
} from "./messages.ts";
import { watchClosely, watchMemory, WORKER_MEMORY } from "./memory.ts";
import { RealWorker } from "./originals.ts";

/** How long a cancelled call may take to end before its Worker is ended, in milliseconds. */
const GRACE_MS = 1000;

/** How long a Worker without a call is kept, in milliseconds. */
const IDLE_MS = 300_000;

/** The most messages that a Worker may send during one call, and between two. */
const MOST_MESSAGES = 10_000;

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
  /** Whether its calls wait for a download; see `importsAreHeld`. */
  isDownloading(): Promise<boolean>;
  /** Ends the Worker; the next call starts another. */
  stop(): void;
}

interface Pending {
  readonly channels: WorkerChannels;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** What it said that it was at. */
  at?: string;
  /** Starts the time anew. */
  extend(): void;
  /** Ends what waits for the call. */
  release(): void;
}

interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** Calls that were cancelled and have not ended: the Worker may be in a loop. */
  readonly cancelled: Set<number>;
  /** How many messages came since it last had nothing to do. */
  messages: number;
  /** Ends the watch over its memory. */
  release(): void;
}

/** Prepares code to run in a Worker, which starts with the first call. */
export function isolate(options: WorkerOptions): IsolatedCode {
  let running: Running | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  const send = ({ worker }: Running, message: ToWorker) =>
    worker.postMessage(encodeMessage(message));

  const terminate = ({ worker, release }: Running) => {
    release();
    worker.terminate();
  };
  /** Ends a Worker and every call that it has. */
  const end = (ended: Running, error: Error) => {
    terminate(ended);
    if (running === ended) running = undefined;
    const calls = [...ended.pending.values()];
    ended.pending.clear();
    for (const call of calls) {
      call.release();
      call.reject(error);
    }
  };
  const settle = (from: Running, id: number): Pending | undefined => {
    const call = from.pending.get(id);
    if (call === undefined) return undefined;
    from.pending.delete(id);
    from.cancelled.delete(id);
    call.release();
    if (from.pending.size === 0) {
      if (from !== running) terminate(from);
      from.messages = 0;
      clearTimeout(idle);
      idle = setTimeout(() => from.pending.size === 0 && end(from, STOPPED), IDLE_MS);
      Deno.unrefTimer(Number(idle));
    }
    return call;
  };
  const receive = (from: Running, message: FromWorker) => {
    const call = from.pending.get(message.id);
    if (call === undefined) return;
    switch (message.type) {
      case "result":
        settle(from, message.id)?.resolve(message.value);
        break;
      case "error":
        settle(from, message.id)?.reject(errorFromData(message.error));
        break;
      case "progress": {
        const { type: _type, id: _id, ...update } = message;
        call.extend();
        if (update.message !== undefined) call.at = update.message;
        call.channels.progress?.(update);
        break;
      }
      case "log":
        call.channels.log?.(message.level, message.message, message.data);
        break;
      case "question": {
        const { id, text } = message;
        const answer = call.channels.confirm?.(text) ?? Promise.resolve(false);
        // A person may take longer to answer than a command to run.
        const waiting = setInterval(() => call.extend(), options.timeoutMs / 2);
        answer.catch(() => false).then((yes) => {
          clearInterval(waiting);
          if (from.pending.has(id)) send(from, { type: "answer", id, yes });
        });
      }
    }
  };
  const start = (): Running => {
    const started: Running = {
      worker: spawn(options),
      pending: new Map(),
      cancelled: new Set(),
      messages: 0,
      release: watchMemory({
        isBusy: () => started.pending.size > 0,
        onTooMuch: () => end(started, tooMuchMemory(options)),
      }),
    };
    started.worker.onmessage = ({ data }) => {
      const message = decodeFromWorker(data);
      if (message === undefined || ++started.messages > MOST_MESSAGES) {
        end(started, failed(options, "it sent what is no message, or too many"));
      } else receive(started, message);
    };
    started.worker.onerror = (event) => {
      event.preventDefault();
      end(started, failed(options, event.message));
    };
    started.worker.onmessageerror = () => end(started, failed(options, "it sent no JSON"));
    send(started, { type: "start", root: options.root });
    return started;
  };

  const code: IsolatedCode = {
    isDownloading: async () =>
      (running?.pending.size ?? 0) > 0 &&
      await code.call("isDownloading", null).catch(() => false) === true,
    call: (method, params, channels = {}) => {
      const { signal, timeoutMs = options.timeoutMs } = channels;
      if (signal?.aborted) return Promise.reject(signal.reason);
      clearTimeout(idle);
      // The other is ended when its last call is over, or when its time is.
      if (running !== undefined && running.cancelled.size > 0) running = undefined;
      const current = running ??= start();
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const extend = () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            end(current, tooLong(options, method, timeoutMs, current.pending.get(id)?.at));
          }, timeoutMs);
        };
        const onAbort = () => {
          current.cancelled.add(id);
          send(current, { type: "cancel", id });
          clearTimeout(timer);
          // A Worker in an endless loop does not process the message.
          timer = setTimeout(() => end(current, STOPPED), GRACE_MS);
          reject(signal!.reason);
        };
        current.pending.set(id, {
          channels,
          resolve,
          reject,
          extend: () => signal?.aborted || extend(),
          release: () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", onAbort);
          },
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        extend();
        watchClosely();
        try {
          const canConfirm = channels.confirm !== undefined;
          send(current, { type: "call", id, method, params, canConfirm });
        } catch (error) {
          settle(current, id)?.reject(error as Error);
        }
      });
    },
    stop: () => {
      if (running !== undefined) end(running, STOPPED);
    },
  };
  return code;
}

const STOPPED = new RefraktError("TIMEOUT", "The Worker was stopped", { hint: "Call again." });

/**
 * Starts a Worker. What the process may not read as a whole, because parts of the
 * project are denied, is inherited as it is.
 */
function spawn({ url, root, write = [], name }: WorkerOptions): Worker {
  const start = (read: string[] | "inherit") => {
    const permissions = {
      read,
      write: write.length === 0 ? false : [...write],
      run: false,
      net: false,
      env: false,
      sys: false,
      ffi: false,
      import: false,
    };
    const options = { type: "module", name, deno: { permissions } };
    return new RealWorker(url, options as WorkerOptionsOfDeno);
  };
  if (!mayRead(root)) return start("inherit");
  try {
    return start([root]);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return start("inherit");
    throw error;
  }
}

type WorkerOptionsOfDeno = ConstructorParameters<typeof Worker>[1];

function tooLong(
  { name }: WorkerOptions,
  method: string,
  timeoutMs: number,
  at: string | undefined,
): RefraktError {
  return new RefraktError(
    "TIMEOUT",
    `${name} was stopped: it took longer than ${timeoutMs / 1000} seconds` +
      (at === undefined ? "" : `, and was last at ${JSON.stringify(at)}`),
    {
      hint: "Call again with less to do, or start the server with a longer --timeout=<seconds>.",
      data: { method },
    },
  );
}

function tooMuchMemory({ name }: WorkerOptions): RefraktError {
  const limit = WORKER_MEMORY / 1024 / 1024;
  return new RefraktError(
    "MEMORY_LIMIT",
    `${name} was stopped: the project's code took more than ${limit} MB of memory`,
    { hint: "Call again with less to do: it starts anew. If it fails again, mend the code." },
  );
}

function failed({ name }: WorkerOptions, reason: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `${name} was stopped: ${messageOf(reason)}`, {
    hint: "Call again: it starts anew. If it fails again, mend the package.",
  });
}
