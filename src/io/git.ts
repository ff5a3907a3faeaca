/**
 * The one way to run git: a cleared environment, argument arrays, and nothing of the repository's
 * own configuration that would start a program or reach the network. Only this server's own code
 * runs it; arguments that come from a caller stand after `--end-of-options` or `--`.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { statIfExists } from "./files.ts";
import { gitSettings } from "./git_settings.ts";
import { mayRunGit } from "./permissions.ts";
import { isOnPath } from "./programs.ts";

/** How many git processes run at a time: each holds up to its limit of output. */
const MOST_PROCESSES = 4;

/** How much of git's output is read at once. */
const BUFFER_BYTES = 64 * 1024;

/** How long git may take to read a history, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** How long git may take for what it answers from a few files, in milliseconds. */
export const QUICK_MS = 5000;

/** The last run of each place. */
const places: Promise<unknown>[] = Array.from({ length: MOST_PROCESSES }, () => Promise.resolve());
let next = 0;

/** How a git command is run. */
export interface GitOptions {
  /** The directory, absolute, inside the project. */
  readonly cwd: string;
  /** Ends git when it aborts. */
  readonly signal?: AbortSignal;
  /** Settings for this run, by their keys. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** What git reads on its standard input. */
  readonly input?: string;
  /** The most bytes that git may print; 64 MiB by default. */
  readonly limit?: number;
  /** How long it may take, in milliseconds; two minutes by default. */
  readonly timeoutMs?: number;
  /**
   * Takes what git prints piece by piece, so that it is not kept; then `stdout` is empty.
   * A piece may be looked at during the call alone.
   */
  readonly take?: (piece: Uint8Array) => void;
}

/** What git answered. */
export interface GitResult {
  /** Its exit code. */
  readonly code: number;
  /** What it printed. */
  readonly stdout: Uint8Array;
  /** What it complained about. */
  readonly stderr: string;
}

/**
 * Runs git.
 *
 * @param args The sub-command and its arguments; paths after `--`.
 * @throws {RefraktError} `PERMISSION_DENIED` without the grant, `TIMEOUT` when aborted or late,
 * `TOOL_FAILED` where git is missing or prints more than the limit.
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const place = next++ % MOST_PROCESSES;
  const result = places[place]!.then(() => {
    if (options.signal?.aborted) throw new RefraktError("TIMEOUT", "Git was stopped");
    return run(args, options);
  });
  places[place] = result.catch(() => {});
  return result;
}

async function run(args: readonly string[], options: GitOptions): Promise<GitResult> {
  requireGit();
  const { cwd, input, limit = 64 * 1024 * 1024, signal, timeoutMs = TIMEOUT_MS } = options;
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("git", {
      ...gitSettings(args, cwd, options.config),
      cwd,
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    throw startError(error, cwd);
  }
  children.add(child);
  let late = false;
  const onAbort = () => kill(child);
  const timer = setTimeout(() => {
    late = true;
    kill(child);
  }, timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const [stdout, stderr, , status] = await Promise.all([
      readAll(child, child.stdout, limit, options.take),
      readAll(child, child.stderr, 64 * 1024),
      writeInput(child, input),
      child.status,
    ]);
    if (signal?.aborted) throw new RefraktError("TIMEOUT", "Git was stopped");
    if (late) throw tooLong(timeoutMs);
    if (stdout === null) throw tooMuch(limit);
    return {
      code: status.code,
      stdout,
      stderr: new TextDecoder().decode(stderr ?? new Uint8Array()),
    };
  } catch (error) {
    kill(child);
    throw error;
  } finally {
    children.delete(child);
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Git that is running: the one that waits for something would outlive the server. */
const children = new Set<Deno.ChildProcess>();
globalThis.addEventListener("unload", () => children.forEach(kill));

/**
 * Makes sure that git may be run.
 *
 * @throws {RefraktError} `PERMISSION_DENIED`, or `TOOL_FAILED` where git is missing.
 */
function requireGit(): void {
  if (mayRunGit()) return;
  // The runtime grants no program that it does not find.
  if (!isOnPath("git")) throw notInstalled();
  throw new RefraktError("PERMISSION_DENIED", "No permission to run git", {
    hint: "Start the server with --allow-run=git.",
    data: { flag: "--allow-run=git" },
  });
}

async function readAll(
  child: Deno.ChildProcess,
  stream: ReadableStream<Uint8Array>,
  limit: number,
  take?: (piece: Uint8Array) => void,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  for (;;) {
    const { value: chunk } = await reader.read(new Uint8Array(buffer));
    if (chunk === undefined || chunk.length === 0) break;
    length += chunk.length;
    if (length > limit) {
      kill(child);
      return null;
    }
    if (take === undefined) chunks.push(chunk.slice());
    else take(chunk);
    buffer = chunk.buffer;
  }
  if (take !== undefined) return new Uint8Array();
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

async function writeInput(child: Deno.ChildProcess, input: string | undefined): Promise<void> {
  if (input === undefined) return;
  try {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch {
    // Git ended before it had read all: its exit code tells why.
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

const LESS = "Ask for less: a shorter period, or one entity.";

function tooLong(timeoutMs: number): RefraktError {
  return new RefraktError("TIMEOUT", `Git took longer than ${timeoutMs / 1000} seconds`, {
    hint: timeoutMs > QUICK_MS
      ? LESS
      : "Something in .git keeps it waiting, such as a pipe in the place of a file: run git status.",
  });
}

function tooMuch(limit: number): RefraktError {
  return new RefraktError("TOOL_FAILED", `Git printed more than ${limit} bytes`, { hint: LESS });
}

/** Why git did not start. */
function startError(error: unknown, cwd: string): unknown {
  if (error instanceof Deno.errors.NotFound) {
    return statIfExists(cwd) === null
      ? new RefraktError("TOOL_FAILED", "The directory that git was to look at is gone", {
        hint: "Call again once it is back.",
        cause: error,
      })
      : notInstalled(error);
  }
  return error;
}

function notInstalled(cause?: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", "Git is not installed, or not on the PATH", {
    hint: "Install git, or work without history.",
    ...(cause === undefined ? {} : { cause }),
  });
}
