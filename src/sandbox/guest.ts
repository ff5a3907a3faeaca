/**
 * The Worker's side of {@linkcode isolate}: receives calls as messages and answers them. Import it
 * before any code of the repository.
 */

import { RefraktError } from "../errors.ts";
import { refusalToError } from "../io/permissions.ts";
import { dropOutput } from "../io/pipes.ts";
import { answerOf, runAsCall } from "./call.ts";
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

/** The context of a call. */
export interface GuestContext {
  /** The project's real, absolute path. */
  readonly root: string;
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Reports progress, which also extends the timeout. */
  progress(update: WorkerProgress): void;
  /** Writes to the server's log. */
  log(level: WorkerLogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks the user to confirm, if the client supports it. */
  confirm?(question: string): Promise<boolean>;
}

/** The methods of a Worker; parameters and results are plain JSON. */
export type GuestMethods = Readonly<
  Record<string, (params: never, context: GuestContext) => unknown>
>;

// The DOM types do not include Worker globals.
const scope = globalThis as unknown as { postMessage(text: string): void };
const postText = scope.postMessage.bind(scope);
const post = (message: FromWorker) => postText(encodeMessage(message));

/** A running call. */
interface Running {
  readonly controller: AbortController;
  /** Receives the user's answer. */
  answer?(yes: boolean): void;
}

/** Serves methods until the Worker is terminated. */
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
        // Calls capture their own output; nobody reads what timers print later.
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
