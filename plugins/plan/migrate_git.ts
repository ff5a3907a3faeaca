/**
 * Renames of a migration that git is told of: the plugin plans them, files are renamed here, and
 * the index follows.
 *
 * @module
 */

import { dirname, posix, resolve } from "node:path";
import { messageOf, RefraktError } from "../../src/errors.ts";
import { QUICK_MS, runGit } from "../../src/io/git.ts";
import { asObject, textOf } from "../../src/io/json.ts";
import { gitError } from "./git_failures.ts";

/** One rename, relative to the plan, as the plugin plans it. */
interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Carries out the renames that a dry run of the plugin has planned, as `git mv` does.
 *
 * @param dir The plan's directory, absolute.
 * @param planned The answer of the dry run.
 * @returns The answer of a migration that was applied.
 * @throws {RefraktError} Where git cannot be asked, before anything is renamed.
 */
export async function renameWithGit(
  dir: string,
  planned: unknown,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = asObject(planned);
  const renames = listOf(answer["planned"]).filter(isRename);
  const tracked = await trackedFiles(dir, signal);
  const applied: Rename[] = [];
  const errors: unknown[] = [...listOf(answer["errors"])];
  const entries: string[] = [];
  for (const rename of renames) {
    try {
      const entry = tracked.get(rename.from);
      if (entry === undefined) throw new Error("not under version control");
      Deno.renameSync(resolve(dir, rename.from), resolve(dir, rename.to));
      applied.push(rename);
      const to = posix.join(posix.dirname(entry.path), posix.basename(rename.to));
      entries.push(`0 ${"0".repeat(entry.hash.length)}\t${entry.path}\0`);
      entries.push(`${entry.mode} ${entry.hash}\t${to}\0`);
    } catch (error) {
      errors.push({ file: rename.from, reason: `rename failed: ${messageOf(error)}` });
    }
  }
  if (entries.length > 0) await changeIndex(dir, entries.join(""));
  return { ...answer, mode: "apply", applied, errors, exitCode: errors.length > 0 ? 1 : 0 };
}

/** Refuses what a migration would do by git in the plugin, which has none here. */
export function refusePluginGit(subcommand: unknown, useGit: boolean): void {
  if (subcommand === "pr-attrs") {
    throw new RefraktError("TOOL_FAILED", "The migration pr-attrs reads git itself", {
      hint: "Plugins get no git here. Run it in a terminal: npx refrakt plan migrate pr-attrs",
    });
  }
  if (useGit && subcommand !== "filenames") {
    throw new RefraktError("INVALID_ARGS", "useGit is for the subcommand filenames", {
      hint: "Call without useGit, and stage the files in a terminal: git add <the plan's folder>",
    });
  }
}

/** What the index has of a file. */
interface IndexEntry {
  readonly mode: string;
  readonly hash: string;
  /** Relative to the root of the repository. */
  readonly path: string;
}

/** The files of a directory in the index, by their paths relative to the directory. */
async function trackedFiles(
  dir: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, IndexEntry>> {
  const options = { cwd: dir, signal, timeoutMs: QUICK_MS };
  const [facts, listed] = await Promise.all([
    runGit(["rev-parse", "--show-prefix"], options),
    runGit(["ls-files", "--stage", "-z", "--full-name", "--", "."], options),
  ]);
  for (const result of [facts, listed]) if (result.code !== 0) throw gitError(result, dir);
  const prefix = new TextDecoder().decode(facts.stdout).replace(/\n$/, "");
  const entries = new TextDecoder().decode(listed.stdout).split("\0").filter((line) => line !== "");
  return new Map(entries.flatMap((line) => {
    const [, mode, hash, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line) ?? [];
    // A file with several stages is in a conflict.
    return stage === "0" && path!.startsWith(prefix)
      ? [[path!.slice(prefix.length), { mode: mode!, hash: hash!, path: path! }]]
      : [];
  }));
}

/** Changes entries of the index, without the programs that the repository sets up as filters. */
async function changeIndex(dir: string, input: string): Promise<void> {
  const options = { cwd: dir, timeoutMs: QUICK_MS };
  // Git looks at files whose times are as new as the index, and sends them through their filter.
  const list = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const names = new TextDecoder().decode((await runGit(list, options)).stdout).split("\0");
  const filters = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  const config = [...filters].filter((filter) => filter !== "").flatMap((filter) => [
    ...["clean", "smudge", "process"].map((program) => [`${filter}.${program}`, ""] as const),
    [`${filter}.required`, "false"] as const,
  ]);
  const result = await runGit(["update-index", "-z", "--index-info"], {
    ...options,
    config,
    input,
  });
  if (result.code !== 0) throw gitError(result, dir);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRename(value: unknown): value is Rename {
  const { from, to } = asObject(value);
  return textOf(from) !== undefined && textOf(to) !== undefined &&
    dirname(String(from)) === dirname(String(to));
}
