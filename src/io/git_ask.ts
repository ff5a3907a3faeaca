/** Asks git short questions, and says in our words what failed. */

import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";
import { type GitOptions, type GitResult, QUICK_MS, runGit } from "./git.ts";
import { repositoryOf } from "./git_settings.ts";

/** Where git runs, and the signal of the call that it runs for. */
export type GitPlace = Pick<GitOptions, "cwd" | "signal" | "timeoutMs">;

/** Returns the output of a short question. */
export function askGit(args: readonly string[], place: GitPlace): Promise<string> {
  return gitOutput(args, { timeoutMs: QUICK_MS, ...place });
}

/** Returns the output of git; throws what its error means. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await runGit(args, options);
  if (result.code !== 0) throw gitError(result, options.cwd);
  return new TextDecoder().decode(result.stdout);
}

/** Returns the id of a commit by any revision that git accepts, except ranges and searches. */
export async function findCommit(name: string, place: GitPlace): Promise<string | undefined> {
  const isName = /^[^\p{C}\p{Z}:-][^\p{C}:]{0,999}$/u.test(name) && !/\.\.|\{\//.test(name);
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const result = isName ? await runGit(asked, { ...place, timeoutMs: QUICK_MS }) : undefined;
  return result?.code === 0 ? new TextDecoder().decode(result.stdout).trim() : undefined;
}

/**
 * Returns the id of the commit that an argument names.
 *
 * @throws {RefraktError} `INVALID_ARGS` if there is none, `TOOL_FAILED` if there is no commit at all.
 */
export async function commitNamed(
  name: string,
  place: GitPlace,
  argument = "since",
): Promise<string> {
  const commit = await findCommit(name, place);
  if (commit !== undefined) return commit;
  const hint = await shallowHint(place).catch((cause) => {
    if (!isWithoutHistory(cause)) throw cause;
    throw new RefraktError("TOOL_FAILED", "There is no commit to compare with", {
      hint: `Omit ${argument}, or commit first.`,
      cause,
    });
  });
  throw new RefraktError("INVALID_ARGS", `"${argument}": no such commit: ${quotedName(name)}`, {
    hint: hint ?? "Pass HEAD, a branch, a tag or the hash of a commit.",
  });
}

/** The hint for a shallow clone, which lacks older commits; `undefined` in a full one. */
export async function shallowHint(place: GitPlace): Promise<string | undefined> {
  const answer = await askGit(["rev-parse", "--is-shallow-repository", "HEAD"], place);
  return answer.startsWith("true")
    ? "The clone is shallow: git fetch --unshallow fetches older commits."
    : undefined;
}

/**
 * What git's errors mean, and what to do. Its messages are in English because of `LC_ALL=C`; it exits
 * with code 128 for all of them. A test provokes each in the installed git.
 */
export const GIT_TROUBLE = {
  noRepository: {
    pattern: /not a git repository/,
    message: "The project is not in a git repository",
    hint: "History comes from git: run git init, then commit the plan.",
  },
  noCommits: {
    pattern: /does not have any commits yet|ambiguous argument 'HEAD'/,
    message: "The git repository has no commits yet",
    hint: "Commit the plan: its history begins with the first commit.",
  },
  otherOwner: {
    pattern: /dubious ownership/,
    message: "The git repository belongs to another user",
    hint: "Git does not read repositories of other users: run the server as the owner.",
  },
  notFetched: {
    pattern: /from promisor remote|lazy fetching disabled/,
    message: "The clone is partial: some older commits are missing, and are not downloaded here",
    hint: "Fetch them: git fetch --refetch --no-filter.",
  },
  tooLarge: {
    pattern: /attempting to allocate|out of memory|mmap failed/i,
    message: "An object of the git repository is too large to read",
    hint: "git rev-list --objects --all --disk-usage tells how much there is; remove what nobody " +
      "needs.",
  },
  folderGone: {
    pattern: /[Uu]nable to read current working directory|cannot change to '/,
    message: "The plan's directory was removed while git was reading it",
    hint: "Call again.",
  },
} as const;

/** The meaning of git's stderr; `undefined` for unknown messages. */
export function gitTrouble(stderr: string): keyof typeof GIT_TROUBLE | undefined {
  const names = Object.keys(GIT_TROUBLE) as (keyof typeof GIT_TROUBLE)[];
  return names.find((name) => GIT_TROUBLE[name].pattern.test(stderr));
}

/** Whether an error means that there is no repository, or that it has no commits. */
export function isWithoutHistory({ message }: Error): boolean {
  return [GIT_TROUBLE.noRepository, GIT_TROUBLE.noCommits].some((each) => each.message === message);
}

/** What git prints is not passed on: it may quote any file that git reads. */
export function gitError({ stderr }: Pick<GitResult, "stderr">, cwd: string): RefraktError {
  const trouble = gitTrouble(stderr);
  let { message, hint }: { message: string; hint: string } = trouble === undefined
    ? UNREADABLE
    : GIT_TROUBLE[trouble];
  if (trouble === "noRepository" && repositoryOf(cwd) !== undefined) {
    message = "The git repository is damaged: git does not accept it";
    hint = "Run git status; see .git/HEAD.";
  }
  return new RefraktError("TOOL_FAILED", message, { hint });
}

const UNREADABLE = {
  message: "Git could not read the repository: run git fsck",
  hint: "It tells which objects or files are missing or damaged.",
};
