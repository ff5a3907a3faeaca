/**
 * Runs git with a cleared environment and argument arrays, and without any repository setting that
 * starts a program or uses the network. Only this server's own code runs it; arguments from callers
 * come after `--end-of-options` or `--`.
 */

import { Buffer } from "node:buffer";
import { orElse, RefraktError } from "../errors.ts";
import { statIfExists } from "./files.ts";
import { gitSettings } from "./git_settings.ts";
import { mayRunGit } from "./permissions.ts";
import { SharedWork, turnTaker, unlessAborted } from "./turns.ts";

/** How many git processes run at once; each buffers up to its output limit. */
const MOST_PROCESSES = 4;
const BUFFER_BYTES = 64 * 1024;
/** Timeouts for reading a history, and for queries that read only a few files, in milliseconds. */
const HISTORY_MS = 120_000;
export const QUICK_MS = 5000;

export interface GitOptions {
  /** The absolute working directory, inside the project. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Text for standard input. */
  readonly input?: string | undefined;
  /** The maximum output in bytes; 64 MiB by default. */
  readonly limit?: number;
  /** The timeout in milliseconds, with the wait for other git processes; two minutes by default. */
  readonly timeoutMs?: number;
  /**
   * Receives the output in chunks instead of buffering it; `stdout` is then empty. The buffer is
   * reused after each call.
   */
  readonly take?: (piece: Uint8Array) => void;
  /** Complete arguments and environment, instead of those for reading the project's repository. */
  readonly launch?: Pick<Deno.CommandOptions, "args" | "clearEnv" | "env">;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/**
 * @param args The subcommand and its arguments; paths after `--`.
 * @throws {RefraktError} `PERMISSION_DENIED` without the permission, `TIMEOUT` if aborted or late,
 * `TOOL_FAILED` if git is missing or exceeds the output limit.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { signal, take, launch, ...rest } = options;
  try {
    // A stream has one reader, and other commands may write: callers do not share them.
    if (take !== undefined || launch !== undefined) return await queue(args, options);
    // Later calls start a new process: what git reads may have changed by then.
    setTimeout(() => moment.count++, 0);
    const key = JSON.stringify([moment.count, args, rest]);
    return await questions.run(key, signal, (signal) => queue(args, { ...rest, signal }));
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
    throw new RefraktError("TIMEOUT", "Git was stopped");
  }
}

/** Calls with equal arguments in one turn of the event loop share a process. */
const questions = new SharedWork<GitResult>();
const moment = { count: 0 };

/** How many more processes may run, and the calls that wait for one to end, in order. */
const slots = { free: MOST_PROCESSES, waiting: new Set<() => void>() };

async function queue(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { signal, timeoutMs = HISTORY_MS } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLong(timeoutMs)), timeoutMs);
  const end = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    await enter(end);
    return await runProcess(args, options, end).finally(leave);
  } finally {
    clearTimeout(timer);
  }
}

async function enter(end: AbortSignal): Promise<void> {
  end.throwIfAborted();
  if (slots.free > 0) return void slots.free--;
  const { promise, resolve } = Promise.withResolvers<void>();
  slots.waiting.add(resolve);
  try {
    await unlessAborted(promise, end);
  } catch (error) {
    // The slot may have been given to this call at the same moment: pass it on.
    if (!slots.waiting.delete(resolve)) leave();
    throw error;
  }
}

function leave(): void {
  const [next] = slots.waiting;
  if (next === undefined) return void slots.free++;
  slots.waiting.delete(next);
  next();
}

