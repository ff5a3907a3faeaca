/**
 * The commits that changed a plan, and the texts that they left, read from the plan's own
 * repository in a few calls of git, however many there are.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { RefraktError } from "../../src/errors.ts";
import { type GitOptions, type GitResult, QUICK_MS, runGit } from "../../src/io/git.ts";
import { type GitTrouble, gitTrouble } from "../../src/io/git_messages.ts";
import { repositoryOf } from "../../src/io/git_settings.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";

/** One file changed by one commit; paths are those of the repository. */
export interface FileChange {
  /** Added, changed, removed, or changed by a merge to what none of its parents has. */
  readonly kind: "A" | "M" | "D" | "merge";
  readonly path: string;
  /** The blobs before: one of each parent, none for a file that was added. */
  readonly before: readonly string[];
  /** The blob after; `undefined` for a file that was removed. */
  readonly after: string | undefined;
}

/** One commit with what it changed. */
export interface Commit {
  readonly hash: string;
  /** The author's, ISO 8601. */
  readonly date: string;
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  readonly isMerge: boolean;
  /** The files; of a merge those that are as in none of its parents. */
  readonly changes: FileChange[];
}

const NEWLINE = 10;
const FORMAT = "%x01%H%x02%P%x02%aI%x02%aN%x02%s";
/** Renames are found by the ids of entities, which git does not know. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
/** How much git may print of commits, and of texts, which are read piece by piece. */
const [MOST_COMMITS, MOST_TEXTS] = [512 * 1024 * 1024, 4 * 1024 * 1024 * 1024];

/** Reads the commits of a revision or range that changed a folder, newest first. */
export async function readCommits(cwd: string, revision: string): Promise<Commit[]> {
  const args = ["log", ...RAW, "-c", `--format=${FORMAT}`, revision, "--", "."];
  return await commitsOf(args, { cwd });
}

/** Reads which files below a directory are different in each of some commits, in one call of git. */
export async function readDifferences(
  cwd: string,
  from: string,
  commits: readonly string[],
): Promise<Commit[]> {
  const args = ["diff-tree", "--stdin", "-r", ...RAW, `--format=${FORMAT}`, "--", "."];
  // Git compares each commit with the parents that its line names.
  const input = commits.map((commit) => `${commit} ${from}\n`).join("");
  return await commitsOf(args, { cwd, input });
}

async function commitsOf(args: readonly string[], options: GitOptions): Promise<Commit[]> {
  const result = await runGit(args, { ...options, limit: MOST_COMMITS });
  if (result.code !== 0) throw gitError(result, options.cwd);
  const commits: Commit[] = [];
  const tokens = new TextDecoder().decode(result.stdout).split("\0").values();
  for (const token of tokens) {
    const start = token.replace(/^\n+/, "");
    if (start.startsWith(":")) {
      const change = changeOf(start, tokens.next().value!);
      if (change !== undefined) commits.at(-1)?.changes.push(change);
    } else if (start.startsWith("\x01")) {
      const [hash, parents, date, author, ...subject] = start.slice(1).split("\x02");
      // What is kept of a commit must not keep the output alive.
      const said = detached({
        hash: hash!,
        date: date!,
        author: author!,
        message: subject.join(" "),
      });
      commits.push({ ...said, isMerge: parents!.includes(" "), changes: [] });
    }
  }
  return commits;
}

