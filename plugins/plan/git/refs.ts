/** The branches and worktrees of a repository. */

import { join } from "node:path";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { askGit, gitError, type GitPlace } from "../../../src/io/git_ask.ts";
import { gitFolders, textIn } from "../../../src/io/git_folders.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { quotedName, shortLine } from "../../../src/plain_text.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";

/** A local or remote-tracking branch. */
export interface Branch {
  /** `feature/x`, or `origin/feature/x`. */
  readonly name: string;
  readonly commit: string;
  /** The commit's date, ISO 8601. */
  readonly date: string;
  readonly isRemote: boolean;
}

/** A folder with a checked-out commit. */
export interface Worktree {
  /** The absolute path from git's own files: untrusted. */
  readonly path: string;
  readonly commit: string;
  /** `undefined` for a detached HEAD. */
  readonly branch: string | undefined;
}

export interface Refs {
  /** Newest first. */
  readonly branches: readonly Branch[];
  /** The main one first; a bare repository is none. */
  readonly worktrees: readonly Worktree[];
  /** Sentences about broken branches, which are skipped. */
  readonly leftOut: readonly string[];
  /** Another one when something has changed. */
  readonly version: number;
}

/** The commit of a claim or id has no files: the empty tree, in SHA-1. */
const EMPTY = /^tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n/;
/** The branch of a claim or id. */
const RECORD = /(?:^|\/)(?:claims|ids)\/[^/]+$/;

const WORKTREES = ["worktree", "list", "--porcelain"];

/** The last answers by directory, and what git listed for them. */
const last = new Map<string, { readonly listed: string; readonly refs: Refs }>();
let version = 0;

/**
 * Reads the branches and worktrees; the same object while they do not change. A broken ref ends
 * git's own listing with dates.
 */
export async function readRefs(place: GitPlace): Promise<Refs> {
  const format = "--format=%(objectname)%00%(refname)%00%(symref)";
  const args = ["for-each-ref", format, "refs/heads/", "refs/remotes/"];
  const [listed, printed] = await Promise.all([
    runGit(args, { ...place, timeoutMs: QUICK_MS }),
    askGit(WORKTREES, place),
  ]);
  if (listed.code !== 0) throw gitError(listed, place.cwd);
  const lines = new TextDecoder().decode(listed.stdout);
  const all = [lines, listed.stderr, printed].join("\n");
  const known = last.get(place.cwd);
  if (known?.listed === all) return known.refs;
  const found = lines.split("\n").flatMap((line) => {
    const [commit, ref = "", target] = line.split("\0");
    const [, kind, name] = /^refs\/(heads|remotes)\/(.*)$/.exec(ref) ?? [];
    // origin/HEAD only points to another branch.
    if (name === undefined || target !== "") return [];
    return [{ name: name, commit: commit!, isRemote: kind === "remotes" }];
  });
  const dates = new Map<string, string>();
  const empty = new Set<string>();
  await readBlobs(place, found.map(({ commit }) => commit), (hash, text) => {
    const date = committedAt(text);
    if (date !== undefined) dates.set(hash, date);
    if (EMPTY.test(text)) empty.add(hash);
  });
  // Where a host accepts pushes to branches only, claims and ids are branches.
  const branches = found.filter(({ name, commit }) => !(RECORD.test(name) && empty.has(commit)))
    .flatMap((one): Branch[] => {
      const date = dates.get(one.commit);
      return date === undefined ? [] : [{ ...one, date }];
    }).sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  const missing = found.filter(({ commit }) => !dates.has(commit)).map(({ name }) => name);
  const broken = Array.from(
    listed.stderr.matchAll(/ignoring (?:broken ref|ref with broken name) refs\/\w+\/(.*)$/gm),
    ([, name]) => name!,
  );
  const refs = {
    version: ++version,
    branches,
    worktrees: printed.split("\n\n").flatMap(worktreeOf),
    leftOut: [
      ...missing.map((name) => `The branch ${quotedName(name)}: its commit is missing`),
      ...broken.map((name) => `The branch ${quotedName(name)}: its ref is broken`),
    ],
  };
  // Missing commits may be fetched later.
  if (missing.length === 0) last.set(place.cwd, { listed: all, refs });
  return refs;
}

/** The worktrees alone. */
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
export type Parents = ReadonlyMap<string, readonly string[]>;

/** Returns the commits that HEAD does not contain; `undefined` if the history is damaged. */
export async function commitsAhead(
  place: GitPlace,
  head: string,
  tips: readonly string[],
): Promise<Parents | undefined> {
  const input = [`^${head}`, ...tips, ""].join("\n");
  const { code, stdout } = await runGit(["rev-list", "--parents", "--stdin"], { ...place, input });
  if (code !== 0) return undefined;
  return new Map(
    new TextDecoder().decode(stdout).split("\n").map((line) => {
      const [commit, ...parents] = line.split(" ");
      return [commit!, parents];
    }),
  );
}

/** Finds the merge base of HEAD and a commit, without git unless there are several candidates. */
export async function mergeBase(
  place: GitPlace,
  head: string,
  commit: string,
  ahead: Parents | undefined,
): Promise<string | undefined> {
  const reached = new Set([commit]);
  for (const one of reached) ahead?.get(one)?.forEach((parent) => reached.add(parent));
  const [base, ...others] = [...reached].filter((one) => !ahead?.has(one));
  if (ahead !== undefined && others.length === 0) return base;
  const { code, stdout } = await runGit(["merge-base", head, commit], place);
  return code === 0 ? new TextDecoder().decode(stdout).trim() : undefined;
}

function worktreeOf(block: string): Worktree[] {
  const [, path] = /^worktree (.*)$/m.exec(block) ?? [];
  const [, commit] = /^HEAD ([0-9a-f]+)$/m.exec(block) ?? [];
  const [, branch] = /^branch refs\/heads\/(.*)$/m.exec(block) ?? [];
  // Git calls one "prunable" whose folder is gone.
  if (path === undefined || commit === undefined || /^prunable/m.test(block)) return [];
  return [{ path, commit, branch }];
}

/** The date of a commit object, ISO 8601; `undefined` for other or missing objects. */
function committedAt(object: string): string | undefined {
  const [, seconds, sign, hours, minutes] =
    /^tree [^]*?\ncommitter .* (\d{1,12}) ([+-])(\d\d)(\d\d)\n/.exec(object) ?? [];
  if (seconds === undefined) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const local = new Date((Number(seconds) + offset) * 1000).toISOString().slice(0, 19);
  return `${local}${sign}${hours}:${minutes}`;
}
