/**
 * The one way to run git: a cleared environment, fixed sub-commands, argument
 * arrays, and nothing of the repository's own configuration that would start a
 * program or reach the network.
 *
 * @module
 */

import { dirname, join, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { checkGitArguments } from "./git_options.ts";
import { statIfExists } from "./files.ts";
import { realPathOf } from "./paths.ts";
import { mayRead, mayRunGit, mayWrite } from "./permissions.ts";
import { isOnPath } from "./programs.ts";
import { createTurns } from "./turns.ts";

/** Taken before plugins get a replacement of it. */
const { Command } = Deno;

/** Sub-commands that look at the content of the working tree, through its filters. */
const FILTERING = new Set(["mv", "ls-files"]);

/** How many git processes run at a time: each holds up to its limit of output. */
const MOST_PROCESSES = 4;

/** How much of git's output is read at once. */
const BUFFER_BYTES = 64 * 1024;

/** How long git may take, in milliseconds. */
const TIMEOUT_MS = 120_000;

const turns = createTurns(MOST_PROCESSES);

const CONFIG: readonly string[] = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.askPass=",
  "core.alternateRefsCommand=false",
  "core.attributesFile=/dev/null",
  "core.quotePath=false",
  "core.untrackedCache=false",
  "credential.helper=",
  "diff.external=",
  "diff.ignoreSubmodules=all",
  "diff.relative=false",
  "diff.submodule=short",
  "gc.auto=0",
  "maintenance.auto=false",
  "gpg.format=openpgp",
  "gpg.openpgp.program=false",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "i18n.logOutputEncoding=UTF-8",
  "log.diffMerges=separate",
  "log.follow=false",
  "log.mailmap=false",
  "log.showRoot=true",
  "log.showSignature=false",
  "mailmap.blob=",
  "mailmap.file=/dev/null",
  "protocol.allow=never",
  "submodule.recurse=false",
  "safe.bareRepository=explicit",
];

const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // Settings such as core.excludesFile = ~/x need a home; this one has no files.
  HOME: "/nonexistent",
  LC_ALL: "C",
};

/** How a git command is run. */
export interface GitOptions {
  /** The directory, absolute, inside the project. */
  readonly cwd: string;
  /** Ends git when it aborts. */
  readonly signal?: AbortSignal;
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
  return turns.run(() => run(args, options), options.signal);
}

async function run(args: readonly string[], options: GitOptions): Promise<GitResult> {
  let child: Deno.ChildProcess;
  try {
    child = gitCommand(args, options).spawn();
  } catch (error) {
    throw startError(error, options.cwd);
  }
  const { limit = 64 * 1024 * 1024, signal, timeoutMs = TIMEOUT_MS } = options;
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
      writeInput(child, options.input),
      child.status,
    ]);
    if (signal?.aborted) throw new RefraktError("TIMEOUT", "Git was stopped");
    if (late) {
      throw new RefraktError("TIMEOUT", `Git took longer than ${timeoutMs / 1000} seconds`, {
        hint: "Ask for less: a shorter period, or one entity.",
      });
    }
    if (stdout === null) {
      throw new RefraktError("TOOL_FAILED", `Git printed more than ${limit} bytes`, {
        hint: "Ask for less: a shorter period, or one entity.",
      });
    }
    return {
      code: status.code,
      stdout,
      stderr: new TextDecoder().decode(stderr ?? new Uint8Array()),
    };
  } catch (error) {
    kill(child);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Runs git and waits for it; for plugins that know only synchronous calls. */
export function runGitSync(args: readonly string[], options: GitOptions): GitResult {
  try {
    const output = gitCommand(args, { ...options, input: undefined as never }).outputSync();
    return {
      code: output.code,
      stdout: output.stdout,
      stderr: new TextDecoder().decode(output.stderr),
    };
  } catch (error) {
    throw startError(error, options.cwd);
  }
}

function gitCommand(args: readonly string[], options: GitOptions): Deno.Command {
  checkGitArguments(args);
  const [subcommand, ...rest] = args as [string, ...string[]];
  if (subcommand === "mv") requireWritable(rest, options.cwd);
  const display = subcommand === "log" || subcommand === "show"
    ? ["--no-ext-diff", "--no-textconv", "--no-show-signature"]
    : [];
  if (!mayRunGit()) {
    // The runtime grants no program that it does not find.
    if (!isOnPath("git")) throw notInstalled();
    throw new RefraktError("PERMISSION_DENIED", "No permission to run git", {
      hint: "Start the server with --allow-run=git.",
      data: { flag: "--allow-run=git" },
    });
  }
  const environment = FILTERING.has(subcommand) ? withoutFilters(options.cwd) : ENVIRONMENT;
  return rawGit(
    [subcommand, ...display, ...rest],
    options.cwd,
    environment,
    options.input === undefined ? "null" : "piped",
  );
}

function rawGit(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  stdin: "null" | "piped" = "null",
): Deno.Command {
  return new Command("git", {
    args: [
      "--no-pager",
      ...[...CONFIG, ...safeDirectories(cwd)].flatMap((setting) => ["-c", setting]),
      ...args,
    ],
    cwd,
    // Windows programs do not start without SystemRoot, which cannot be read and passed on here.
    clearEnv: Deno.build.os !== "windows",
    env,
    stdin,
    stdout: "piped",
    stderr: "piped",
  });
}

/** Git writes where the runtime's grants do not reach it, so they are asked first. */
function requireWritable(args: readonly string[], cwd: string): void {
  const end = args.indexOf("--");
  const paths = args.filter((arg, index) => index > end && end !== -1 || !arg.startsWith("-"));
  for (const path of paths) {
    if (mayWrite(realPathOf(resolve(cwd, path)))) continue;
    throw new RefraktError("PERMISSION_DENIED", `No permission to write ${JSON.stringify(path)}`, {
      hint: "Git may move files only where the server was granted --allow-write.",
    });
  }
}

/**
 * The repository may belong to another user, as in a container, if it is this
 * project's or around it where the user lets it be read. Others keep git's own guard.
 */
function safeDirectories(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd;; folder = dirname(folder)) {
    if (!mayRead(folder)) break;
    folders.push(folder);
    if (exists(join(folder, ".git")) || dirname(folder) === folder) break;
  }
  return folders.map((folder) => `safe.directory=${folder}`);
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== null;
  } catch {
    return false;
  }
}

/** The environment with every filter driver of the repository's configuration turned off. */
function withoutFilters(cwd: string): Record<string, string> {
  const listing = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const { stdout } = rawGit(listing, cwd, ENVIRONMENT).outputSync();
  const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
  const drivers = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ""],
    [`${driver}.smudge`, ""],
    [`${driver}.process`, ""],
    [`${driver}.required`, "false"],
  ]);
  const environment: Record<string, string> = { ...ENVIRONMENT };
  environment["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key!;
    environment[`GIT_CONFIG_VALUE_${index}`] = value!;
  }
  return environment;
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

function startError(error: unknown, cwd: string): unknown {
  if (error instanceof RefraktError) return error;
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