/** What a directory is in its repository. */
export interface RepositoryFacts {
  readonly head: string;
  /** The directory from the root, with a slash at the end; empty for the root. */
  readonly prefix: string;
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

/** What git prints in a directory. */
export async function askGit(
  args: readonly string[],
  cwd: string,
  timeoutMs: number = QUICK_MS,
): Promise<string> {
  const result = await runGit(args, { cwd, timeoutMs });
  if (result.code !== 0) throw gitError(result, cwd);
  return new TextDecoder().decode(result.stdout);
}

/** Reads which files below a directory differ between two commits. */
export async function readDifference(cwd: string, from: string, to: string): Promise<FileChange[]> {
  const printed = await askGit(["diff-tree", "-r", ...RAW, from, to, "--", "."], cwd);
  const tokens = printed.split("\0");
  return tokens.flatMap((line, at) =>
    at % 2 === 0 && line !== "" ? changeOf(line, tokens[at + 1]!) ?? [] : []
  );
}

/** Reads the blobs of a commit below a directory, by the files' paths in the repository. */
export async function readTree(cwd: string, commit: string): Promise<Map<string, string>> {
  const printed = await askGit(["ls-tree", "-r", "-z", "--full-name", commit, "--", "."], cwd);
  return new Map(
    printed.split("\0").flatMap((row) => {
      const [, blob, path] = /^\S+ \S+ (\S+)\t([^]*)$/.exec(row) ?? [];
      return blob === undefined ? [] : [[path!, blob]];
    }),
  );
}

/** A line of the raw format: a colon a parent, modes, blobs, and a letter a parent. */
function changeOf(line: string, path: string): FileChange | undefined {
  const parents = /^:+/.exec(line)![0].length;
  const words = line.slice(parents).split(" ");
  const blobs = words.slice(parents + 1, 2 * parents + 2)
    .map((blob) => /^0+$/.test(blob) ? undefined : blob);
  const after = blobs.pop();
  const before = blobs.filter((blob) => blob !== undefined);
  if (parents > 1) return { kind: "merge", path, before, after };
  const kind = words.at(-1);
  return kind === "A" || kind === "M" || kind === "D" ? { kind, path, before, after } : undefined;
}

/**
 * The hash that git gives a text with LF line ends.
 *
 * @param digits How long the repository's hashes are.
 */
export function hashOf(text: string, digits: number): string {
  const bytes = new TextEncoder().encode(text);
  const hash = createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A copy whose strings are their own: a part of a string keeps the whole of it alive. */
export function detached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Reads the texts of blobs in one call of git. A blob that is missing, and one that is larger than
 * any entity, is empty.
 */
export async function readBlobs(
  cwd: string,
  hashes: Iterable<string>,
  take: (hash: string, text: string) => void,
): Promise<void> {
  const wanted = [...new Set(hashes)];
  if (wanted.length === 0) return;
  const input = `${wanted.join("\n")}\n`;
  const options = { cwd, input, limit: MOST_TEXTS, take: blobReader(take) };
  const result = await runGit(["cat-file", "--batch"], options);
  if (result.code !== 0) throw gitError(result, cwd);
}

/** Cuts the output of `cat-file --batch` into texts as it comes. */
export function blobReader(
  take: (hash: string, text: string) => void,
): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let held = new Uint8Array(128 * 1024);
  let length = 0;
  let skipped = 0;
  return (piece) => {
    if (length + piece.length > held.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(held.subarray(0, length));
      held = larger;
    }
    held.set(piece, length);
    length += piece.length;
    let at = 0;
    for (;;) {
      const over = Math.min(skipped, length - at);
      at += over;
      skipped -= over;
      const end = held.subarray(0, length).indexOf(NEWLINE, at);
      if (end === -1) break;
      const [hash, , size] = decoder.decode(held.subarray(at, end)).split(" ");
      const bytes = Number(size ?? 0);
      const start = end + 1;
      if (size === undefined || bytes > SIZE_LIMITS.plan) {
        take(hash!, "");
        at = start;
        // A missing blob has no text, and no line end after it.
        skipped = size === undefined ? 0 : bytes + 1;
        continue;
      }
      if (start + bytes >= length) break;
      take(hash!, decoder.decode(held.subarray(start, start + bytes)));
      at = start + bytes + 1;
    }
    held.copyWithin(0, at, length);
    length -= at;
  };
}

/** The message and the hint for each of git's sentences. */
const TROUBLE: Readonly<Record<GitTrouble, readonly [message: string, hint: string]>> = {
  noRepository: [
    "The project is not in a git repository",
    "History comes from git: run git init and commit the plan.",
  ],
  noCommits: [
    "The git repository has no commits yet",
    "Commit the plan; its history begins there.",
  ],
  otherOwner: [
    "The git repository belongs to another user",
    "Git reads no repository of another user: run the server as its owner.",
  ],
  notFetched: [
    "The clone is partial: older commits are not all in it, and nothing is downloaded here",
    "Fetch them: git fetch --refetch --no-filter.",
  ],
  folderGone: ["The plan's directory was removed while git was reading it", "Call again."],
};

/** Whether an error says that there is no repository, or that it has no commits. */
export function isWithoutHistory({ message }: Error): boolean {
  return message === TROUBLE.noRepository[0] || message === TROUBLE.noCommits[0];
}

/** The error for a run of git that failed in a directory. */
export function gitError(result: Pick<GitResult, "code" | "stderr">, cwd: string): RefraktError {
  const trouble = gitTrouble(result.stderr);
  const [message, hint] = trouble === "noRepository" && repositoryOf(cwd) !== undefined
    ? ["The git repository is damaged: git does not accept it", "Run git status; see .git/HEAD."]
    : trouble !== undefined
    ? TROUBLE[trouble]
    : [
      `Git failed: ${result.stderr.trim().split("\n")[0] || `exit code ${result.code}`}`,
      "Run git log in a terminal to see what is wrong with the repository.",
    ];
  return new RefraktError("TOOL_FAILED", message, { hint });
}
