/** How old the view of the remotes is: what was pushed since the last fetch is unknown. */

import { resolve } from "node:path";
import { orElse } from "../../../src/errors.ts";
import { modifiedAt } from "../../../src/io/reads.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { durationWords } from "../entity/durations.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";

/**
 * Says when the remote was last fetched, such as `origin was last fetched 3 days ago`.
 *
 * @param place A folder of the repository.
 * @returns `undefined` without remote-tracking branches, or where `.git` is unreadable.
 */
export async function remoteAge(place: GitPlace): Promise<string | undefined> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"];
  const refs = await askGit(args, place);
  const [, name] = /^refs\/remotes\/([^/\n]+)\//.exec(refs) ?? [];
  if (name === undefined) return undefined;
  // A clone writes the second file, a fetch the first.
  const paths = ["FETCH_HEAD", `refs/remotes/${name}/HEAD`];
  const asked = paths.flatMap((path) => ["--git-path", path]);
  const printed = await askGit(["rev-parse", ...asked], place);
  const times = printed.trim().split("\n")
    .map((path) => orElse(() => modifiedAt(Deno.statSync(resolve(place.cwd, path))), 0));
  const last = Math.max(...times);
  if (last === 0) return undefined;
  return `${quotedName(name)} was last fetched ${durationWords(Date.now() - last)} ago`;
}
