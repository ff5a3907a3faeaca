/**
 * Runs code of the repository in a Worker with its own permissions. Calls have a timeout; a Worker
 * that exceeds it is terminated, and the next call starts another.
 *
 * Passing permissions without `--unstable-worker-options` ends the process, and programs cannot detect
 * the flag, so Workers are used only with `--isolate`.
 */

import { errorOf, messageOf, RefraktError } from "../errors.ts";
import { mayRead } from "../io/permissions.ts";
import { watchClosely, watchMemory, WORKER_MEMORY } from "./memory.ts";
import {
  decodeFromWorker,
  encodeMessage,
  errorFromData,
  type FromWorker,
  type ToWorker,
  type WorkerLogLevel,
  type WorkerProgress,
} from "./messages.ts";

/** How long a cancelled call may take to end before its Worker is terminated, in milliseconds. */
const GRACE_MS = 1000;
/** How long an idle Worker is kept, in milliseconds. */
const IDLE_MS = 300_000;
/** The maximum number of messages during a call, and between two. */
const MOST_MESSAGES = 10_000;

/**
 * How many Workers of a kind may get stuck. Deno 2.9 cannot stop a Worker in a loop, and each keeps
 * a CPU busy.
 */
const MOST_STUCK = 3;

/** How to start a Worker. */
export interface WorkerOptions {
  /** The module to run, which calls `serveMethods`. */
  readonly url: URL;
  /** The name for messages: `Plugin @acme/runes`. */
  readonly name: string;
  /** The project's real, absolute path, and the Worker's only read permission. */
  readonly root: string;
  /** Absolute paths that it may write, if the process may; none by default. */
  readonly write?: readonly string[];
  /** How long a call may run without progress, in milliseconds. */
  readonly timeoutMs: number;
}

/** Channels between a Worker and the call that it serves. */
export interface WorkerChannels {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** A different timeout for this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Receives progress, which also extends the timeout. */
  progress?(update: WorkerProgress): void;
  /** Receives logs and output. */
  log?(level: WorkerLogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks the user. */
  confirm?(question: string): Promise<boolean>;
}

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

/** A running call. */
interface Pending {
  readonly channels: WorkerChannels;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** What the call last reported to be doing. */
  at?: string;
  /** Why the call was stopped. */
  stopped?: Error;
  /** Restarts the timeout. */
  extend(): void;
  /** Removes timers and listeners. */
  release(): void;
}

/** A started Worker. */
interface Running {
  call(method: string, params: unknown, channels: WorkerChannels): Promise<unknown>;
  /** Whether it accepts calls: it is running, and no cancelled call may be stuck in a loop. */
  isFree(): boolean;
  /** Accepts no more calls, and terminates after the last one. */
  retire(): void;
  /** Terminates it with all its calls. */
  end(): void;
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
        if (stuck >= MOST_STUCK) {
          const message = `${options.name} is not started again: it was in loops without an end, ` +
            "which go on until the server ends";
          const hint = "Fix the code, then restart the server.";
          throw new RefraktError("TIMEOUT", message, { hint });
        }
        running = startWorker(options, () => stuck++);
      }
      return await running.call(method, params, channels);
    },
    stop: () => running?.end(),
  };
}

let lastId = 0;

/**
 * Starts a Worker.
 *
 * @param onStuck Called if it is terminated in a loop.
 */
