/** Reads the commits that changed a plan, and the versions of its files, with a few git calls. */

import { RefraktError } from "../../../src/errors.ts";
import {
  type GitOptions,
  type GitResult,
  type GitTrouble,
  gitTrouble,
  QUICK_MS,
  runGit,
} from "../../../src/io/git.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { detached } from "../entity/tag.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { plainLine } from "../../../src/plain_text.ts";

/** Where git runs, and the signal of the call that it runs for. */
export type GitPlace = Pick<GitOptions, "cwd" | "signal">;

/** One file that a commit changed. Paths are relative to the repository. */
export interface FileChange {
  /** Added, modified, deleted, or changed by a merge to something that no parent has. */
  readonly kind: "A" | "M" | "D" | "merge";
  readonly path: string;
  /** The blobs before: one per parent, none for an added file. */
  readonly before: readonly string[];
  /** The blob after; `undefined` for a deleted file. */
  readonly after: string | undefined;
}

export interface Commit {
  readonly hash: string;
  /** The author date, ISO 8601. */
  readonly date: string;
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  readonly isMerge: boolean;
  /** For a merge: the files that differ from all of its parents. */
  readonly changes: FileChange[];
}

const NEWLINE = 10;
const FORMAT = "%x01%H%x02%P%x02%aI%x02%aN%x02%s";
/** Renames are detected by entity id instead. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
/** The longest author and first line of a message, in characters. */
const [MOST_AUTHOR, MOST_SUBJECT] = [200, 1000];
/** The most output of git in bytes: of commits, and of blobs, which are streamed. */
const [MAX_COMMITS, MAX_TEXTS] = [512 * 1024 * 1024, 4 * 1024 * 1024 * 1024];

/** Reads the commits of a revision or range that changed a folder, newest first. */
export async function readCommits(place: GitPlace, revision: string): Promise<Commit[]> {
  const args = ["log", ...RAW, "-c", `--format=${FORMAT}`, revision, "--", "."];
  return await commitsOf(args, place);
}

/** A commit and the one that it is compared with. */
export type Pair = readonly [commit: string, from: string];

/**
 * Returns which files below a directory differ in each of several pairs of commits. One git call
 * reads them all; if it fails, each is read alone, and `failed` has those that git cannot read.
 */
export async function readDifferences(
  place: GitPlace,
  pairs: readonly Pair[],
): Promise<{ differences: Commit[]; failed: Map<string, string> }> {
  const failed = new Map<string, string>();
  try {
    return { differences: await differencesOf(place, pairs), failed };
  } catch (error) {
    if (place.signal?.aborted || !(error instanceof RefraktError)) throw error;
  }
  const differences: Commit[] = [];
  for (const [commit, from] of pairs) {
    try {
      differences.push(...await differencesOf(place, [[commit, from]]));
    } catch (error) {
      if (place.signal?.aborted || !(error instanceof RefraktError)) throw error;
      failed.set(commit, error.message);
    }
  }
  return { differences, failed };
}

async function differencesOf(place: GitPlace, pairs: readonly Pair[]): Promise<Commit[]> {
  if (pairs.length === 0) return [];
  const args = ["diff-tree", "--stdin", "-r", ...RAW, `--format=${FORMAT}`, "--", "."];
  // Git compares each commit with the parents that its line lists.
  const input = pairs.map(([commit, from]) => `${commit} ${from}\n`).join("");
  return await commitsOf(args, { ...place, input });
}

async function commitsOf(args: readonly string[], options: GitOptions): Promise<Commit[]> {
  const result = await runGit(args, { ...options, limit: MAX_COMMITS });
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
      // A copy that does not keep git's output in memory.
      const copy = detached({
        hash: hash!,
        date: date!,
        author: plainLine(author!, MOST_AUTHOR),
        message: plainLine(subject.join(" "), MOST_SUBJECT),
      });
      commits.push({ ...copy, isMerge: parents!.includes(" "), changes: [] });
    }
  }
  return commits;
}

