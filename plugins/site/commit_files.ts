/** The files of a commit, with which a check compares. */

import { quotedName } from "../../src/plain_text.ts";
import { RefraktError } from "../../src/errors.ts";
import { runGit } from "../../src/io/git.ts";
import { commitNamed, gitError } from "../../src/io/git_ask.ts";
import { readBlobs } from "../../src/io/git_objects.ts";
import { planTrees } from "../../src/io/git_trees.ts";
import type { CommitFiles } from "./engine/methods/since.ts";

/** The most levels of folders in a commit. */
const MOST_LEVELS = 100;

/**
 * Reads the git object ids of all files below a directory in a commit.
 *
 * @param since A commit, a branch or a tag.
 * @throws {RefraktError} `PERMISSION_DENIED` without `--allow-run=git`, `TOOL_FAILED` without a commit,
 * `INVALID_ARGS` for an unknown one.
 */
export async function readCommit(
  cwd: string,
  since: string,
  signal: AbortSignal,
): Promise<CommitFiles> {
  const place = { cwd, signal };
  const commit = await commitNamed(since, place);
  const { trees } = await planTrees(place, [commit], MOST_LEVELS);
  const tree = trees.get(commit);
  if (tree === undefined || "failed" in tree) {
    const why = tree?.failed ?? "it is missing";
    const message = `${quotedName(since)} cannot be compared with: ${why}`;
    throw new RefraktError("TOOL_FAILED", message, { hint: "Omit since, or run git fsck." });
  }
  const result = await runGit(["ls-tree", "-r", "-z", commit], place);
  if (result.code !== 0) throw gitError(result, cwd);
  const ids: Record<string, string> = {};
  for (const line of new TextDecoder().decode(result.stdout).split("\0")) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (id !== undefined && path !== undefined) ids[path] = id;
  }
  return {
    ids,
    read: async (paths) => {
      const wanted = paths.filter((path) => Object.hasOwn(ids, path));
      const byId = new Map<string, string>();
      await readBlobs(place, wanted.map((path) => ids[path]!), (id, text) => byId.set(id, text));
      return new Map(
        wanted.flatMap((path) => {
          const text = byId.get(ids[path]!);
          return text === undefined ? [] : [[path, text] as const];
        }),
      );
    },
  };
}
