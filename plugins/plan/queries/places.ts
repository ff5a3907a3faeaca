/**
 * The branches and worktrees of a plan's repository, and the files that differ there from what HEAD
 * and they have in common, read without a checkout.
 */

import { join, resolve } from "node:path";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { blobHash, readBlobs } from "../../../src/io/git_objects.ts";
import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { isInside, isNotFound, realPathOf, shownPath } from "../../../src/io/paths.ts";
import { isRefusal, mayRead } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { noteUntil } from "../../../src/io/reads.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { countAndLimit, quotedName, shortLine, word } from "../../../src/plain_text.ts";
import type { PlanFile } from "../entity/entity.ts";
import { type FileChange, fileChange } from "../git/differences.ts";
import {
  type Pair,
  readDifferences,
  readRepository,
  readTree,
  type RepositoryFacts,
} from "../git/log.ts";
import { commitsAhead, type MemoPlace, mergeBase, type Refs, type Worktree } from "../git/refs.ts";
import { inPlan } from "../git/events.ts";
import type { PlanPlace } from "../store/place.ts";
import { fileScanner } from "../store/plan_files.ts";

/** How many branches and worktrees, and changed files of each, are read. */
const [MOST_BRANCHES, MOST_WORKTREES, MOST_FILES] = [200, 16, 500];
/** How many file versions are read, and are kept. */
const MOST_BLOBS = 10_000;
/** The timeout of one git call, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The hash of an empty blob, in SHA-1 and SHA-256. */
const EMPTY = /^(?:e69de29bb2d1|473a0f4c3be8)/;

const NO_BASE = "It has no common ancestor with HEAD";

/** A folder with a plan in a repository. */
export type Repository = Pick<PlanPlace, "cwd" | "dir" | "git" | "signal">;

/** A file that differs; of a worktree, with the text after. */
type PlaceChange = FileChange & { readonly text?: string };

/** A branch or a worktree. */
export interface Place {
  /** The branch; of a worktree, the one that is checked out. */
  readonly branch?: string | undefined;
  /** The worktree's folder, relative to the project. */
  readonly worktree?: string | undefined;
  /** The date of the branch's newest commit, ISO 8601. */
  readonly date?: string | undefined;
}

/** A place with the files that differ. */
interface ChangedPlace {
  readonly place: Place;
  /** At the start of a sentence. */
  readonly name: string;
  /** The changes since its merge base with HEAD; those to HEAD if it is unrelated. */
  readonly changes: readonly PlaceChange[];
  readonly isUnrelated: boolean;
}

/** A worktree whose plan may be read. */
interface Folder extends Worktree {
  /** The real path of its plan. */
  readonly dir: string;
  /** The folder that its files must not leave. */
  readonly root: string;
  /** The path as shown in answers. */
  readonly name: string;
}

/** The branches and worktrees of a repository, and what git says of them. */
export type Places = Awaited<ReturnType<typeof readPlaces>>;

export async function readPlaces({ cwd, dir, git }: Omit<Repository, "signal">, refs: Refs) {
  const facts = await git.memo(["ahead", refs], async () => {
    const repository = await readRepository(git);
    const commits = [...refs.branches, ...refs.worktrees].map(({ commit }) => commit)
      .filter((commit) => !isUnborn(commit));
    return { ...repository, ...await commitsAhead(git, repository.head, commits) };
  });
  const worktrees = worktreesOf(cwd, dir, facts.prefix, refs.worktrees);
  const leftOut = [...refs.leftOut, ...facts.leftOut, ...worktrees.leftOut];
  return { ...facts, ...worktrees, branches: refs.branches, leftOut };
}

/** Whether a worktree's branch has no commit, which git writes as zeros. */
const isUnborn = (commit: string) => /^0+$/.test(commit);