function startWorker(options: WorkerOptions, onStuck: () => void): Running {
  const { name, root } = options;
  const worker = spawnWorker(options);
  const pending = new Map<number, Pending>();
  let messages = 0;
  let loading: string | undefined;
  let isOver = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const send = (message: ToWorker) => worker.postMessage(encodeMessage(message));
  const release = watchMemory({
    isBusy: () => pending.size > 0,
    onTooMuch: () => end(tooMuchMemory(name)),
  });
  const end = (error: Error) => {
    isOver = true;
    clearTimeout(idle);
    release();
    worker.terminate();
    for (const id of [...pending.keys()]) settle(id)?.reject(error);
  };
  const retire = () => {
    isOver = true;
    if (pending.size === 0) end(STOPPED);
  };
  const settle = (id: number): Pending | undefined => {
    const call = pending.get(id);
    if (call === undefined) return undefined;
    pending.delete(id);
    call.release();
    if (call.stopped !== undefined) call.reject(call.stopped);
    if (pending.size > 0) return call;
    messages = 0;
    clearTimeout(idle);
    if (isOver) end(STOPPED);
    else {
      idle = setTimeout(retire, IDLE_MS);
      Deno.unrefTimer(Number(idle));
    }
    return call;
  };
  const ask = async (call: Pending, id: number, text: string) => {
    // Users may take longer to answer than commands to run.
    const waiting = setInterval(() => call.extend(), options.timeoutMs / 2);
    // A failed question counts as no.
    const yes = await call.channels.confirm?.(text).catch(() => false) ?? false;
    clearInterval(waiting);
    if (pending.has(id)) send({ type: "answer", id, yes });
  };
  const receive = ({ id, ...message }: FromWorker) => {
    // Several calls may wait for the same module.
    loading = message.type === "loading" ? message.module : undefined;
    const call = pending.get(id);
    if (call === undefined) return;
    switch (message.type) {
      case "result":
        settle(id)?.resolve(message.value);
        break;
      case "error":
        settle(id)?.reject(errorFromData(message, name));
        break;
      case "progress": {
        const { type: _type, ...update } = message;
        call.extend();
        if (update.message !== undefined) call.at = update.message;
        call.channels.progress?.(update);
        break;
      }
      case "log":
        call.channels.log?.(message.level, message.message, message.data);
        break;
      case "question":
        void ask(call, id, message.text);
    }
  };
  worker.onmessage = ({ data }) => {
    const message = decodeFromWorker(data);
    if (++messages > MOST_MESSAGES) end(failed(name, "it sent too many messages"));
    else if (message !== undefined) receive(message);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(failed(name, event.message));
  };
  send({ type: "start", root });

  return {
    isFree: () => !isOver && pending.values().every((call) => call.stopped === undefined),
    retire,
    end: () => end(STOPPED),
    call: (method, params, channels) => {
      const { signal, timeoutMs = options.timeoutMs } = channels;
      clearTimeout(idle);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const stop = (error: Error) => {
          call.stopped = error;
          send({ type: "cancel", id });
          clearTimeout(timer);
          // A Worker in an endless loop does not process the message.
          timer = setTimeout(() => {
            onStuck();
            end(error);
          }, GRACE_MS);
        };
        const onLate = () => {
          isOver = true;
          const at = loading === undefined ? call.at : `loading ${loading}`;
          stop(tooLong(name, method, timeoutMs, at));
        };
        const onAbort = () => {
          reject(signal!.reason);
          stop(STOPPED);
        };
        const call: Pending = {
          channels,
          resolve,
          reject,
          extend: () => {
            if (call.stopped !== undefined) return;
            clearTimeout(timer);
            timer = setTimeout(onLate, timeoutMs);
          },
          release: () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", onAbort);
          },
        };
        pending.set(id, call);
        signal?.addEventListener("abort", onAbort, { once: true });
        call.extend();
        watchClosely();
        try {
          const canConfirm = channels.confirm !== undefined;
          send({ type: "call", id, method, params, canConfirm });
        } catch (error) {
          settle(id)?.reject(errorOf(error));
        }
      });
    },
  };
}

/** Deno's Worker options, which the DOM types lack. */
type OptionsOfDeno = ConstructorParameters<typeof Worker>[1];

/**
 * Starts a Worker that may read the project and write the given paths. If the process may not read
 * the whole project because parts are denied, the Worker inherits its read permissions.
 */
function spawnWorker({ url, root, write = [], name }: WorkerOptions): Worker {
  const start = (read: string[] | "inherit") => {
    const none = { run: false, net: false, env: false, sys: false, ffi: false, import: false };
    const permissions = { ...none, read, write: write.length === 0 ? false : [...write] };
    const options = { type: "module", name, deno: { permissions } };
    return new Worker(url, options as OptionsOfDeno);
  };
  if (!mayRead(root)) return start("inherit");
  try {
    return start([root]);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return start("inherit");
    throw error;
  }
}

const STOPPED = new RefraktError("TIMEOUT", "The Worker was stopped", { hint: "Call again." });

/** The timeout error; `at` is what the call last reported. */
function tooLong(name: string, method: string, timeoutMs: number, at: string | undefined) {
  const last = at === undefined ? "" : `; it was last working on ${JSON.stringify(at)}`;
  const message = `${name} was stopped: it took longer than ${timeoutMs / 1000} seconds${last}`;
  return new RefraktError("TIMEOUT", message, {
    hint: "Repeat the call with less work, or start the server with a longer --timeout=<seconds>.",
    data: { method },
  });
}

function tooMuchMemory(name: string): RefraktError {
  const limit = WORKER_MEMORY / 1024 / 1024;
  const message = `${name} was stopped: the project's code took more than ${limit} MB of memory`;
  return new RefraktError("MEMORY_LIMIT", message, {
    hint: "Repeat the call with less work; the Worker restarts. If it fails again, fix the code.",
  });
}

/** The error for a Worker that crashed or sent too much. */
function failed(name: string, reason: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `${name} was stopped: ${messageOf(reason)}`, {
    hint: "Repeat the call; the Worker restarts. If it fails again, fix the package.",
  });
}
