/** The branches and worktrees of a repository, and how old its view of the remotes is. */

import { join, resolve } from "node:path";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { askGit, gitError, type GitPlace } from "../../../src/io/git_ask.ts";
import { gitFolders, repositoryOf, textIn } from "../../../src/io/git_settings.ts";
import type { Memo } from "../../../src/io/memo.ts";
import { modifiedAt, noteUntil } from "../../../src/io/reads.ts";
import { quotedName, shortLine } from "../../../src/plain_text.ts";
import { emptyTree } from "../../../src/io/git_trees.ts";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { durationWords } from "../entity/durations.ts";
import { detached } from "../entity/tag.ts";
import { DATE_FIELD, leftOutSentences, MISSING, readCommitFields, walkCommits } from "./commits.ts";

/** A folder with a checked-out commit. */
export type Worktree = Readonly<ReturnType<typeof worktreeOf>[number]>;

export type Refs = Readonly<Awaited<ReturnType<typeof refsOf>>>;

/** How many branches are listed. */
const MOST_REFS = 100_000;
/** The branch of a claim or id, whose commit has no files. */
const RECORD = /(?:^|\/)(?:claims|ids)\/[^/]+$/;

const WORKTREES = ["worktree", "list", "--porcelain"];

/** A folder of a repository, with the values of its project. */
export interface MemoPlace extends GitPlace {
  readonly memo: Memo;
}

/**
 * Reads the branches and worktrees; the same object while they do not change. A broken ref ends
 * git's own listing with dates.
 */
export async function readRefs(place: MemoPlace) {
  const format = "--format=%(objectname)%00%(refname)%00%(symref)";
  const count = `--count=${MOST_REFS + 1}`;
  const args = ["for-each-ref", count, format, "refs/heads/", "refs/remotes/"];
  const [listed, printed] = await Promise.all([
    runGit(args, { ...place, timeoutMs: QUICK_MS }),
    askGit(WORKTREES, place),
  ]);
  if (listed.code !== 0) throw gitError(listed, place.cwd);
  const refs = new TextDecoder().decode(listed.stdout);
  const make = () => refsOf(place, refs, listed.stderr, printed);
  return await place.memo(["refs", place.cwd, refs, listed.stderr, printed], make, { most: 2 });
}

async function refsOf(place: GitPlace, listed: string, complaints: string, printed: string) {
  const lines = listed.split("\n").filter((line) => line !== "");
  const refs = lines.slice(0, MOST_REFS).flatMap((line) => {
    const [commit, ref = "", target] = line.split("\0");
    const [, kind, name] = /^refs\/(heads|remotes)\/(.*)$/.exec(ref) ?? [];
    // origin/HEAD only points to another branch.
    if (name === undefined || target !== "") return [];
    // Copies that do not keep git's output in memory.
    return [detached({ name, commit: commit!, isRemote: kind === "remotes" })];
  });
  const tips = [...new Set(refs.map(({ commit }) => commit))];
  const { values, unread } = await readCommitFields(
    place,
    tips,
    [DATE_FIELD, "%T"],
    ([date = "", tree = ""]) => ({ date, isEmpty: tree === emptyTree(tree) }),
  );
  const branches = refs.flatMap((ref) => {
    const tip = values.get(ref.commit);
    // Where a host accepts pushes to branches only, claims and ids are branches.
    if (tip === undefined || tip.isEmpty && RECORD.test(ref.name)) return [];
    return [{ ...ref, date: tip.date }];
  }).sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  const missing = refs.flatMap(({ name, commit }) => {
    const reason = unread.get(commit);
    if (reason === undefined) return [];
    const why = reason === MISSING
      ? "its commit is missing"
      : `its commit ${commit.slice(0, 7)} is not read: ${reason}`;
    return [`The branch ${quotedName(name)}: ${why}`];
  });
  const broken = Array.from(
    complaints.matchAll(/ignoring (?:broken ref|ref with broken name) refs\/\w+\/(.*)$/gm),
    ([, name]) => name!,
  );
  // Missing commits may be fetched later.
  if (unread.values().some((reason) => reason === MISSING)) noteUntil(0);
  return {
    // Local and remote-tracking ones, such as `feature/x` and `origin/feature/x`, newest first.
    branches,
    // The main one first; a bare repository is none.
    worktrees: printed.split("\n\n").flatMap(worktreeOf),
    // Sentences about broken branches, which are skipped.
    leftOut: [
      ...missing,
      ...broken.map((name) => `The branch ${quotedName(name)}: its ref is broken`),
      ...lines.length > MOST_REFS ? [`Only the first ${MOST_REFS} branches are read`] : [],
    ],
  };
}

