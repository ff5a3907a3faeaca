/** One writer of a project's specs at a time, across all servers. */

import { withFolderLock } from "../../src/io/lock.ts";
import { Overtaken, specsRoot, sweepTemporaries } from "./files.ts";

/** How often a call starts again if an editor, which takes no lock, writes the same files. */
const MAX_TRIES = 5;

/**
 * Runs `work` while no other call of any process changes the project's specs. Starts it again
 * if it throws {@linkcode Overtaken}; so `work` has to read the files itself.
 */
export async function withLock<T>(cwd: string, signal: AbortSignal, work: () => T): Promise<T> {
  const folder = specsRoot(cwd);
  const hint = "See whether another server hangs, then call ralph_status and repeat the call.";
  return await withFolderLock(folder, { what: "the specs", hint, signal }, async () => {
    sweepTemporaries(folder);
    for (let tries = 1;; tries++) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Overtaken) || tries >= MAX_TRIES || signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, 5 * tries));
      }
    }
  });
}
