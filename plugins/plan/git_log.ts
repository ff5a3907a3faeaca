/**
 * The commits that changed a plan, read from the plan's own repository in a few calls of git,
 * however many commits there are.
 *
 * @module
 */

import { QUICK_MS, runGit } from "../../src/io/git.ts";
import { gitError } from "./git_failures.ts";

/** One file changed by one commit; paths are those of the repository. */
export interface FileChange {
  /** Added, changed, removed, or changed by a merge to what none of its parents has. */
  readonly kind: "A" | "M" | "D" | "merge";
  /** The file. */
  readonly path: string;
  /** The blobs before: one of each parent, none for a file that was added. */
  readonly before: readonly string[];
  /** The blob after; `undefined` for a file that was removed. */
  readonly after: string | undefined;
}

/** One commit with what it changed. */
export interface Commit {
  /** The full hash. */
  readonly hash: string;
  /** The author's date, ISO 8601. */
  readonly date: string;
  /** The author's name. */
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  /** Whether it has several parents. */
  readonly isMerge: boolean;
  /** The files; of a merge those that are as in none of its parents. */
  readonly changes: FileChange[];
}

/** Which commits are read. */
export interface LogQuery {
  /** The directory that git runs in, absolute. */
  readonly cwd: string;
  /** A commit, or a range. */
  readonly revision: string;
  /** A folder relative to `cwd`. */
  readonly path: string;
}

const FORMAT = "%x01%H%x02%P%x02%aI%x02%aN%x02%s";
/** Renames are found by the ids of entities, which git does not know. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
/** How many commits are named in one call. */
const MOST_NAMED = 400;
/** How much git may print of one kind of thing; it is read piece by piece, and not kept. */
export const MOST_PRINTED = 4 * 1024 * 1024 * 1024;

/**
 * Reads commits, newest first.
 *
 * @throws {RefraktError} `TOOL_FAILED` outside a git repository, `PERMISSION_DENIED` without the grant.
 */
export async function readCommits({ cwd, revision, path }: LogQuery): Promise<Commit[]> {
  const commits: Commit[] = [];
  const args = ["log", ...RAW, "-c", `--format=${FORMAT}`, revision, "--", path];
  const take = logReader((commit) => commits.push(commit));
  const result = await runGit(args, { cwd, limit: MOST_PRINTED, take });
  if (result.code !== 0) throw gitError(result, cwd);
  return commits;
}

/** Reads which files each of some commits removed, wherever in the repository. */
export async function readRemovals(
  cwd: string,
  hashes: readonly string[],
): Promise<Map<string, FileChange[]>> {
  const removed = new Map<string, FileChange[]>();
  for (let at = 0; at < hashes.length; at += MOST_NAMED) {
    const some = hashes.slice(at, at + MOST_NAMED);
    const args = ["log", ...RAW, "--no-walk", "--diff-filter=D", `--format=${FORMAT}`, ...some];
    const take = logReader(({ hash, changes }) => removed.set(hash, changes));
    const result = await runGit(args, { cwd, limit: MOST_PRINTED, take });
    if (result.code !== 0) throw gitError(result, cwd);
  }
  return removed;
}

/** What a directory is in its repository. */
export interface RepositoryFacts {
  /** The commit that is checked out. */
  readonly head: string;
  /** The directory as git writes it: relative to the root, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** Whether the repository holds only a part of its history. */
  readonly shallow: boolean;
}

/** Asks git about a directory. */
export async function readRepository(cwd: string): Promise<RepositoryFacts> {
  const questions = ["--is-shallow-repository", "--show-prefix", "HEAD"];
  // A log reads more files of .git than rev-parse does. Any of them may be a pipe that nobody
  // writes to, so both have to answer soon; the history itself may take longer.
  const options = { cwd, timeoutMs: QUICK_MS };
  const [result, logged] = await Promise.all([
    runGit(["rev-parse", ...questions], options),
    runGit(["log", "-1", `--format=${FORMAT}`], options),
  ]);
  for (const each of [result, logged]) if (each.code !== 0) throw gitError(each, cwd);
  const [shallow, prefix, head] = new TextDecoder().decode(result.stdout).split("\n");
  return { shallow: shallow === "true", prefix: prefix!, head: head! };
}

/** Whether a commit is one of those that led to another. */
export async function isAncestor(cwd: string, commit: string, of: string): Promise<boolean> {
  const { code } = await runGit(["merge-base", "--is-ancestor", commit, of], { cwd });
  return code === 0;
}

