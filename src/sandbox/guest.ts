/**
 * The side of {@linkcode isolate} that runs in the Worker: it takes calls as
 * messages, and answers them. Import it before any code of the repository.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { refusalToError } from "../io/permissions.ts";
import { dropOutput } from "../io/pipes.ts";
import { answerOf } from "./answer.ts";
import { runAsCall } from "./call.ts";
import { leaveOut } from "./loading.ts";
import {
  encodeMessage,
  errorToData,
  type FromWorker,
  type ToWorker,
  type WorkerLogLevel,
  type WorkerProgress,
} from "./messages.ts";
import { enterSandbox } from "./mod.ts";
import { hardenWorker, workerModules } from "./worker_globals.ts";

/** What a method is told beside its parameters. */
export interface GuestContext {
  /** The project's real, absolute path. */
  readonly root: string;
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Reports progress, which also extends the call's time. */
  progress(update: WorkerProgress): void;
  /** Writes to the server's log. */
  log(level: WorkerLogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks the person to confirm, where the client can. */
  confirm?(question: string): Promise<boolean>;
}

/** The methods of a Worker: they take and return plain JSON. */
export type GuestMethods = Readonly<
  Record<string, (params: never, context: GuestContext) => unknown>
>;

// The types of the library know the globals of a window alone.
const scope = globalThis as unknown as { postMessage(text: string): void };
const memoryUsage = Deno.memoryUsage;
const postText = scope.postMessage.bind(scope);
const post = (message: FromWorker) => postText(encodeMessage(message));

/** Serves methods until the Worker is ended. */
export function serveMethods(methods: GuestMethods): void {
  const running = new Map<
    number,
    { controller: AbortController; answer?: (yes: boolean) => void }
  >();
  let root = "";
  const run = async (
    { id, method, params, canConfirm }: Extract<ToWorker, { type: "call" }>,
  ): Promise<void> => {
    const controller = new AbortController();
    const call: { controller: AbortController; answer?: (yes: boolean) => void } = { controller };
    running.set(id, call);
    const context: GuestContext = {
      root,
      signal: controller.signal,
      progress: (update) => post({ type: "progress", id, ...update }),
      log: (level, message, data) =>
        post({ type: "log", id, level, message, ...(data === undefined ? {} : { data }) }),
      ...(canConfirm
        ? {
          confirm: (text: string) =>
            new Promise<boolean>((resolve) => {
              call.answer = resolve;
              post({ type: "question", id, text });
            }),
        }
        : {}),
    };
    try {
      const work = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (work === undefined) throw new RefraktError("NOT_FOUND", `No such method: "${method}"`);
      const outcome = await runAsCall(
        root,
        () => work(params as never, context),
        {
          signal: controller.signal,
          onLoading: (module) =>
            post({ type: "loading", id, ...(module === undefined ? {} : { module }) }),
        },
      );
      const value = answerOf(outcome, (text) => context.log("debug", text));
      post({ type: "result", id, value });
    } catch (error) {
      const refusal = refusalToError(error, root);
      const isRefusal = refusal !== undefined;
      post({ type: "error", id, ...errorToData(refusal ?? error), isRefusal });
    } finally {
      running.delete(id);
    }
  };
  globalThis.addEventListener("message", (event) => {
    const message = JSON.parse((event as MessageEvent<string>).data) as ToWorker;
    if (message.type === "start") {
      root = message.root;
      leaveOut(message.leftOut);
      enter(root);
    } else if (message.type === "memory") {
      const { heapTotal, external } = memoryUsage();
      post({ type: "memory", id: message.id, bytes: heapTotal + external });
    } else if (message.type === "call") void run(message);
    else if (message.type === "cancel") running.get(message.id)?.controller.abort();
    else running.get(message.id)?.answer?.(message.yes);
  });
}

function enter(root: string): void {
  // What is printed in a call is the call's; a timer that prints after it has no reader.
  dropOutput();
  enterSandbox(root, workerModules());
  hardenWorker(root);
}
