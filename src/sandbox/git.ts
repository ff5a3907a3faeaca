/**
 * The one way to run git: a cleared environment, fixed sub-commands, argument
 * arrays, and nothing of the repository's own configuration that would start a
 * program or reach the network.
 *
 * @module
 */

import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { realPathOf } from "./paths.ts";
import { mayRunGit, mayWrite } from "./permissions.ts";

/** The sub-commands that may be run. */
const SUBCOMMANDS = new Set([
  "log",
  "show",
  "cat-file",
  "rev-parse",
  "ls-files",
  "mv",
  "merge-base",
  "version",
]);

/** Sub-commands that look at the content of the working tree, through its filters. */
const FILTERING = new Set(["mv", "ls-files"]);

/** Options that start programs, reach other files or choose another repository. */
const REFUSED_OPTIONS = [
  "--config",
  "--contents",
  "--exec",
  "--ext-diff",
  "--filters",
  "--git-dir",
  "--no-index",
  "--open-files-in-pager",
  "--output",
  "--pathspec-from-file",
  "--receive-pack",
  "--remerge-diff",
  "--show-signature",
  "--textconv",
  "--upload-pack",
  "--work-tree",
];

const CONFIG: readonly string[] = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.askPass=",
  "core.attributesFile=/dev/null",
  "core.quotePath=false",
  "core.untrackedCache=false",
  "credential.helper=",
  "diff.external=",
  "diff.relative=false",
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
  "log.showRoot=true",
  "log.showSignature=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  // Ownership is git's guard against running another user's configuration; none of it runs here.
  "safe.directory=*",
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
 * @throws {RefraktError} `PERMISSION_DENIED` without the grant, `TIMEOUT` when aborted,
 * `TOOL_FAILED` where git is missing or prints more than the limit.
 */
export async function runGit(
  args: readonly string[],
  options: GitOptions,
): Promise<GitResult> {
  options.signal?.throwIfAborted();
  let child: Deno.ChildProcess;
  try {
    child = gitCommand(args, options).spawn();
  } catch (error) {
    throw startError(error);
  }
  const { limit = 64 * 1024 * 1024, signal } = options;
  const onAbort = () => kill(child);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const [stdout, stderr, , status] = await Promise.all([
      readAll(child, child.stdout, limit),
      readAll(child, child.stderr, 64 * 1024),
      writeInput(child, options.input),
      child.status,
    ]);
    if (signal?.aborted) throw new RefraktError("TIMEOUT", "Git was stopped");
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
  } finally {
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
    throw startError(error);
  }
}

function gitCommand(args: readonly string[], options: GitOptions): Deno.Command {
  const [subcommand, ...rest] = args;
  if (subcommand === undefined || !SUBCOMMANDS.has(subcommand)) {
    throw new RefraktError("PERMISSION_DENIED", `Git may not run "${subcommand ?? ""}" here`, {
      hint: `The sandbox runs ${[...SUBCOMMANDS].join(", ")}.`,
    });
  }
  const end = rest.indexOf("--");
  for (const arg of end === -1 ? rest : rest.slice(0, end)) {
    if (isRefusedOption(arg) || arg.includes("\0")) {
      throw new RefraktError("PERMISSION_DENIED", `Git may not be given "${arg}" here`, {
        hint: "Options that start programs or write files are off in the sandbox.",
      });
    }
  }
  if (subcommand === "mv") requireWritable(rest, options.cwd);
  const display = subcommand === "log" || subcommand === "show"
    ? ["--no-ext-diff", "--no-textconv", "--no-show-signature"]
    : [];
  if (!mayRunGit()) {
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
  return new Deno.Command("git", {
    args: ["--no-pager", ...CONFIG.flatMap((setting) => ["-c", setting]), ...args],
    cwd,
    // Windows programs do not start without SystemRoot, which cannot be read and passed on here.
    clearEnv: Deno.build.os !== "windows",
    env,
    stdin,
    stdout: "piped",
    stderr: "piped",
  });
}

/** Git takes a long option by any beginning of its name. */
function isRefusedOption(arg: string): boolean {
  const name = arg.split("=")[0]!;
  return name.length > 3 && name.startsWith("--") &&
    REFUSED_OPTIONS.some((option) => option.startsWith(name));
}

/** Git writes where the runtime's grants do not reach it, so they are asked first. */
function requireWritable(args: readonly string[], cwd: string): void {
  for (const arg of args) {
    if (arg.startsWith("-") || mayWrite(realPathOf(resolve(cwd, arg)))) continue;
    throw new RefraktError("PERMISSION_DENIED", `No permission to write ${JSON.stringify(arg)}`, {
      hint: "Git may move files only where the server was granted --allow-write.",
    });
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
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) {
      kill(child);
      return null;
    }
    chunks.push(chunk);
  }
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

function startError(error: unknown): unknown {
  if (error instanceof RefraktError) return error;
  if (error instanceof Deno.errors.NotFound) {
    return new RefraktError("TOOL_FAILED", "Git is not installed", {
      hint: "Install git, or work without history.",
      cause: error,
    });
  }
  return error;
}
