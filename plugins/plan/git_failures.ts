/**
 * What to say where git cannot read the history of a plan.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { GitResult } from "../../src/io/git.ts";
import { type GitTrouble, gitTrouble } from "../../src/io/git_messages.ts";
import { repositoryOf } from "../../src/io/git_settings.ts";

/** The message and the hint for each of git's sentences. */
const TROUBLE: Readonly<Record<GitTrouble, readonly [message: string, hint: string]>> = {
  noRepository: [
    "The project is not in a git repository",
    "History comes from git: run git init and commit the plan.",
  ],
  noCommits: [
    "The git repository has no commits yet",
    "Commit the plan; its history begins there.",
  ],
  otherOwner: [
    "The git repository belongs to another user",
    "Git reads no repository of another user: run the server as its owner.",
  ],
  notFetched: [
    "The clone is partial: folders of older commits are not in it, and nothing is downloaded here",
    "Fetch them: git fetch --refetch --no-filter.",
  ],
  folderGone: [
    "The plan's directory was removed while git was reading it",
    "Call again; if it was made again, the next call finds it.",
  ],
};

/** Whether an error says that there is no repository, or that it has no commits. */
export function isWithoutHistory({ message }: Error): boolean {
  return message === TROUBLE.noRepository[0] || message === TROUBLE.noCommits[0];
}

/** The error for a run of git that failed in a directory. */
export function gitError(
  result: Pick<GitResult, "code" | "stderr">,
  cwd: string,
): RefraktError {
  const trouble = gitTrouble(result.stderr);
  if (trouble === "noRepository" && repositoryOf(cwd) !== undefined) {
    return new RefraktError(
      "TOOL_FAILED",
      "The git repository is damaged: git does not accept it",
      {
        hint:
          "Its HEAD, refs or objects are missing or corrupt: run git status, and look at .git/HEAD.",
      },
    );
  }
  if (trouble !== undefined) {
    const [message, hint] = TROUBLE[trouble];
    return new RefraktError("TOOL_FAILED", message, { hint });
  }
  const said = result.stderr.trim().split("\n")[0];
  return new RefraktError("TOOL_FAILED", `Git failed: ${said || `exit code ${result.code}`}`, {
    hint: "Run git log in a terminal to see what is wrong with the repository.",
  });
}
