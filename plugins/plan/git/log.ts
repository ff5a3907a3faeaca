/** Reads the commits that changed a plan, and the versions of its files, with a few git calls. */

import { join } from "node:path";
import { RefraktError } from "../../../src/errors.ts";
import { gitFolders, repositoryOf } from "../../../src/io/git_settings.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { fileStamp } from "../../../src/io/reads.ts";
import { countAndLimit, shortLine } from "../../../src/plain_text.ts";
import { askGit, gitError, type GitPlace } from "../../../src/io/git_ask.ts";
import { emptyTree, planTrees, treeIn } from "../../../src/io/git_trees.ts";
import type { MemoPlace } from "./refs.ts";
import {
  type CommitWalk,
  DATE_FIELD,
  leftOutSentences,
  readCommitFields,
  walkCommits,
} from "./commits.ts";
import {
  type Comparison,
  differencesOf,
  type FileChange,
  MOST_DIFFERENCES,
} from "./differences.ts";

export interface Commit {
  readonly hash: string;
  /** {@linkcode DATE_FIELD} */
  readonly date: string;
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  /** For a merge: the files that differ from all of its parents. */
  readonly changes: readonly FileChange[];
  /** The changes to each parent of a merge, if a file may have another name in one of them. */
  readonly sides?: readonly (readonly FileChange[])[] | undefined;
}

const TOO_MANY = `More than ${MOST_DIFFERENCES / 1000},000 files differ in the commits together`;
const NOTHING_BEFORE = "What came before cannot be read";
/** The longest author and first line of a message, in characters. */
const [MOST_AUTHOR, MOST_SUBJECT] = [200, 1000];
/** How many parents are compared with a commit, and among how many ancestors they are searched. */
const [MOST_PARENTS, MOST_REACHED] = [32, 1000];

/** The commits of a range that changed a plan. */
export type PlanCommits = Awaited<ReturnType<typeof readCommits>>;

/**
 * Reads the commits that changed the plan's folder. A commit whose folder may not be read is left
 * out: its children are compared with its parents.
 *
 * @param since Only commits that this one does not contain.
 * @param most How many commits are walked.
 */
export async function readCommits(
  place: GitPlace,
  heads: readonly string[],
  since?: string,
  most?: number,
) {
  const turn = turnTaker(place.signal ?? new AbortController().signal);
  const walk = await walkCommits(place, heads, since === undefined ? [] : [since], most);
  const { commits: walked } = walk;
  const leftOut = new Map(walk.leftOut);
  const treeName = (hash: string) => walked.get(hash)?.tree ?? hash;
  const hashes = new Set<string>();
  for (const { hash, parents } of walked.values()) {
    hashes.add(hash);
    for (const parent of parents) {
      if (!leftOut.has(parent) || walked.has(parent)) hashes.add(parent);
    }
    await turn();
  }
  const plan = await planTrees(place, hashes.values().map(treeName));
  const planTree = new Map<string, string>();
  let isWhole = true;
  for (const hash of hashes) {
    const tree = plan.trees.get(treeName(hash))!;
    if ("tree" in tree) planTree.set(hash, tree.tree);
    else leftOut.set(hash, tree.failed);
    isWhole &&= "tree" in tree || walked.has(hash) || since === undefined;
    await turn();
  }
  const changed = simplify(walked, planTree, heads, leftOut);
  const differences = await differencesOf(place, plan, changed);
  const { values: described, unread } = await readCommitFields(
    place,
    changed.map(({ hash }) => hash),
    [DATE_FIELD, "%aN", "%s"],
    ([date = "", author = "", message = ""], hash) => ({
      hash,
      date,
      author: shortLine(author, MOST_AUTHOR),
      message: shortLine(message, MOST_SUBJECT),
    }),
  );
  for (const [hash, reason] of unread) leftOut.set(hash, reason);
  const commits: Commit[] = [];
  for (const { hash, froms, to } of changed) {
    const changes = commitChanges(differences, froms, to);
    const commit = described.get(hash);
    if (changes === undefined) leftOut.set(hash, TOO_MANY);
    else if (commit !== undefined) commits.push({ ...commit, ...changes });
    await turn();
  }
  return {
    // Newest first.
    commits,
    // Commits that could not be read, as sentences.
    leftOut: leftOutSentences({ leftOut, isCut: walk.isCut && most === undefined }),
    // Whether the range has no merges.
    isLinear: [...walked.values()].every(({ parents }) => parents.length < 2),
    // Whether everything before the range could be compared with.
    isWhole,
  };
}

