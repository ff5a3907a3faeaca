/** The running call: its output, permissions and exit request. */

import { AsyncLocalStorage } from "node:async_hooks";
import { unlessAborted } from "../io/turns.ts";
import { type WriteFolder, writeFolder } from "../io/write_folder.ts";

/** The maximum output of a call in UTF-16 units; the rest is dropped. */
const MOST_OUTPUT = 1_000_000;

export interface CallState {
  /** The project, real and absolute. */
  readonly root: string;
  stdout: string;
  stderr: string;
  /** The first requested exit code. */
  exitCode: number | undefined;
  /** Ends the call with an error, also if its code goes on. */
  readonly stop: (reason: unknown) => void;
  /** Whether packages may write files. */
  readonly mayWrite: boolean;
  /** Intercepts whole-file reads and writes. */
  interceptor: Interceptor | undefined;
  /** See {@linkcode printsAnswer}. */
  printsAnswer: boolean;
  /** The call has ended; output of its timers goes to the log. */
  ended: boolean;
}

/** Intercepts whole-file reads and writes of packages. */
interface Interceptor {
  /** The folder that packages may write in, in place of the project. */
  readonly folder?: WriteFolder;
  /** Returns the text for an absolute path; `undefined` to read the disk. */
  read?(path: string): string | undefined;
  /** Writes a text in place of the package, or throws. */
  write?(path: string, text: string): void;
}

/** Thrown when a package asks to end the process. */
export class ExitRequest extends Error {
  /** @param exitCode The requested exit code. */
  constructor(readonly exitCode: number) {
    super(`process.exit(${exitCode}) was called`);
    this.name = "ExitRequest";
  }
}

/** The running call; while packages are loaded for all calls, their project. */
const callStorage = new AsyncLocalStorage<CallState | { root: string; isLoading: true }>();

/**
 * Like {@linkcode currentCall}, but also returns a call that has ended: its timers may still write.
 */
export function owningCall(): CallState | undefined {
  const stored = callStorage.getStore();
  return stored === undefined || "isLoading" in stored ? undefined : stored;
}

/**
 * Whether this code belongs to neither a running call nor the loading of a package. Deno may run
 * unrelated code in the context of a call that has ended.
 */
export function isOutside(): boolean {
  return callStorage.getStore() === undefined || owningCall()?.ended === true;
}

/** The running call, if this code belongs to one. */
export function currentCall(): CallState | undefined {
  const call = owningCall();
  return call === undefined || call.ended ? undefined : call;
}

/**
 * Runs work that all calls share, such as loading a package, as if no call were running.
 *
 * @param root The project, real and absolute.
 */
export function outsideCalls<Value>(root: string, work: () => Value): Value {
  // `exit` would restore the call after the first `await`.
  return callStorage.run({ isLoading: true, root }, work);
}

/** The project of the call, or of the package that is loaded. */
export function currentRoot(): string {
  return callStorage.getStore()?.root ?? Deno.cwd();
}

/** The folder that packages may write in now. */
export function currentFolder(): WriteFolder {
  return currentCall()?.interceptor?.folder ?? writeFolder(currentRoot());
}

/** Runs work with an interceptor, so that an invalid write never reaches the disk. */
export async function withInterceptor<Value>(
  interceptor: Interceptor,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const call = owningCall();
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
 * Marks the running call as a command: its output is its answer if it returns nothing, and exit code
 * 0 means success.
 */
export function printsAnswer(): void {
  const call = owningCall();
  if (call !== undefined) call.printsAnswer = true;
}

/** Appends output to a call, up to the limit. */
export function appendOutput(call: CallState, stream: "stdout" | "stderr", text: string): void {
  call[stream] += text.slice(0, MOST_OUTPUT - call[stream].length);
}

/**
 * Runs package code and captures its output and exit, also during concurrent calls.
 *
 * @param root The project of the call.
 * @param work The code.
 * @param options By default, the call may write. The signal stops waiting; the code itself cannot be
 * stopped.
 * @returns The call, and what the function returned, unless it exited.
 * @throws Whatever `work` throws, except exit requests.
 */
export async function runAsCall<Value>(
  root: string,
  work: () => Value | Promise<Value>,
  { signal, mayWrite = true }: { readonly signal?: AbortSignal; readonly mayWrite?: boolean } = {},
): Promise<{ readonly call: Readonly<CallState>; readonly value: Value | undefined }> {
  const exit = new AbortController();
  const end = signal === undefined ? exit.signal : AbortSignal.any([signal, exit.signal]);
  const call: CallState = {
    root,
    stdout: "",
    stderr: "",
    exitCode: undefined,
    stop: (reason) => exit.abort(reason),
    mayWrite,
    interceptor: undefined,
    printsAnswer: false,
    ended: false,
  };
  try {
    const run = () => unlessAborted(Promise.resolve().then(work), end);
    return { call, value: await callStorage.run(call, run) };
  } catch (error) {
    if (call.exitCode !== undefined && (error instanceof ExitRequest || !signal?.aborted)) {
      return { call, value: undefined };
    }
    throw error;
  } finally {
    call.ended = true;
  }
}
