/**
 * The commits that changed a plan, and the texts of the files that they changed, read
 * from the plan's own repository in a few calls of git, however many commits there are.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { type GitResult, runGit } from "../../src/io/git.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { detached } from "./store/stored_entity.ts";

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
  /** The files. */
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

const FORMAT = "%x01%H%x02%aI%x02%aN%x02%s";
/** Renames are found by the ids of entities, which git does not know. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
const NEWLINE = 10;
/** How many commits are named in one call. */
const MOST_NAMED = 400;
/** What git says where a partial clone lacks something. */
const PROMISED = /promisor|lazy fetch/i;
/** How much git may print of one kind of thing; it is read piece by piece, and not kept. */
const MOST_PRINTED = 4 * 1024 * 1024 * 1024;

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
  if (result.code !== 0) throw gitError(result);
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
    if (result.code !== 0) throw gitError(result);
  }
  return removed;
}

/**
 * Reads blobs by their hashes.
 *
 * @param take Is given each text; `undefined` for a blob that the clone does not have. What is
 * larger than any entity is empty.
 */
export async function readBlobs(
  cwd: string,
  hashes: Iterable<string>,
  take: (hash: string, text: string | undefined) => void,
): Promise<void> {
  const wanted = new Set(hashes);
  const read = async () => {
    if (wanted.size === 0) return undefined;
    const result = await runGit(["cat-file", "--batch"], {
      cwd,
      input: `${[...wanted].join("\n")}\n`,
      limit: MOST_PRINTED,
      take: blobReader((hash, text) => {
        wanted.delete(hash);
        take(hash, text);
      }),
    });
    return result.code === 0 ? undefined : result;
  };
  let failed = await read();
  if (failed !== undefined && PROMISED.test(failed.stderr)) {
    // Git stops at the first blob that it would have to download, so it is not asked for those.
    const here = await localObjects(cwd);
    for (const hash of [...wanted]) {
      if (here.has(hash)) continue;
      wanted.delete(hash);
      take(hash, undefined);
    }
    failed = await read();
  }
  if (failed !== undefined) throw gitError(failed);
}

/** The hashes of the objects that a clone has. */
async function localObjects(cwd: string): Promise<Set<string>> {
  const result = await runGit(
    ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"],
    { cwd, limit: 512 * 1024 * 1024 },
  );
  if (result.code !== 0) throw gitError(result);
  return new Set(new TextDecoder().decode(result.stdout).split("\n"));
}

/**
 * Cuts the output of `cat-file --batch` into texts as it comes.
 *
 * @param take Is given each hash and text.
 */
export function blobReader(
  take: (hash: string, text: string | undefined) => void,
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
      const [hash, type, size] = decoder.decode(held.subarray(at, end)).split(" ");
      if (type === "missing" || size === undefined) {
        take(hash!, undefined);
        at = end + 1;
        continue;
      }
      const textEnd = end + 1 + Number(size);
      if (Number(size) > SIZE_LIMITS.plan) {
        take(hash!, "");
        skipped = Number(size) + 1;
        at = end + 1;
        continue;
      }
      if (textEnd >= length) break;
      take(hash!, decoder.decode(held.subarray(end + 1, textEnd)));
      at = textEnd + 1;
    }
    held.copyWithin(0, at, length);
    length -= at;
  };
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
  const result = await runGit(["rev-parse", ...questions], { cwd });
  if (result.code !== 0) throw gitError(result);
  const [shallow, prefix, head] = new TextDecoder().decode(result.stdout).split("\n");
  return { shallow: shallow === "true", prefix: prefix!, head: head! };
}

/** Whether a commit is one of those that led to another. */
export async function isAncestor(cwd: string, commit: string, of: string): Promise<boolean> {
  const { code } = await runGit(["merge-base", "--is-ancestor", commit, of], { cwd });
  return code === 0;
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
      const [hash, date, author, ...subject] = start.slice(1).split("\x02");
      // What is kept of a commit must not keep the output alive.
      const said = detached({
        hash: hash!,
        date: date!,
        author: author!,
        message: subject.join(" "),
      });
      commit = { ...said, changes: [] };
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

/** What git's complaints mean: the pattern, what to say, what to do. The text is git's own, in English. */
const COMPLAINTS: readonly (readonly [RegExp, string, string])[] = [
  [
    /not a git repository/i,
    "The project is not in a git repository",
    "History comes from git: run git init and commit the plan.",
  ],
  [
    /does not have any commits yet|bad default revision|ambiguous argument 'HEAD'/,
    "The git repository has no commits yet",
    "Commit the plan; its history begins there.",
  ],
  [
    /dubious ownership/,
    "The git repository belongs to another user",
    "Git reads no repository of another user: run the server as its owner.",
  ],
  [
    /promisor|lazy fetch|unable to read tree|bad tree object|missing tree/i,
    "The clone is partial: folders of older commits are not in it, and nothing is downloaded here",
    "Fetch them: git fetch --refetch --no-filter.",
  ],
  [
    /unable to read current working directory|cannot change to/i,
    "The plan's directory was removed while git was reading it",
    "Call again; if it was made again, the next call finds it.",
  ],
];

function gitError(result: GitResult): RefraktError {
  const said = result.stderr.trim();
  for (const [pattern, message, hint] of COMPLAINTS) {
    if (pattern.test(said)) return new RefraktError("TOOL_FAILED", message, { hint });
  }
  return new RefraktError("TOOL_FAILED", `Git failed: ${said.split("\n")[0] ?? result.code}`, {
    hint: "Run git log in a terminal to see what is wrong with the repository.",
  });
}
