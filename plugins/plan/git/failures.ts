/**
 * Remembers failures of git for a while, so that not every call waits for a repository or a remote
 * that does not answer.
 */

import { join } from "node:path";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { gitFolders } from "../../../src/io/git_folders.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import type { Memo } from "../../../src/io/memo.ts";
import { fileStamp } from "../../../src/io/stamp.ts";

/** How long a failure is remembered, in milliseconds. */
const FAILED_MS = 30_000;
/** How many files and folders of refs are examined. */
const MOST_REFS = 2000;

interface Failure {
  readonly error: RefraktError;
  readonly stamp: string;
  readonly until: number;
}

/**
 * Does work unless it has failed in the last 30 seconds, or throws that error again.
 *
 * @param key What is asked.
 * @param stampOf Changes when the work may succeed.
 */
export async function unlessFailed<Value>(
  memo: Memo,
  key: string,
  signal: AbortSignal,
  stampOf: () => string,
  work: () => Promise<Value>,
): Promise<Value> {
  const failures = memo("failures of git", () => new Map<string, Failure>());
  const known = failures.get(key);
  if (known !== undefined && Date.now() < known.until && known.stamp === stampOf()) {
    throw known.error;
  }
  failures.delete(key);
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefraktError && !signal.aborted) {
      failures.set(key, { error, stamp: stampOf(), until: Date.now() + FAILED_MS });
    }
    throw error;
  }
}

/** Changes with the refs of a repository, also where git cannot read them. */
export function refsStamp(dir: string): string {
  const root = repositoryOf(dir);
  const stamps: string[] = [];
  const add = (path: string, isFolder: boolean) => {
    if (stamps.length >= MOST_REFS) return;
    stamps.push(`${path} ${fileStamp(path, { link: true })}`);
    for (const { name, isDirectory } of isFolder ? entriesOf(path) : []) {
      add(join(path, name), isDirectory);
    }
  };
  for (const folder of root === undefined ? [] : gitFolders(root)) {
    for (const name of ["HEAD", "config", "packed-refs"]) add(join(folder, name), false);
    for (const name of ["refs", "worktrees"]) add(join(folder, name), true);
  }
  return stamps.join("\n");
}

function entriesOf(folder: string): Deno.DirEntry[] {
  return orElse(() => [...Deno.readDirSync(folder)], []);
}
