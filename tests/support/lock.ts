/** Locks for work that two test files must not do at the same time, such as an installation. */

/** Milliseconds after which a lock is stale: a killed process leaves its lock behind. */
const STALE_MS = 180_000;

/**
 * Does one-time work unless it is done already. Concurrent callers wait.
 *
 * @param lock A folder that exists during the work; its parent must exist.
 * @param isDone Whether the work is done.
 * @param work The work.
 */
export async function once(
  lock: string,
  isDone: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!await isDone()) {
    try {
      await Deno.mkdir(lock);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const age = Date.now() - ((await Deno.stat(lock).catch(() => null))?.mtime?.getTime() ?? 0);
      if (age > STALE_MS) await Deno.remove(lock).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      // Another process may have finished between the check and the lock.
      if (!await isDone()) await work();
      return;
    } finally {
      await Deno.remove(lock).catch(() => {});
    }
  }
}
