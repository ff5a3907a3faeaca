/**
 * Temporary files that a killed process of ours has left in the plan.
 *
 * @module
 */

/** After this time nobody writes such a file any more, in milliseconds. */
const STALE_MS = 60_000;

/**
 * Removes them.
 *
 * @param paths What the last look found, as absolute paths.
 * @param isHeld Whether the plan's lock is held: then no other process of ours is writing.
 */
export function sweepTemporaries(paths: readonly string[], isHeld: boolean): void {
  for (const path of paths) {
    try {
      const age = Date.now() - (Deno.lstatSync(path).mtime?.getTime() ?? 0);
      if (isHeld || age > STALE_MS) Deno.removeSync(path);
    } catch {
      // Somebody else has removed it, or it may not be removed: it does no harm.
    }
  }
}