/**
 * Follows a history as `git log` does for a folder: from a merge only to the parent with the same
 * folder, if there is one. Returns the commits that changed the folder, in their order, with the trees
 * to compare.
 *
 * @param leftOut Receives the commits that cannot be compared, with the reason.
 */
function simplify(
  walked: CommitWalk["commits"],
  planTree: ReadonlyMap<string, string>,
  heads: readonly string[],
  leftOut: Map<string, string>,
): (Comparison & { readonly hash: string })[] {
  const reached = new Set(heads);
  const changed = new Map<string, Comparison>();
  for (const hash of reached) {
    const commit = walked.get(hash);
    if (commit === undefined) continue;
    const tree = planTree.get(hash);
    if (tree === undefined) {
      for (const parent of commit.parents) reached.add(parent);
      continue;
    }
    const parents = comparable(commit.parents, walked, planTree);
    if (parents.length === 0 && commit.parents.length > 0) {
      leftOut.set(hash, NOTHING_BEFORE);
      continue;
    }
    const same = parents.find((parent) => planTree.get(parent) === tree);
    if (same !== undefined) {
      reached.add(same);
      continue;
    }
    const froms = parents.map((parent) => planTree.get(parent)!);
    if (froms.length > 0) changed.set(hash, { to: tree, froms });
    else if (tree !== emptyTree(tree)) changed.set(hash, { to: tree, froms: [emptyTree(tree)] });
    for (const parent of parents) reached.add(parent);
  }
  return [...walked.keys()].flatMap((hash) => {
    const comparison = changed.get(hash);
    return comparison === undefined ? [] : [{ hash, ...comparison }];
  });
}

/** Returns the nearest ancestors that may be compared with, in place of those that may not. */
function comparable(
  parents: readonly string[],
  walked: CommitWalk["commits"],
  planTree: ReadonlyMap<string, string>,
): string[] {
  const reached = new Set(parents);
  const nearest: string[] = [];
  let rest = MOST_REACHED;
  for (const hash of reached) {
    if (nearest.length >= MOST_PARENTS || rest-- === 0) break;
    if (planTree.has(hash)) nearest.push(hash);
    else walked.get(hash)?.parents.forEach((parent) => reached.add(parent));
  }
  return nearest;
}

/** A commit and the one that it is compared with. */
export type Pair = readonly [commit: string, from: string];

/**
 * Returns which files of the plan differ in each of several pairs of commits, by the commit; `failed`
 * says why one could not be compared.
 */
export async function readDifferences(place: GitPlace, pairs: readonly Pair[]) {
  const failed = new Map<string, string>();
  const changes = new Map<string, readonly FileChange[]>();
  if (pairs.length === 0) return { changes, failed };
  const plan = await planTrees(place, pairs.flat());
  const compared = pairs.flatMap(([hash, from]) => {
    const to = plan.trees.get(hash)!;
    const base = plan.trees.get(from)!;
    if ("failed" in to) failed.set(hash, to.failed);
    else if ("failed" in base) failed.set(hash, `${from.slice(0, 7)}: ${base.failed}`);
    else return [{ hash, to: to.tree, froms: [base.tree] }];
    return [];
  });
  const differences = await differencesOf(place, plan, compared);
  for (const { hash, to, froms } of compared) {
    const files = differences.get(`${froms[0]} ${to}`);
    if (files === undefined) failed.set(hash, TOO_MANY);
    else changes.set(hash, files);
  }
  return { changes, failed };
}

