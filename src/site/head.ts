/**
 * The files of the last commit, by git.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { runGit } from "../io/git.ts";

/**
 * The ids of the contents of all files below a directory in git's HEAD, by path relative to it.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` without the permission, `TOOL_FAILED` where there is
 * no commit.
 */
export async function headOf(cwd: string, signal: AbortSignal): Promise<Record<string, string>> {
  const { code, stdout } = await runGit(["ls-tree", "-r", "-z", "HEAD"], { cwd, signal });
  if (code !== 0) {
    throw new RefraktError("TOOL_FAILED", "There is no commit to compare with", {
      hint: "Leave out changed, or commit first.",
    });
  }
  const files: Record<string, string> = {};
  for (const line of new TextDecoder().decode(stdout).split("\0")) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (id !== undefined && path !== undefined) files[path] = id;
  }
  return files;
}