/** Reads which files below a directory differ between two commits. */
export async function readDifference(
  cwd: string,
  from: string,
  to: string,
): Promise<FileChange[]> {
  const result = await runGit(["diff-tree", "-r", ...RAW, from, to, "--", "."], { cwd });
  if (result.code !== 0) throw gitError(result, cwd);
  const tokens = new TextDecoder().decode(result.stdout).split("\0");
  return tokens.flatMap((line, at) =>
    at % 2 === 0 && line !== "" ? changeOf(line, tokens[at + 1]!) ?? [] : []
  );
}

/** Reads which files below a directory are different in each of some commits, in one call of git. */
export async function readDifferences(
  cwd: string,
  from: string,
  commits: readonly string[],
): Promise<Commit[]> {
  const differences: Commit[] = [];
  const args = ["diff-tree", "--stdin", "-r", ...RAW, `--format=${FORMAT}`, "--", "."];
  const take = logReader((commit) => differences.push(commit));
  // Git compares each commit with the parents that its line names.
  const input = commits.map((commit) => `${commit} ${from}\n`).join("");
  const result = await runGit(args, { cwd, input, limit: MOST_PRINTED, take });
  if (result.code !== 0) throw gitError(result, cwd);
  return differences;
}

/** Reads the blobs of a commit below a directory, by the files' paths in the repository. */
export async function readTree(cwd: string, commit: string): Promise<Map<string, string>> {
  const args = ["ls-tree", "-r", "-z", "--full-name", commit, "--", "."];
  const result = await runGit(args, { cwd });
  if (result.code !== 0) throw gitError(result, cwd);
  const rows = new TextDecoder().decode(result.stdout).split("\0").filter((row) => row !== "");
  return new Map(rows.map((row) => {
    const [facts, path] = [row.slice(0, row.indexOf("\t")), row.slice(row.indexOf("\t") + 1)];
    return [path, facts.split(" ")[2]!];
  }));
}

/** The newest commit that two share; `undefined` where their histories are separate. */
export async function mergeBase(cwd: string, one: string, other: string) {
  const result = await runGit(["merge-base", one, other], { cwd });
  if (result.code > 1) throw gitError(result, cwd);
  return new TextDecoder().decode(result.stdout).trim() || undefined;
}

/**
 * Cuts the output of `git log -z --raw` into commits as it comes.
 *
 * @param take Is given each commit when its header has come; its changes are added to it.
 */
function logReader(take: (commit: Commit) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let line: string | undefined;
  let commit: Commit | undefined;
  return (piece) => {
    const tokens = (rest + decoder.decode(piece, { stream: true })).split("\0");
    rest = tokens.pop()!;
    for (const token of tokens) {
      if (line !== undefined) {
        const change = changeOf(line, token);
        if (change !== undefined) commit?.changes.push(change);
        line = undefined;
        continue;
      }
      const start = token.replace(/^\n+/, "");
      if (start.startsWith(":")) line = start;
      if (!start.startsWith("\x01")) continue;
      const [hash, parents, date, author, ...subject] = start.slice(1).split("\x02");
      // What is kept of a commit must not keep the output alive.
      const said = detached({
        hash: hash!,
        date: date!,
        author: author!,
        message: subject.join(" "),
      });
      commit = { ...said, isMerge: parents!.includes(" "), changes: [] };
      take(commit);
    }
  };
}

/** A line of the raw format: a colon a parent, modes, blobs, and a letter a parent. */
function changeOf(line: string, path: string): FileChange | undefined {
  const parents = /^:+/.exec(line)![0].length;
  const words = line.slice(parents).split(" ");
  const blobs = words.slice(parents + 1, 2 * parents + 2);
  const after = exists(blobs.at(-1)!) ? blobs.at(-1)! : undefined;
  const before = blobs.slice(0, -1).filter(exists);
  if (parents > 1) return { kind: "merge", path, before, after };
  const letter = words.at(-1)![0]!;
  if (letter === "D") return { kind: "D", path, before, after: undefined };
  if (letter !== "A" && letter !== "M") return undefined;
  return { kind: letter, path, before, after };
}

function exists(blob: string): boolean {
  return !/^0+$/.test(blob);
}

/** A copy whose strings are their own: a part of a string keeps the whole of it alive. */
export function detached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
