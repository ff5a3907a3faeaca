/** Asks git a short question, and says in our words what failed. */

import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";
import {
  type GitOptions,
  type GitResult,
  type GitTrouble,
  gitTrouble,
  QUICK_MS,
  runGit,
  UNREADABLE,
} from "./git.ts";
import { repositoryOf } from "./git_settings.ts";

/** Where git runs, and the signal of the call that it runs for. */
export type GitPlace = Pick<GitOptions, "cwd" | "signal" | "timeoutMs">;

/** Returns the output of git in a directory. */
export async function askGit(args: readonly string[], place: GitPlace): Promise<string> {
  const result = await runGit(args, { timeoutMs: QUICK_MS, ...place });
  if (result.code !== 0) throw gitError(result, place.cwd);
  return new TextDecoder().decode(result.stdout);
}

/** Returns the id of a commit by any name of it that git takes, but a range or a search. */
export async function findCommit(name: string, place: GitPlace): Promise<string | undefined> {
  const isName = /^[^\p{C}\p{Z}:-][^\p{C}:]{0,999}$/u.test(name) && !/\.\.|\{\//.test(name);
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const result = isName ? await runGit(asked, { ...place, timeoutMs: QUICK_MS }) : undefined;
  return result?.code === 0 ? new TextDecoder().decode(result.stdout).trim() : undefined;
}

/**
 * The same for an argument.
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
  const asked = askGit(["rev-parse", "--is-shallow-repository", "HEAD"], place);
  const answer = await asked.catch((cause) => {
    if (!isWithoutHistory(cause)) throw cause;
    throw new RefraktError("TOOL_FAILED", "There is no commit to compare with", {
      hint: `Omit ${argument}, or commit first.`,
      cause,
    });
  });
  throw new RefraktError("INVALID_ARGS", `"${argument}": no such commit: ${quotedName(name)}`, {
    hint: answer.startsWith("true")
      ? "The clone is shallow: git fetch --unshallow fetches older commits."
      : "Pass HEAD, a branch, a tag or the hash of a commit.",
  });
}

/** The ids of the commits without parents, sorted. */
export async function rootsOf(place: GitPlace, head: string): Promise<string> {
  const printed = await askGit(["rev-list", "--max-parents=0", head, "--"], place);
  return printed.split("\n").sort().join(" ").trim();
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
  tooLarge: [
    "An object of the git repository is too large to read",
    "git rev-list --objects --all --disk-usage tells how much there is; remove what nobody needs.",
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
    : [UNREADABLE, "It tells which objects or files are missing or damaged."];
  return new RefraktError("TOOL_FAILED", message, { hint });
}