async function runProcess(args: readonly string[], options: GitOptions, end: AbortSignal) {
  requireGit();
  const { cwd, input, limit = 64 * 1024 * 1024, launch = gitSettings(args, cwd), take } = options;
  const child = startGit({ ...launch, cwd, stdin: input === undefined ? "null" : "piped" });
  gitProcesses.add(child);
  const readers = [child.stdout, child.stderr].map((stream) => stream.getReader({ mode: "byob" }));
  try {
    const work = Promise.all([
      readOutput(readers[0]!, limit, take),
      readStart(readers[1]!),
      writeInput(child, input),
      child.status,
    ]);
    const [stdout, stderr, , { code }] = await unlessAborted(work, end);
    return { code, stdout, stderr };
  } catch (error) {
    kill(child);
    await child.status;
    // Programs that git has started may live on, and keep its output open.
    for (const reader of readers) reader.cancel().catch(() => {});
    throw error;
  } finally {
    gitProcesses.delete(child);
  }
}

/** Kills a process, unless it has exited. */
const kill = (child: Deno.ChildProcess) => orElse(() => child.kill("SIGKILL"), undefined);

/** The running processes, killed with the server: one that hangs would outlive it. */
const gitProcesses = new Set<Deno.ChildProcess>();
globalThis.addEventListener("unload", () => gitProcesses.forEach(kill));

function requireGit(): void {
  if (mayRunGit()) return;
  // Deno denies permission for programs that it cannot find.
  if (!isOnPath("git")) throw gitMissing();
  throw new RefraktError("PERMISSION_DENIED", "No permission to run git", {
    hint: "Start the server with --allow-run=git.",
    data: { flag: "--allow-run=git" },
  });
}

async function readOutput(
  reader: ReadableStreamBYOBReader,
  limit: number,
  take: GitOptions["take"],
): Promise<Uint8Array> {
  const turn = turnTaker();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  for (;;) {
    const { value: chunk } = await reader.read(new Uint8Array(buffer));
    if (chunk === undefined || chunk.length === 0) return Buffer.concat(chunks);
    length += chunk.length;
    if (length > limit) {
      throw new RefraktError("TOOL_FAILED", `Git printed more than ${limit} bytes`, { hint: LESS });
    }
    if (take === undefined) chunks.push(chunk.slice());
    else take(chunk);
    buffer = chunk.buffer;
    await turn();
  }
}

/** Reads all that a process prints, and returns the start. */
async function readStart(reader: ReadableStreamBYOBReader): Promise<string> {
  let start = "";
  await readOutput(reader, Infinity, (chunk) => {
    if (start.length < BUFFER_BYTES) start += new TextDecoder().decode(chunk);
  });
  return start;
}

async function writeInput(child: Deno.ChildProcess, input: string | undefined): Promise<void> {
  if (input === undefined) return;
  try {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch {
    // Git exited before it read all input; its exit code says why.
  }
}

const LESS = "Narrow the request: a shorter period, or one entity.";

function tooLong(timeoutMs: number): RefraktError {
  return new RefraktError("TIMEOUT", `Git took longer than ${timeoutMs / 1000} seconds`, {
    hint: timeoutMs > QUICK_MS
      ? LESS
      : "Call again in half a minute, or run git status to see what it waits for.",
  });
}

function startGit(options: Deno.CommandOptions & { readonly cwd: string }): Deno.ChildProcess {
  try {
    return new Deno.Command("git", { ...options, stdout: "piped", stderr: "piped" }).spawn();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) {
      throw new RefraktError("TOOL_FAILED", "Git could not be started", { cause });
    }
    if (statIfExists(options.cwd) !== null) throw gitMissing();
    throw new RefraktError("TOOL_FAILED", "The working directory for git no longer exists", {
      hint: "Restore it, then repeat the call.",
    });
  }
}

function gitMissing(): RefraktError {
  return new RefraktError("TOOL_FAILED", "Git is not installed, or not on the PATH", {
    hint: "Install git, or work without history.",
  });
}

/**
 * Whether a program is on the PATH, without reading the variable: starts it with `--version`. Deno
 * reports a missing program as not found, and an existing one without permission as denied.
 */
export function isOnPath(program: string): boolean {
  try {
    new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync();
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
