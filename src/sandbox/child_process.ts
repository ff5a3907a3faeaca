/**
 * What plugins get for `node:child_process`: git, through the runner, and nothing
 * else. The real module cannot be used at all: it wants the whole environment.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { messageOf, RefraktError } from "../errors.ts";
import type { GitResult } from "../io/git.ts";
import { runGitSync } from "../io/git_sync.ts";
import { resolveInside } from "../io/paths.ts";
import { type CallState, currentCall } from "./call.ts";

interface ExecOptions {
  cwd?: string | URL;
  encoding?: string | null;
}

/**
 * The exports of the replaced module.
 *
 * @param rootOf The project that the running call belongs to.
 * @param limits How often one call may run git, and for how long in all.
 */
export function childProcessModule(
  rootOf: () => string,
  limits: typeof GIT_LIMITS = GIT_LIMITS,
): Record<string, unknown> {
  const run = (file: string, args: readonly string[], options: ExecOptions) => {
    if (file !== "git") throw refused(file);
    const root = rootOf();
    const cwd = options.cwd === undefined ? root : resolveInside(root, String(options.cwd));
    return countedGit(args, cwd, limits);
  };
  const execFileSync = (
    file: string,
    second: readonly string[] | ExecOptions = [],
    third: ExecOptions = {},
  ) => {
    const [args, options] = argumentsOf(second, third);
    const result = run(file, args, options);
    if (result.code !== 0) {
      throw Object.assign(new Error(`Command failed: git ${args.join(" ")}\n${result.stderr}`), {
        status: result.code,
        stderr: decoded(new TextEncoder().encode(result.stderr), options),
        stdout: decoded(result.stdout, options),
      });
    }
    return decoded(result.stdout, options);
  };
  const execSync = (command: string, options: ExecOptions = {}) => {
    const [file, ...args] = splitCommand(command);
    return execFileSync(file ?? "", args, options);
  };
  const spawnSync = (
    file: string,
    second: readonly string[] | ExecOptions = [],
    third: ExecOptions = {},
  ) => {
    const [args, options] = argumentsOf(second, third);
    try {
      const { code, stdout, stderr } = run(file, args, options);
      const error = decoded(new TextEncoder().encode(stderr), options);
      const output = decoded(stdout, options);
      return { pid: 0, status: code, signal: null, stdout: output, stderr: error, output: [] };
    } catch (error) {
      return { pid: 0, status: null, signal: null, stdout: "", stderr: "", output: [], error };
    }
  };
  const refuse = (name: string) => (file: unknown) => {
    throw refused(`${name}: ${messageOf(file)}`);
  };
  return {
    execFileSync,
    execSync,
    spawnSync,
    exec: refuse("exec"),
    execFile: refuse("execFile"),
    fork: refuse("fork"),
    spawn: refuse("spawn"),
    ChildProcess: class ChildProcess {},
  };
}

/** How often one call may run git, and for how long in all. */
const GIT_LIMITS = { runs: 5000, milliseconds: 60_000 };

const runs = new WeakMap<CallState, { count: number; milliseconds: number }>();

/** Runs git for a call: the server stands still meanwhile, so it may not do so for long. */
function countedGit(
  args: readonly string[],
  cwd: string,
  most: typeof GIT_LIMITS,
): GitResult {
  const call = currentCall();
  if (call === undefined) return runGitSync(args, { cwd });
  const spent = runs.get(call) ?? { count: 0, milliseconds: 0 };
  runs.set(call, spent);
  if (spent.count >= most.runs || spent.milliseconds >= most.milliseconds) {
    throw new RefraktError(
      "TIMEOUT",
      `Git was run ${spent.count} times, for ${Math.round(spent.milliseconds / 1000)} seconds`,
      { hint: `A call may run it ${most.runs} times, for ${most.milliseconds / 1000} seconds.` },
    );
  }
  const begin = performance.now();
  try {
    return runGitSync(args, { cwd });
  } finally {
    spent.count++;
    spent.milliseconds += performance.now() - begin;
  }
}

/**
 * Splits a command line into words as a shell would, and refuses everything that
 * only a shell could do: no string becomes a shell.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` for substitutions, pipes, redirections and the like.
 */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const char of command) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (quote === '"' && /[$`\\]/.test(char)) throw refused(command);
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[$`\\;&|<>()\n\r*?[\]{}!#~]/.test(char)) {
      throw refused(command);
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== undefined) throw refused(command);
  if (word !== undefined) words.push(word);
  return words;
}

/** The arguments may be left out, with the options in their place. */
function argumentsOf(
  second: readonly string[] | ExecOptions,
  third: ExecOptions,
): [readonly string[], ExecOptions] {
  return isList(second) ? [second, third] : [[], second];
}

function isList(value: readonly string[] | ExecOptions): value is readonly string[] {
  return Array.isArray(value);
}

function decoded(bytes: Uint8Array, options: ExecOptions): string | Buffer {
  const { encoding } = options;
  return encoding === undefined || encoding === null || encoding === "buffer"
    ? Buffer.from(bytes)
    : new TextDecoder().decode(bytes);
}

function refused(command: string): RefraktError {
  return new RefraktError(
    "PERMISSION_DENIED",
    `The sandbox does not run ${JSON.stringify(command)}`,
    { hint: "Plugins may run git alone, without a shell; use a terminal for anything else." },
  );
}
