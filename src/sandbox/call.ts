/**
 * The call that is running: whose output is being printed, what it may write, and who asked to exit.
 *
 * @module
 */

import { AsyncLocalStorage } from "node:async_hooks";

/** The most that one call may print before the rest is dropped, in UTF-16 units. */
const MOST_OUTPUT = 1_000_000;

/** What one call printed, and whether it tried to end the process. */
export interface CallState {
  /** The project that it works on: real, absolute. */
  readonly root: string;
  /** What it printed to stdout. */
  stdout: string;
  /** What it printed to stderr. */
  stderr: string;
  /** The first exit code that it asked for. */
  exitCode: number | undefined;
  /** Whether packages may write files in it. */
  readonly mayWrite: boolean;
  /** Looks at the files that it reads and writes. */
  interceptor: Interceptor | undefined;
  /** See {@linkcode printsAnswer}. */
  printsAnswer: boolean;
  /** Is told which module of the project is about to be loaded. */
  readonly onLoading: ((module: string) => void) | undefined;
  /** It is over: what its timers still print belongs to the log. */
  ended: boolean;
}

/** What becomes of a write: the path and the text that are written, or `null` for nothing. */
export type InterceptedWrite = { readonly path: string; readonly text: string } | null;

/** Intercepts what packages read and write as whole files in a call. */
export interface Interceptor {
  /** Gives the text of a file by its real path; `undefined` for what is on disk. */
  read?(path: string): string | undefined;
  /** Sees each write of a whole file: throws to refuse it, returns `null` to skip it. */
  write?(path: string, text: string): InterceptedWrite;
}

/** Thrown where a package asks to end the process. */
export class ExitRequest extends Error {
  /** The call that asked, where there is one. */
  readonly call: CallState | undefined;

  /** @param exitCode The code that was asked for. @param call The call that asked. */
  constructor(exitCode: number, call: CallState | undefined) {
    super(`process.exit(${exitCode}) was called`);
    this.name = "ExitRequest";
    this.call = call;
  }
}

const storage = new AsyncLocalStorage<CallState>();
const waiting = new WeakMap<CallState, (request: ExitRequest) => void>();
let lastRoot: string | undefined;

/** The running call, where the code that asks belongs to one. */
export function currentCall(): CallState | undefined {
  const call = storage.getStore();
  return call === undefined || call.ended ? undefined : call;
}

/** The same, also after the call has ended: what its timers write is its own too. */
export function owningCall(): CallState | undefined {
  return storage.getStore();
}

/** Sets the project that packages are held to outside of calls. @param root Real, absolute. */
export function enterProject(root: string): void {
  lastRoot = root;
}

/** The project that packages are held to: that of the running call, else the last one entered. */
export function currentRoot(): string {
  return currentCall()?.root ?? lastRoot ?? Deno.cwd();
}

/** Runs work whose reads and writes are intercepted, so that a bad write never reaches the disk. */
export async function withInterceptor<Value>(
  interceptor: Interceptor,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const call = storage.getStore();
  if (call === undefined) throw new TypeError("An interceptor needs a running call");
  const before = call.interceptor;
  call.interceptor = interceptor;
  try {
    return await work();
  } finally {
    call.interceptor = before;
  }
}

/**
 * Makes the running call one of a command: what it prints is its answer where it returns
 * none, and an exit with 0 is a success.
 */
export function printsAnswer(): void {
  const call = storage.getStore();
  if (call !== undefined) call.printsAnswer = true;
}

/** Adds printed text to a call; what is beyond the limit is dropped. */
export function appendOutput(call: CallState, stream: "stdout" | "stderr", text: string): void {
  call[stream] += text.slice(0, MOST_OUTPUT - call[stream].length);
}

/** Ends the call that an uncaught {@linkcode ExitRequest} belongs to; `false` where none waits. */
export function settleExit(request: ExitRequest): boolean {
  const settle = request.call === undefined ? undefined : waiting.get(request.call);
  settle?.(request);
  return settle !== undefined;
}

/** How a call is run. */
export interface CallOptions extends Partial<Pick<CallState, "mayWrite" | "onLoading">> {
  /** Ends the wait; the code itself cannot be stopped. */
  readonly signal?: AbortSignal;
}

/** How a call ended. */
export interface CallOutcome<Value>
  extends Readonly<Pick<CallState, "stdout" | "stderr" | "exitCode" | "printsAnswer">> {
  /** What the function returned, unless it exited. */
  readonly value: Value | undefined;
}

/**
 * Runs code of packages so that its output and its wish to exit are its own, also while other
 * calls run.
 *
 * @param root The project that the code is held to.
 * @param work The code.
 * @param options By default it may write.
 * @throws Whatever `work` throws, except for its wish to exit.
 */
export async function runAsCall<Value>(
  root: string,
  work: () => Value | Promise<Value>,
  { signal, mayWrite = true, onLoading }: CallOptions = {},
): Promise<CallOutcome<Value>> {
  const call: CallState = {
    root,
    stdout: "",
    stderr: "",
    exitCode: undefined,
    mayWrite,
    interceptor: undefined,
    printsAnswer: false,
    onLoading,
    ended: false,
  };
  const outcome = (value: Value | undefined): CallOutcome<Value> => {
    const { stdout, stderr, exitCode, printsAnswer } = call;
    return { value, stdout, stderr, exitCode, printsAnswer };
  };
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => stopped.reject(signal!.reason);
  waiting.set(call, stopped.reject);
  try {
    Deno.exitCode = 0;
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const value = await storage.run(
      call,
      () => Promise.race([Promise.resolve().then(work), stopped.promise]),
    );
    // A handler may also have set process.exitCode and returned.
    if (Deno.exitCode !== 0) call.exitCode ??= Deno.exitCode;
    return outcome(value);
  } catch (error) {
    if (call.exitCode !== undefined && (error instanceof ExitRequest || !signal?.aborted)) {
      return outcome(undefined);
    }
    throw error;
  } finally {
    call.ended = true;
    Deno.exitCode = 0;
    waiting.delete(call);
    signal?.removeEventListener("abort", onAbort);
  }
}