/** How many trees are kept: that of HEAD, and those that its worktrees began with. */
const MOST_TREES = 17;

/** Returns the blobs of a commit below the plan's folder, by path in the repository. */
export async function readTree(place: MemoPlace, commit: string) {
  const make = async () => {
    const plan = await planTrees(place, [commit]);
    const to = treeIn(plan.trees, commit);
    const from = emptyTree(commit);
    const differences = await differencesOf(place, plan, [{ to, froms: [from] }]);
    const changes = differences.get(`${from} ${to}`);
    if (changes !== undefined) return new Map(changes.map(({ path, after }) => [path, after!]));
    const files = countAndLimit(plan.mostBetween(from, to), "files", MOST_DIFFERENCES);
    throw new RefraktError("TOOL_FAILED", `The plan of the commit has ${files}`, {
      hint: "Name a smaller folder as the plan: plan.dir in refrakt.config.json.",
    });
  };
  return await place.memo(["tree", place.cwd, commit], make, { most: MOST_TREES });
}

/** The changes of a commit: those to all of its parents. `undefined` if they were not read. */
function commitChanges(
  differences: ReadonlyMap<string, readonly FileChange[]>,
  froms: readonly string[],
  to: string,
): Pick<Commit, "changes" | "sides"> | undefined {
  const lists = froms.map((from) => differences.get(`${from} ${to}`));
  if (!lists.every((list) => list !== undefined)) return undefined;
  const [first = [], ...others] = lists;
  if (others.length === 0) return { changes: first };
  const byPath = lists.map((list) => new Map(list.map((change) => [change.path, change])));
  const changes = first.filter(({ path }) => byPath.every((changes) => changes.has(path)))
    .map(({ path, after }): FileChange => {
      const before = byPath.flatMap((changes) => changes.get(path)!.before);
      return { kind: "merge", path, before, after };
    });
  const paths = new Set(changes.map(({ path }) => path));
  const sides = lists.map((list) =>
    list.filter(({ kind, path }) => kind === "D" || paths.has(path))
  );
  const isRenamed = sides.some((side) =>
    side.some(({ kind }) => kind === "A") && side.some(({ kind }) => kind === "D")
  );
  return { changes, sides: isRenamed ? sides : undefined };
}

/** The position of a directory in its repository. */
export type RepositoryFacts = Readonly<Awaited<ReturnType<typeof readRepository>>>;

export async function readRepository(place: GitPlace) {
  const args = ["rev-parse", "--is-shallow-repository", "--show-prefix", "HEAD"];
  const answer = await askGit(args, { ...place, timeoutMs: QUICK_MS });
  const [shallow, prefix, head = ""] = answer.split("\n");
  // A program in git's place may say nothing, and that it has succeeded.
  if (!/^[\da-f]{40,64}$/.test(head)) throw gitError({ stderr: "" }, place.cwd);
  const top = repositoryOf(place.cwd);
  const stampOf = (path: string) => fileStamp(path, { link: true });
  return {
    shallow: shallow === "true",
    // Stamps of the files that say where a shallow clone ends.
    ends: top === undefined || shallow !== "true"
      ? ""
      : gitFolders(top).map((folder) => stampOf(join(folder, "shallow"))).join(" "),
    // The directory relative to the root, with a trailing slash; empty for the root.
    prefix: prefix!,
    head,
    // The stamp of the file that gives authors other names.
    mailmap: top === undefined ? "" : stampOf(join(top, ".mailmap")),
  };
}

/** Whether a commit is contained in another; both are full hashes. */
export async function isAncestor(place: GitPlace, commit: string, of: string): Promise<boolean> {
  const { code } = await runGit(["merge-base", "--is-ancestor", commit, of], place);
  // Git cannot tell if a commit on the way is too large for it.
  return code === 0 || code > 1 && (await walkCommits(place, [of])).commits.has(commit);
}
