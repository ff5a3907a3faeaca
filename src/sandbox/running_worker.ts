/**
 * One Worker with permissions of its own, and the calls that it has.
 *
 * @module
 */

import { errorOf, messageOf, RefraktError } from "../errors.ts";
import { mayRead } from "../io/permissions.ts";
import { within } from "../io/within.ts";
import { watchClosely, watchMemory, WORKER_MEMORY } from "./memory.ts";
import {
  decodeFromWorker,
  encodeMessage,
  errorFromData,
  type FromWorker,
  type ToWorker,
} from "./messages.ts";
import type { WorkerChannels, WorkerOptions } from "./worker.ts";

/** How long a cancelled call may take to end before its Worker is ended, in milliseconds. */
const GRACE_MS = 1000;
/** How long a Worker without a call is kept, in milliseconds. */
const IDLE_MS = 300_000;
/** How long a Worker that is not in a loop takes to answer a question about itself, in milliseconds. */
const ANSWER_MS = 200;
/** The most messages that a Worker may send during one call, and between two. */
const MOST_MESSAGES = 10_000;

/** A call that has not ended. */
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

/** A Worker that was started. */
export interface Running {
  /** Calls a method; see `IsolatedCode.call`. */
  call(method: string, params: unknown, channels: WorkerChannels): Promise<unknown>;
  /** Whether it takes another call: it was not ended, and no call that was cancelled may be in a loop. */
  isFree(): boolean;
  /** The module that it was loading when its time was over. */
  neverLoaded(): string | undefined;
  /** Gives it no more calls, and ends it when its last one is over. */
  retire(): void;
  /** Ends it and every call that it has. */
  end(): void;
}

let lastId = 0;

/**
 * Starts a Worker.
 *
 * @param leftOut The modules that it does not load.
 * @param onStuck Is called when it is ended in a loop.
 */
export function startWorker(
  options: WorkerOptions,
  leftOut: readonly string[],
  onStuck: () => void,
): Running {
  const { name, root } = options;
  const worker = spawnWorker(options);
  const pending = new Map<number, Pending>();
  const cancelled = new Set<number>();
  /** Who asked how much memory it holds. */
  const asked = new Map<number, (bytes: number) => void>();
  let messages = 0;
  let loading: string | undefined;
  let neverLoaded: string | undefined;
  let [isOver, isGivenUp] = [false, false];
  let idle: ReturnType<typeof setTimeout> | undefined;

  const send = (message: ToWorker) => worker.postMessage(encodeMessage(message));
  const memoryHeld = () =>
    new Promise<number>((resolve) => {
      asked.set(++lastId, resolve);
      send({ type: "memory", id: lastId });
    });
  const release = watchMemory({
    isBusy: () => pending.size > 0,
    held: memoryHeld,
    onTooMuch: () => end(tooMuchMemory(name)),
  });
  const end = (error: Error) => {
    isOver = true;
    clearTimeout(idle);
    release();
    worker.terminate();
    const calls = [...pending.values()];
    pending.clear();
    for (const call of calls) {
      call.release();
      call.reject(error);
    }
  };
  const retire = () => {
    isOver = true;
    if (pending.size === 0) end(STOPPED);
  };
  /** Ends it because of its time, and finds out whether it is in a loop. */
  const giveUp = async (error: Error) => {
    if (isGivenUp) return;
    isGivenUp = isOver = true;
    if (await within(memoryHeld(), ANSWER_MS, false) === undefined) onStuck();
    end(error);
  };
  const settle = (id: number): Pending | undefined => {
    const call = pending.get(id);
    if (call === undefined) return undefined;
    pending.delete(id);
    cancelled.delete(id);
    call.release();
    if (pending.size > 0) return call;
    messages = 0;
    if (isOver) end(STOPPED);
    else {
      clearTimeout(idle);
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
  const receive = (message: FromWorker) => {
    const { id } = message;
    if (message.type === "memory") {
      asked.get(id)?.(message.bytes);
      asked.delete(id);
      return;
    }
    if (message.type === "loading") {
      loading = message.module;
      return;
    }
    const call = pending.get(id);
    if (call === undefined) return;
    switch (message.type) {
      case "result":
        settle(id)?.resolve(message.value);
        break;
      case "error":
        settle(id)?.reject(errorFromData(message, options.isPlugin === true ? name : undefined));
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
      case "question":
        void ask(call, id, message.text);
    }
  };
  worker.onmessage = ({ data }) => {
    const message = decodeFromWorker(data);
    if (message !== undefined && ++messages <= MOST_MESSAGES) receive(message);
    else end(failed(name, "it sent what is no message, or too many"));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(failed(name, event.message));
  };
  worker.onmessageerror = () => end(failed(name, "it sent no JSON"));
  send({ type: "start", root, leftOut });

  return {
    isFree: () => !isOver && cancelled.size === 0,
    neverLoaded: () => neverLoaded,
    retire,
    end: () => end(STOPPED),
    call: (method, params, channels) => {
      const { signal, timeoutMs = options.timeoutMs } = channels;
      clearTimeout(idle);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const onLate = () => {
          const at = loading === undefined
            ? pending.get(id)?.at
            : `loading ${loading.split(" ")[0]}`;
          neverLoaded = loading;
          void giveUp(tooLong(name, method, timeoutMs, at));
        };
        const extend = () => {
          if (signal?.aborted) return;
          clearTimeout(timer);
          timer = setTimeout(onLate, timeoutMs);
        };
        const onAbort = () => {
          cancelled.add(id);
          send({ type: "cancel", id });
          clearTimeout(timer);
          // A Worker in an endless loop does not process the message.
          timer = setTimeout(() => void giveUp(STOPPED), GRACE_MS);
          reject(signal!.reason);
        };
        const release = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
        };
        pending.set(id, { channels, resolve, reject, extend, release });
        signal?.addEventListener("abort", onAbort, { once: true });
        extend();
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

/** It ended by itself, or sent what it may not. */
function failed(name: string, reason: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `${name} was stopped: ${messageOf(reason)}`, {
    hint: "Call again: it starts anew. If it fails again, mend the package.",
  });
}