/** Reads which files differ on the branches and in the worktrees. */
export async function changedPlaces(repository: Repository, refs: Refs) {
  const git = { ...repository.git, timeoutMs: TIMEOUT_MS };
  const facts = await readPlaces({ ...repository, git }, refs);
  const { head, prefix, ahead, folders, unread, leftOut } = facts;
  // A worktree's files are newer than its branch.
  const unmerged = refs.branches.filter(({ name, commit }) =>
    ahead?.has(commit) !== false && folders.every(({ branch }) => branch !== name)
  );
  if (unmerged.length > MOST_BRANCHES) {
    const branches = countAndLimit(unmerged.length, "branches", MOST_BRANCHES);
    leftOut.push(`Older branches were not read: there are ${branches}`);
  }
  const branches = unmerged.slice(0, MOST_BRANCHES);
  const tips = [
    // Git can read the commits of worktrees that the server may not read.
    ...unread.filter(({ branch }) => branch === undefined).map(({ name, commit }) => (
      { name: `The worktree ${quotedName(name)}`, commit, place: { worktree: name } }
    )),
    // If two branches have the same state, the local one is shown.
    ...branches.toSorted((a, b) => Number(a.isRemote) - Number(b.isRemote))
      .map(({ name, commit, date }) => ({
        name: `The branch ${quotedName(name)}`,
        commit,
        place: { branch: name, date },
      })),
  ];
  const commits = new Set([...folders, ...tips].map(({ commit }) => commit));
  const bases = new Map<string, string | undefined>();
  for (const commit of commits) {
    if (!isUnborn(commit)) bases.set(commit, await mergeBase(git, head, commit, ahead));
  }
  const baseOf = (commit: string) => bases.get(commit) ?? head;
  const places: ChangedPlace[] = [];
  const add = (name: string, place: Place, commit: string, changes: readonly PlaceChange[]) => {
    const isUnrelated = bases.get(commit) === undefined;
    if (isUnrelated) leftOut.push(`${name}: ${NO_BASE}`);
    places.push({ name, place, changes: firstOf(changes, name, leftOut), isUnrelated });
  };
  for (const folder of folders) {
    const { commit, branch, name: worktree } = folder;
    const name = `The worktree ${quotedName(worktree)}`;
    const changes = await changesIn(git, facts, folder, baseOf(commit), leftOut);
    add(name, { worktree, branch }, commit, changes);
  }
  const pairs = [...new Set(tips.map(({ commit }) => commit))]
    .map((commit): Pair => [commit, baseOf(commit)]);
  const key = ["changes ahead", refs, pairs.flat().join()];
  const { changes, failed } = await git.memo(key, async () => {
    const compared = await readDifferences(git, pairs);
    // Missing objects may be fetched.
    if (compared.failed.size > 0) noteUntil(0);
    return compared;
  }, { most: 2 });
  for (const { name, commit, place } of tips) {
    const reason = failed.get(commit);
    if (reason !== undefined) leftOut.push(`${name}: ${reason}`);
    const files = changes.get(commit) ?? [];
    add(name, place, commit, files.filter(({ path }) => path.endsWith(".md")));
  }
  return {
    prefix,
    // Worktrees come first, and local branches before remote ones.
    places,
    // The number of unmerged branches, and of worktrees.
    branches: branches.length,
    worktrees: folders.length,
    // Sentences about what could not be read.
    leftOut,
  };
}

function firstOf<Change>(changes: readonly Change[], name: string, leftOut: string[]) {
  const rest = changes.length - MOST_FILES;
  if (rest > 0) leftOut.push(`${name}: ${rest} more changed files`);
  return changes.slice(0, MOST_FILES);
}

/** Compares a worktree's files with those of a commit. */
export async function changesIn(
  git: MemoPlace,
  { head, prefix }: RepositoryFacts,
  { name, dir, root }: Folder,
  commit: string,
  leftOut: string[],
): Promise<PlaceChange[]> {
  try {
    const before = new Map(await readTree(git, commit));
    const hashed = (file: string, text: string, _mtime: number, unreadable?: string) => {
      if (unreadable !== undefined) return undefined;
      return { file, blob: blobHash(text.replaceAll("\r\n", "\n"), head.length) };
    };
    const make = () => fileScanner(root, dir, hashed);
    const scan = git.memo(["worktree", root, dir], make, { most: MOST_WORKTREES + 1 });
    const changes: PlaceChange[] = [];
    for (const row of (await scan(turnTaker(git.signal))).files) {
      if (row === undefined) continue;
      const path = `${prefix}${row.file}`;
      const blob = before.get(path);
      before.delete(path);
      if (blob === row.blob) continue;
      const text = readInside(root, join(dir, row.file), "plan");
      changes.push({ ...fileChange(path, blob, row.blob), text });
    }
    for (const [path, blob] of before) {
      if (path.endsWith(".md")) changes.push(fileChange(path, blob, undefined));
    }
    return firstOf(changes, name, leftOut);
  } catch (error) {
    const isPart = error instanceof RefraktError && error.code !== "TIMEOUT";
    if (!isPart && !isNotFound(error) && !isRefusal(error)) throw error;
    leftOut.push(`The worktree ${quotedName(name)}: ${shortLine(messageOf(error), 200)}`);
    return [];
  }
}

