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
const postText = scope.postMessage.bind(scope);
const post = (message: FromWorker) => postText(encodeMessage(message));

/** A call that has not ended. */
interface Running {
  readonly controller: AbortController;
  /** Takes the person's answer to a question. */
  answer?(yes: boolean): void;
}

/** Serves methods until the Worker is ended. */
export function serveMethods(methods: GuestMethods): void {
  const running = new Map<number, Running>();
  let root = "";
  const run = async (
    { id, method, params, canConfirm }: Extract<ToWorker, { type: "call" }>,
  ): Promise<void> => {
    const call: Running = { controller: new AbortController() };
    running.set(id, call);
    const { signal } = call.controller;
    const context: GuestContext = {
      root,
      signal,
      progress: (update) => post({ ...update, type: "progress", id }),
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
      const outcome = await runAsCall(root, () => work(params as never, context), {
        signal,
        onLoading: (module) => post({ type: "loading", id, module }),
      });
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
    switch (message.type) {
      case "start":
        root = message.root;
        // What is printed in a call is the call's; a timer that prints after it has no reader.
        dropOutput();
        enterSandbox(root, workerModules());
        hardenWorker(root);
        break;
      case "call":
        void run(message);
        break;
      case "cancel":
        running.get(message.id)?.controller.abort();
        break;
      case "answer":
        running.get(message.id)?.answer?.(message.yes);
    }
  });
}
