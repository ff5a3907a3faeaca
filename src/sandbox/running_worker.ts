/**
 * One Worker with permissions of its own, and the calls that it has.
 *
 * @module
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

/** How long a call that was stopped may take to end before its Worker is ended, in milliseconds. */
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

/** A call that has not ended. */
interface Pending {
  readonly channels: WorkerChannels;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** What it said that it was at. */
  at?: string;
  /** Why nobody waits for it any more. */
  stopped?: Error;
  /** Starts the time anew. */
  extend(): void;
  /** Ends what waits for the call. */
  release(): void;
}

/** A Worker that was started. */
export interface Running {
  /** Calls a method; see `IsolatedCode.call`. */
  call(method: string, params: unknown, channels: WorkerChannels): Promise<unknown>;
  /** Whether it takes another call: it was not ended, and no call that was stopped may be in a loop. */
  isFree(): boolean;
  /** Gives it no more calls, and ends it when its last one is over. */
  retire(): void;
  /** Ends it and every call that it has. */
  end(): void;
}

let lastId = 0;

/**
 * Starts a Worker.
 *
 * @param onStuck Is called when it is ended in a loop.
 */
export function startWorker(options: WorkerOptions, onStuck: () => void): Running {
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
    // A person may take longer to answer than a command to run.
    const waiting = setInterval(() => call.extend(), options.timeoutMs / 2);
    // Who does not answer has not said yes.
    const yes = await call.channels.confirm?.(text).catch(() => false) ?? false;
    clearInterval(waiting);
    if (pending.has(id)) send({ type: "answer", id, yes });
  };
  const receive = ({ id, ...message }: FromWorker) => {
    // Several calls may wait for one module.
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

/** The options of Deno's own, which the types of the library do not know. */
type OptionsOfDeno = ConstructorParameters<typeof Worker>[1];

/**
 * Starts a Worker that may read the project and write the paths given. Where the process may not
 * read the project as a whole, because parts of it are denied, that is inherited as it is.
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

/** A call went on for too long; `at` is what it was last at. */
function tooLong(name: string, method: string, timeoutMs: number, at: string | undefined) {
  const last = at === undefined ? "" : `, and was last at ${JSON.stringify(at)}`;
  const message = `${name} was stopped: it took longer than ${timeoutMs / 1000} seconds${last}`;
  return new RefraktError("TIMEOUT", message, {
    hint: "Call again with less to do, or start the server with a longer --timeout=<seconds>.",
    data: { method },
  });
}

function tooMuchMemory(name: string): RefraktError {
  const limit = WORKER_MEMORY / 1024 / 1024;
  const message = `${name} was stopped: the project's code took more than ${limit} MB of memory`;
  return new RefraktError("MEMORY_LIMIT", message, {
    hint: "Call again with less to do: it starts anew. If it fails again, mend the code.",
  });
}

/** It ended by itself, or sent too much. */
function failed(name: string, reason: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `${name} was stopped: ${messageOf(reason)}`, {
    hint: "Call again: it starts anew. If it fails again, mend the package.",
  });
}
