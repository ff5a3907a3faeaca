/**
 * One writer of a project's specs at a time, so that servers side by side do not overwrite
 * each other's work.
 *
 * @module
 */

import { withFolderLock } from "../../src/io/lock.ts";
import { Overtaken, specsRoot, sweepTemporaries } from "./files.ts";

/** How often work starts again if an editor, which takes no lock, writes the same files. */
const MOST_TRIES = 5;

/**
 * Runs `work` while no other call of any process changes the project's specs. If an editor
 * changes a file between its reading and its writing, the work starts again; so it reads
 * everything itself.
 *
 * @param cwd The project's directory.
 * @param signal Gives up waiting.
 * @param work What to do; its result is returned.
 */
export async function withLock<T>(
  cwd: string,
  signal: AbortSignal,
  work: () => T | Promise<T>,
): Promise<T> {
  const folder = specsRoot(cwd);
  const hint = "See whether another server hangs, then call ralph_status and repeat the call.";
  return await withFolderLock(folder, { what: "the specs", hint, signal }, async () => {
    sweepTemporaries(folder);
    return await tryAgain(work, signal);
  });
}

async function tryAgain<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overtaken) || tries >= MOST_TRIES || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * tries));
    }
  }
}
