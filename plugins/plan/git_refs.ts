/**
 * The branches and worktrees of a repository.
 *
 * @module
 */

import { askGit } from "./git_log.ts";

/** A local or remote-tracking branch. */
export interface Branch {
  /** Its name: `feature/x`, or `origin/feature/x`. */
  readonly name: string;
  /** Its newest commit. */
  readonly commit: string;
  /** That commit's date, ISO 8601. */
  readonly date: string;
  /** Whether it is what a remote repository had when it was fetched. */
  readonly isRemote: boolean;
}

/** A folder in which a commit of the repository is checked out. */
export interface Worktree {
  /** Its absolute path, as git has it: not checked. */
  readonly path: string;
  /** The commit. */
  readonly commit: string;
  /** The branch; `undefined` for a detached HEAD. */
  readonly branch: string | undefined;
}

/**
 * Reads the branches by date, newest first.
 *
 * @param notIn Leaves out the branches that this commit contains.
 */
export async function readBranches(cwd: string, notIn?: string): Promise<Branch[]> {
  const format = "%(objectname)%00%(refname)%00%(committerdate:iso-strict)%00%(symref)";
  const args = ["for-each-ref", "--sort=-committerdate", `--format=${format}`];
  if (notIn !== undefined) args.push(`--no-merged=${notIn}`);
  const lines = await linesOf([...args, "refs/heads/", "refs/remotes/"], cwd);
  return lines.flatMap((line): Branch[] => {
    const [commit, ref, date, target] = line.split("\0");
    const [, kind, name] = /^refs\/(heads|remotes)\/(.*)$/.exec(ref!)!;
    // Such as origin/HEAD, which is another name of a branch.
    if (target !== "") return [];
    return [{ name: name!, commit: commit!, date: date!, isRemote: kind === "remotes" }];
  });
}

/** Reads the worktrees, the main one first. */
export async function readWorktrees(cwd: string): Promise<Worktree[]> {
  const lines = await linesOf(["worktree", "list", "--porcelain"], cwd);
  const found: { path: string; commit?: string; branch?: string }[] = [];
  for (const line of lines) {
    const [, name, value = ""] = /^(\w+)(?: (.*))?$/.exec(line) ?? [];
    if (name === "worktree") found.push({ path: value });
    else if (name === "HEAD") found.at(-1)!.commit = value;
    else if (name === "branch") found.at(-1)!.branch = value.replace(/^refs\/heads\//, "");
  }
  // A bare repository has no commit checked out.
  return found.flatMap(({ path, commit, branch }) =>
    commit === undefined ? [] : [{ path, commit, branch }]
  );
}

async function linesOf(args: readonly string[], cwd: string): Promise<string[]> {
  return (await askGit(args, cwd)).split("\n").filter((line) => line !== "");
}