/** Reads the worktrees only. */
export async function readWorktrees(place: GitPlace): Promise<Worktree[]> {
  return (await askGit(WORKTREES, place)).split("\n\n").flatMap(worktreeOf);
}

/** The branch that is checked out, as its file says; `undefined` for a commit without one. */
export function branchOf(dir: string): string | undefined {
  const root = repositoryOf(dir);
  const [folder] = root === undefined ? [] : gitFolders(root);
  const head = folder === undefined ? undefined : textIn(join(folder, "HEAD"));
  const [, name] = /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? "") ?? [];
  return name && shortLine(name, 120);
}

/** Commits with their parents. */
type Parents = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the commits that HEAD does not contain, `undefined` if the history is damaged, and sentences
 * about those that were not read.
 */
export async function commitsAhead(place: GitPlace, head: string, tips: readonly string[]) {
  try {
    const walk = await walkCommits(place, tips, [head]);
    const ahead: Parents = new Map([...walk.commits].map(([hash, { parents }]) => [hash, parents]));
    return { ahead, leftOut: leftOutSentences(walk) };
  } catch (error) {
    if (!(error instanceof RefraktError) || error.code === "TIMEOUT") throw error;
    return { ahead: undefined, leftOut: [] };
  }
}

/** Finds the merge base of HEAD and a commit, without git unless there are several candidates. */
export async function mergeBase(place: GitPlace, head: string, commit: string, ahead?: Parents) {
  const reached = new Set([commit]);
  for (const hash of reached) ahead?.get(hash)?.forEach((parent) => reached.add(parent));
  const [base, ...others] = [...reached].filter((hash) => !ahead?.has(hash));
  if (ahead !== undefined && others.length === 0) return base;
  const result = await runGit(["merge-base", head, commit], place);
  if (result.code === 0) return new TextDecoder().decode(result.stdout).trim();
  if (result.code === 1) return undefined;
  // Git cannot tell if a commit on the way is too large for it.
  if (ahead === undefined) throw gitError(result, place.cwd);
  return base;
}

/** The path comes from git's own files: untrusted. A detached HEAD has no branch. */
function worktreeOf(block: string) {
  const [, path] = /^worktree (.*)$/m.exec(block) ?? [];
  const [, commit] = /^HEAD ([0-9a-f]+)$/m.exec(block) ?? [];
  const [, branch] = /^branch refs\/heads\/(.*)$/m.exec(block) ?? [];
  // Git calls one "prunable" whose folder is gone.
  if (path === undefined || commit === undefined || /^prunable/m.test(block)) return [];
  return [{ path, commit, branch }];
}

/**
 * Says when the remote was last fetched, such as `origin was last fetched 3 days ago`.
 *
 * @param place A folder of the repository.
 * @returns `undefined` without remote-tracking branches, or where `.git` is unreadable.
 */
export async function remoteAge(place: GitPlace): Promise<string | undefined> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"];
  const refs = await askGit(args, place);
  const [, name] = /^refs\/remotes\/([^/\n]+)\//.exec(refs) ?? [];
  if (name === undefined) return undefined;
  // A clone writes the second file, a fetch the first.
  const paths = ["FETCH_HEAD", `refs/remotes/${name}/HEAD`];
  const asked = paths.flatMap((path) => ["--git-path", path]);
  const printed = await askGit(["rev-parse", ...asked], place);
  const times = printed.trim().split("\n")
    .map((path) => orElse(() => modifiedAt(Deno.statSync(resolve(place.cwd, path))), 0));
  const last = Math.max(...times);
  if (last === 0) return undefined;
  return `${quotedName(name)} was last fetched ${durationWords(Date.now() - last)} ago`;
}
