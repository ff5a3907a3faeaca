/** Work that two test files must not do at the same time, such as an installation. */

/** How long a lock counts, in milliseconds: a process that was killed leaves its own behind. */
const STALE_MS = 180_000;

/**
 * Does what is done once and kept, unless it is done already. Whoever comes meanwhile waits.
 *
 * @param lock A folder that is made while the work goes on, in a folder that is there.
 * @param isDone Whether it is done.
 * @param work What is to be done.
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
      // Somebody else may have finished between the look and the lock.
      if (!await isDone()) await work();
      return;
    } finally {
      await Deno.remove(lock).catch(() => {});
    }
  }
}
