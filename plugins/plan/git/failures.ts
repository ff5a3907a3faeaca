/**
 * Remembers failures of git for a while, so that not every call waits for a repository or a remote
 * that does not answer.
 */

import { join } from "node:path";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { gitFolders, repositoryOf } from "../../../src/io/git_settings.ts";
import type { Memo } from "../../../src/io/memo.ts";
import { noteRead, noteUntil } from "../../../src/io/reads.ts";

/** How long a failure is remembered, in milliseconds. */
const FAILED_MS = 30_000;
/** How many files and folders of refs are examined. */
const EXAMINED_REFS = 2000;

/**
 * Does work unless it has failed in the last 30 seconds, or throws that error again.
 *
 * @param key Names the work.
 * @param dir A folder of the repository: the work may succeed when its refs have changed.
 */
export async function unlessFailed<Value>(
  memo: Memo,
  key: string,
  signal: AbortSignal,
  dir: string | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const last = memo(["failure of git", key], (): { error?: RefraktError; until: number } => {
    if (dir !== undefined) noteRefs(dir);
    return { until: 0 };
  });
  if (last.error !== undefined && Date.now() < last.until) throw last.error;
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefraktError && !signal.aborted) {
      Object.assign(last, { error, until: Date.now() + FAILED_MS });
    }
    throw error;
  }
}

/** Notes the refs of a repository as read, also where git cannot read them. */
function noteRefs(dir: string): void {
  const root = repositoryOf(dir);
  // There may be one soon.
  if (root === undefined) return noteUntil(0);
  let rest = EXAMINED_REFS;
  const note = (path: string, isFolder: boolean) => {
    if (rest-- <= 0) return;
    noteRead(isFolder ? `${path}/` : path);
    const entries = isFolder ? orElse(() => [...Deno.readDirSync(path)], []) : [];
    for (const { name, isDirectory } of entries) note(join(path, name), isDirectory);
  };
  for (const folder of gitFolders(root)) {
    for (const name of ["HEAD", "config", "packed-refs"]) note(join(folder, name), false);
    for (const name of ["refs", "worktrees"]) note(join(folder, name), true);
  }
}