/** Returns a function that finds the file of a changed path before or after; all are read. */
export async function readPlaceFiles(
  { git, dir, store }: Pick<PlanPlace, "git" | "dir" | "store">,
  { prefix, places, leftOut }: Awaited<ReturnType<typeof changedPlaces>>,
): Promise<(path: string, blob: string | undefined) => PlanFile | undefined> {
  const files = git.memo(["files of blobs", dir], () => new Map<string, PlanFile | null>());
  if (files.size > MOST_BLOBS) files.clear();
  const keep = (path: string, blob: string, text: string) => {
    try {
      const file = store.texts.fileOf(inPlan(prefix, path), text);
      files.set(`${blob} ${path}`, file);
    } catch (error) {
      if (!isTooHard(error)) throw error;
      files.set(`${blob} ${path}`, null);
    }
  };
  const wanted = new Map<string, Set<string>>();
  for (const { path, before: [before], after, text } of places.flatMap(({ changes }) => changes)) {
    for (const blob of [before, after]) {
      if (blob === undefined || files.has(`${blob} ${path}`)) continue;
      if (blob === after && text !== undefined) keep(path, blob, text);
      else wanted.getOrInsertComputed(blob, () => new Set()).add(path);
    }
  }
  const rest = wanted.size - MOST_BLOBS;
  if (rest > 0) leftOut.push(`${rest} more file versions of other branches`);
  let missing = 0;
  await readBlobs(git, wanted.keys().take(MOST_BLOBS), (blob, text) => {
    if (text === "" && !EMPTY.test(blob)) missing++;
    else for (const path of wanted.get(blob)!) keep(path, blob, text);
  });
  if (missing > 0) {
    leftOut.push(`${missing} file versions that the clone lacks, or that are too large`);
  }
  return (path, blob) => files.get(`${blob} ${path}`) ?? undefined;
}

/** Finds the other worktrees. Their paths come from the repository, so they are not trusted. */
function worktreesOf(cwd: string, planDir: string, prefix: string, worktrees: readonly Worktree[]) {
  const leftOut: string[] = [];
  /** The worktrees of which only the commits are readable. */
  const unread: (Worktree & { readonly name: string })[] = [];
  const folders: Folder[] = [];
  for (const worktree of worktrees) {
    const plan = resolve(worktree.path, prefix);
    if (plan === planDir) continue;
    const name = shownPath(cwd, worktree.path);
    try {
      const dir = Deno.realPathSync(plan);
      // With permission for the plan alone, its folder is as far as links are followed.
      const root = mayRead(worktree.path) ? Deno.realPathSync(worktree.path) : dir;
      // The plan may be a link out of the worktree, or back to this plan.
      if (realPathOf(dir) === planDir || !isInside(root, dir) || !mayRead(dir)) continue;
      folders.push({ ...worktree, dir, root, name });
    } catch (error) {
      // Skip worktrees that were deleted or have no plan.
      if (!isRefusal(error)) continue;
      // A comma ends a path in Deno's flags.
      const flag = `--allow-read=${shownPath(cwd, plan.replace(/[^/\\]*,.*$/s, ""))}`;
      const how = mayRead(plan) ? "the system refuses" : `add ${word(flag)}`;
      const which = `The worktree ${quotedName(name)}`;
      leftOut.push(`${which}: not readable; only its commits were checked (${how})`);
      unread.push({ ...worktree, name });
    }
  }
  const rest = folders.length - MOST_WORKTREES;
  if (rest > 0) leftOut.push(`${rest} more worktrees`);
  return { folders: folders.slice(0, MOST_WORKTREES), unread, leftOut };
}
