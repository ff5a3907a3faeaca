/**
 * Git for plugins that know only synchronous calls. A process that is waited for has no
 * time limit of its own: so a Worker starts it, which ends it when its time is over, and
 * the caller waits for the Worker.
 *
 * @module
 */

import { checkGit, type GitResult, startError, tooLong, tooMuch } from "./git.ts";
import {
  cleared,
  ENVIRONMENT,
  type Environment,
  gitArguments,
  isFiltering,
  isTreeUnknown,
  LIST_FILTERS,
  requireAround,
  SHOW_TREE,
  withDisplay,
  withoutFilters,
} from "./git_settings.ts";

/** Taken before plugins get a replacement of it. */
const { Worker } = globalThis;

/** The most bytes that git may print, and complain. */
const LIMIT = 16 * 1024 * 1024;
const ERROR_LIMIT = 64 * 1024;

/** How long one git may take, in milliseconds: the server stands still meanwhile. */
const TIMEOUT_MS = 10_000;

/** How long a Worker is kept for the next call, in milliseconds: they come one after the other. */
const IDLE_MS = 100;

/** What the Worker runs. */
interface Job {
  readonly options: Deno.CommandOptions;
  readonly timeoutMs: number;
  /** The limits of stdout and stderr. */
  readonly limits: readonly [number, number];
  /** Takes five numbers, then stdout, then stderr, then why git did not start. */
  readonly buffer: SharedArrayBuffer;
}

/** The state, by the numbers at the beginning of the buffer. */
const [DONE, CODE, STDOUT, STDERR, LATE] = [0, 1, 2, 3, 4];
const HEADER_BYTES = 32;

interface Running {
  readonly worker: Worker;
  readonly buffer: SharedArrayBuffer;
}

let running: Running | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** How synchronous git is run. */
export interface GitSyncOptions {
  /** The directory, absolute, inside the project. */
  readonly cwd: string;
  /** How long it may take, in milliseconds; ten seconds by default. */
  readonly timeoutMs?: number;
}

/**
 * Runs git and waits for it.
 *
 * @param args The sub-command and its arguments; paths after `--`.
 * @throws {RefraktError} As `runGit` does.
 */
export function runGitSync(args: readonly string[], options: GitSyncOptions): GitResult {
  checkGit(args, options.cwd);
  let environment = ENVIRONMENT;
  if (isFiltering(args)) {
    const { cwd } = options;
    if (isTreeUnknown(cwd)) requireAround(cwd, runRaw(SHOW_TREE, options, ENVIRONMENT).stdout);
    environment = withoutFilters(runRaw(LIST_FILTERS, options, ENVIRONMENT).stdout);
  }
  return runRaw(withDisplay(args), options, environment);
}

function runRaw(
  args: readonly string[],
  { cwd, timeoutMs = TIMEOUT_MS }: GitSyncOptions,
  environment: Environment,
): GitResult {
  clearTimeout(idle);
  const { worker, buffer } = running ??= start();
  const head = new Int32Array(buffer, 0, HEADER_BYTES / 4).fill(0);
  const options = { args: gitArguments(args, cwd), cwd, ...cleared(environment, cwd) };
  worker.postMessage({ options, timeoutMs, limits: [LIMIT, ERROR_LIMIT], buffer } satisfies Job);
  // It ends git itself; it is ended where it does not.
  const waited = Atomics.wait(head, DONE!, 0, timeoutMs * 2 + 5000);
  if (waited === "timed-out") stop();
  else idle = setTimeout(stop, IDLE_MS);
  if (waited === "timed-out" || head[LATE!] === 1) throw tooLong(timeoutMs);
  const [stdout, stderr] = [head[STDOUT!]!, head[STDERR!]!];
  if (stdout < 0) throw tooMuch(LIMIT);
  const bytes = (start: number, length: number) =>
    new Uint8Array(buffer, HEADER_BYTES + start, length).slice();
  const said = new TextDecoder().decode(bytes(LIMIT, Math.max(0, stderr)));
  if (head[DONE!] === FAILED) {
    const failed = new Error(said);
    throw startError(
      head[CODE!] === 1 ? new Deno.errors.NotFound(said, { cause: failed }) : failed,
      cwd,
    );
  }
  return { code: head[CODE!]!, stdout: bytes(0, stdout), stderr: said };
}

/** What the first number is when git could not be started. */
const FAILED = 2;

function start(): Running {
  // No file of ours has to be readable for it.
  const url = `data:text/javascript,${encodeURIComponent(`(${serveJobs})()`)}`;
  return {
    worker: new Worker(url, { type: "module" }),
    buffer: new SharedArrayBuffer(HEADER_BYTES + LIMIT + ERROR_LIMIT),
  };
}

function stop(): void {
  running?.worker.terminate();
  running = undefined;
}

/** The program of the Worker: it may name nothing outside of itself. */
function serveJobs(): void {
  globalThis.addEventListener("message", async (event) => {
    const { options, timeoutMs, limits, buffer } = (event as MessageEvent<Job>).data;
    const head = new Int32Array(buffer, 0, 8);
    const bytes = new Uint8Array(buffer, 32);
    let state = 1;
    try {
      const child = new Deno.Command("git", {
        ...options,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const end = () => {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended by itself.
        }
      };
      const timer = setTimeout(() => {
        head[4] = 1;
        end();
      }, timeoutMs);
      const take = async (stream: ReadableStream<Uint8Array>, start: number, limit: number) => {
        let length = 0;
        for await (const chunk of stream) {
          if (length + chunk.length > limit) {
            end();
            return -1;
          }
          bytes.set(chunk, start + length);
          length += chunk.length;
        }
        return length;
      };
      const [stdout, stderr, { code }] = await Promise.all([
        take(child.stdout, 0, limits[0]),
        take(child.stderr, limits[0], limits[1]),
        child.status,
      ]);
      clearTimeout(timer);
      [head[1], head[2], head[3]] = [code, stdout, stderr];
    } catch (error) {
      const said = new TextEncoder().encode(String(error)).subarray(0, limits[1]);
      bytes.set(said, limits[0]);
      state = 2;
      [head[1], head[3]] = [error instanceof Deno.errors.NotFound ? 1 : 0, said.length];
    }
    Atomics.store(head, 0, state);
    Atomics.notify(head, 0);
  });
}