/** The position of a directory in its repository. */
export interface RepositoryFacts {
  readonly head: string;
  /** The directory relative to the root, with a trailing slash; empty for the root. */
  readonly prefix: string;
  readonly shallow: boolean;
}

export async function readRepository(place: GitPlace): Promise<RepositoryFacts> {
  const questions = ["--is-shallow-repository", "--show-prefix", "HEAD"];
  // `log` reads more files of .git than `rev-parse`. Any of them may be a pipe without a writer,
  // so both get a short timeout; reading the history may take longer.
  const options = { ...place, timeoutMs: QUICK_MS };
  const [result, logged] = await Promise.all([
    runGit(["rev-parse", ...questions], options),
    runGit(["log", "-1", `--format=${FORMAT}`], options),
  ]);
  for (const each of [result, logged]) if (each.code !== 0) throw gitError(each, place.cwd);
  const [shallow, prefix, head] = new TextDecoder().decode(result.stdout).split("\n");
  return { shallow: shallow === "true", prefix: prefix!, head: head! };
}

export async function isAncestor(place: GitPlace, commit: string, of: string): Promise<boolean> {
  const { code } = await runGit(["merge-base", "--is-ancestor", commit, of], place);
  return code === 0;
}

/** Returns the output of git in a directory. */
export async function askGit(
  args: readonly string[],
  place: GitPlace,
  timeoutMs: number = QUICK_MS,
): Promise<string> {
  const result = await runGit(args, { ...place, timeoutMs });
  if (result.code !== 0) throw gitError(result, place.cwd);
  return new TextDecoder().decode(result.stdout);
}

/** Returns the blobs of a commit below a directory, by path in the repository. */
export async function readTree(place: GitPlace, commit: string): Promise<Map<string, string>> {
  const printed = await askGit(["ls-tree", "-r", "-z", "--full-name", commit, "--", "."], place);
  return new Map(
    printed.split("\0").flatMap((row) => {
      const [, blob, path] = /^\S+ \S+ (\S+)\t([^]*)$/.exec(row) ?? [];
      return blob === undefined ? [] : [[path!, blob]];
    }),
  );
}

/** Parses a line of the raw format: one colon per parent, modes, blobs, one letter per parent. */
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
 * Reads blobs with one git call. Missing blobs, and blobs above the size limit of entities, are
 * empty.
 */
export async function readBlobs(
  place: GitPlace,
  hashes: Iterable<string>,
  take: (hash: string, text: string) => void,
): Promise<void> {
  const wanted = [...new Set(hashes)];
  if (wanted.length === 0) return;
  const input = `${wanted.join("\n")}\n`;
  const options = { ...place, input, limit: MAX_TEXTS, take: blobReader(take) };
  const result = await runGit(["cat-file", "--batch"], options);
  if (result.code !== 0) throw gitError(result, place.cwd);
}

/** Splits the output of `cat-file --batch` into texts as it arrives. */
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
        // A missing blob has no content line.
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

/** The message and hint for each known failure of git. */
const TROUBLE: Readonly<Record<GitTrouble, readonly [message: string, hint: string]>> = {
  noRepository: [
    "The project is not in a git repository",
    "History comes from git: run git init, then commit the plan.",
  ],
  noCommits: [
    "The git repository has no commits yet",
    "Commit the plan: its history begins with the first commit.",
  ],
  otherOwner: [
    "The git repository belongs to another user",
    "Git does not read repositories of other users: run the server as the owner.",
  ],
  notFetched: [
    "The clone is partial: some older commits are missing, and the server does not download them",
    "Fetch them: git fetch --refetch --no-filter.",
  ],
  folderGone: ["The plan's directory was removed while git was reading it", "Call again."],
};

/** Whether an error means that there is no repository, or that it has no commits. */
export function isWithoutHistory({ message }: Error): boolean {
  return message === TROUBLE.noRepository[0] || message === TROUBLE.noCommits[0];
}

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
