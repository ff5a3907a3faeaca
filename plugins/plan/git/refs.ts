/** The branches and worktrees of a repository. */

import { askGit } from "./log.ts";

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

/** Reads the branches, newest first, except those merged into the commit `notIn`. */
export async function readBranches(cwd: string, notIn?: string): Promise<Branch[]> {
  const format = "%(objectname)%00%(refname)%00%(committerdate:iso-strict)%00%(symref)";
  const args = ["for-each-ref", "--sort=-committerdate", `--format=${format}`];
  if (notIn !== undefined) args.push(`--no-merged=${notIn}`);
  const printed = await askGit([...args, "refs/heads/", "refs/remotes/"], cwd);
  return printed.split("\n").flatMap((line): Branch[] => {
    const [commit, ref = "", date, target] = line.split("\0");
    const [, kind, name] = /^refs\/(heads|remotes)\/(.*)$/.exec(ref) ?? [];
    // origin/HEAD only points to another branch.
    if (name === undefined || target !== "") return [];
    return [{ name, commit: commit!, date: date!, isRemote: kind === "remotes" }];
  });
}

/** Reads the worktrees, the main one first. A bare repository is none. */
export async function readWorktrees(cwd: string): Promise<Worktree[]> {
  const printed = await askGit(["worktree", "list", "--porcelain"], cwd);
  return printed.split("\n\n").flatMap((block): Worktree[] => {
    const [, path] = /^worktree (.*)$/m.exec(block) ?? [];
    const [, commit] = /^HEAD ([0-9a-f]+)$/m.exec(block) ?? [];
    const [, branch] = /^branch refs\/heads\/(.*)$/m.exec(block) ?? [];
    return path === undefined || commit === undefined ? [] : [{ path, commit, branch }];
  });
}
