/**
 * One Worker and the calls that it has.
 *
 * @module
 */

import { errorOf } from "../errors.ts";
import { within } from "../io/within.ts";
import { watchClosely, watchMemory } from "./memory.ts";
import {
  decodeFromWorker,
  encodeMessage,
  errorFromData,
  type FromWorker,
  type ToWorker,
} from "./messages.ts";
import { spawnWorker } from "./spawn_worker.ts";
import type { WorkerChannels, WorkerOptions } from "./worker.ts";
import { failed, STOPPED, tooLong, tooMuchMemory } from "./worker_errors.ts";

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
  readonly options: WorkerOptions;
  readonly worker: Worker;
  /** The modules that it does not load. */
  readonly leftOut: readonly string[];
  readonly pending: Map<number, Pending>;
  /** Calls that were cancelled and have not ended: the Worker may be in a loop. */
  readonly cancelled: Set<number>;
  /** Who asked how much memory it holds. */
  readonly asked: Map<number, (bytes: number) => void>;
  /** How many messages came since it last had nothing to do. */
  messages: number;
  /** The module that it is loading. */
  loading: string | undefined;
  /** The module that it was loading when its time was over. */
  neverLoaded: string | undefined;
  /** It takes no more calls: it was ended, or is about to be. */
  isOver: boolean;
  /** Its time is over. */
  isGivenUp: boolean;
  /** Ends it when it has been without a call for long. */
  idle: ReturnType<typeof setTimeout> | undefined;
  /** Ends the watch over its memory. */
  release(): void;
  /** Is called when it is ended in a loop. */
  onStuck(): void;
}

let lastId = 0;

/** Starts a Worker. */
export function startWorker(
  options: WorkerOptions,
  leftOut: readonly string[],
  onStuck: () => void,
): Running {
  const worker = spawnWorker(options);
  const running: Running = {
    options,
    worker,
    leftOut,
    pending: new Map(),
    cancelled: new Set(),
    asked: new Map(),
    messages: 0,
    loading: undefined,
    neverLoaded: undefined,
    isOver: false,
    isGivenUp: false,
    idle: undefined,
    release: watchMemory({
      isBusy: () => running.pending.size > 0,
      held: () => memoryOf(running),
      onTooMuch: () => endWorker(running, tooMuchMemory(options)),
    }),
    onStuck,
  };
  worker.onmessage = ({ data }) => {
    const message = decodeFromWorker(data);
    if (message === undefined || ++running.messages > MOST_MESSAGES) {
      endWorker(running, failed(options, "it sent what is no message, or too many"));
    } else receive(running, message);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    endWorker(running, failed(options, event.message));
  };
  worker.onmessageerror = () => endWorker(running, failed(options, "it sent no JSON"));
  send(running, { type: "start", root: options.root, leftOut });
  return running;
}

/** Calls a method; see `IsolatedCode.call`. */
export function callWorker(
  running: Running,
  method: string,
  params: unknown,
  channels: WorkerChannels,
): Promise<unknown> {
  const { options } = running;
  const { signal, timeoutMs = options.timeoutMs } = channels;
  clearTimeout(running.idle);
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const extend = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { loading } = running;
        const at = loading === undefined
          ? running.pending.get(id)?.at
          : `loading ${loading.split(" ")[0]}`;
        running.neverLoaded = loading;
        void giveUp(running, tooLong(options, method, timeoutMs, at));
      }, timeoutMs);
    };
    const onAbort = () => {
      running.cancelled.add(id);
      send(running, { type: "cancel", id });
      clearTimeout(timer);
      // A Worker in an endless loop does not process the message.
      timer = setTimeout(() => void giveUp(running, STOPPED), GRACE_MS);
      reject(signal!.reason);
    };
    running.pending.set(id, {
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
      send(running, { type: "call", id, method, params, canConfirm });
    } catch (error) {
      settle(running, id)?.reject(errorOf(error));
    }
  });
}

/** Ends a Worker and every call that it has. */
export function endWorker(running: Running, error: Error): void {
  running.isOver = true;
  clearTimeout(running.idle);
  running.release();
  running.worker.terminate();
  const calls = [...running.pending.values()];
  running.pending.clear();
  for (const call of calls) {
    call.release();
    call.reject(error);
  }
}

/** Gives a Worker no more calls, and ends it when its last one is over. */
export function retireWorker(running: Running): void {
  running.isOver = true;
  if (running.pending.size === 0) endWorker(running, STOPPED);
}

/** Ends a Worker that was given its time, and finds out whether it is in a loop. */
async function giveUp(running: Running, error: Error): Promise<void> {
  if (running.isGivenUp) return;
  running.isGivenUp = running.isOver = true;
  const answered = await within(memoryOf(running), ANSWER_MS, false);
  if (answered === undefined) running.onStuck();
  endWorker(running, error);
}

/** How much memory a Worker says that it holds, in bytes. One in a loop never answers. */
function memoryOf(running: Running): Promise<number> {
  const id = ++lastId;
  return new Promise((resolve) => {
    running.asked.set(id, resolve);
    send(running, { type: "memory", id });
  });
}

function send({ worker }: Running, message: ToWorker): void {
  worker.postMessage(encodeMessage(message));
}

function settle(running: Running, id: number): Pending | undefined {
  const call = running.pending.get(id);
  if (call === undefined) return undefined;
  running.pending.delete(id);
  running.cancelled.delete(id);
  call.release();
  if (running.pending.size === 0) {
    running.messages = 0;
    if (running.isOver) endWorker(running, STOPPED);
    else {
      clearTimeout(running.idle);
      running.idle = setTimeout(() => retireWorker(running), IDLE_MS);
      Deno.unrefTimer(Number(running.idle));
    }
  }
  return call;
}

function receive(running: Running, message: FromWorker): void {
  if (message.type === "memory") {
    running.asked.get(message.id)?.(message.bytes);
    running.asked.delete(message.id);
    return;
  }
  if (message.type === "loading") {
    running.loading = message.module;
    return;
  }
  const call = running.pending.get(message.id);
  if (call === undefined) return;
  switch (message.type) {
    case "result":
      settle(running, message.id)?.resolve(message.value);
      break;
    case "error":
      settle(running, message.id)?.reject(
        errorFromData(
          message,
          running.options.isPlugin === true ? running.options.name : undefined,
        ),
      );
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
      void ask(running, call, message.id, message.text);
  }
}

async function ask(running: Running, call: Pending, id: number, text: string): Promise<void> {
  // A person may take longer to answer than a command to run.
  const waiting = setInterval(() => call.extend(), running.options.timeoutMs / 2);
  let yes = false;
  try {
    yes = await call.channels.confirm?.(text) ?? false;
  } catch {
    // Who does not answer has not said yes.
  }
  clearInterval(waiting);
  if (running.pending.has(id)) send(running, { type: "answer", id, yes });
}
