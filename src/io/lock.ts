/**
 * Waiting for a lock that other processes may hold.
 *
 * @module
 */

/** How the wait ended: the lock is held, others hold it still, or nobody wants it any more. */
export type LockOutcome = "held" | "busy" | "cancelled";

/**
 * Asks for an exclusive lock until it is there. The system frees it when the file
 * is closed, or the process dies.
 *
 * @param file The open file or folder to lock.
 * @param signal Gives up waiting.
 * @param timeoutMs How long to wait for others, in milliseconds.
 * @throws Whatever the system says, where it cannot lock at all.
 */
export async function waitForLock(
  file: Deno.FsFile,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<LockOutcome> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 1;; pause = Math.min(pause * 2, 20)) {
    if (signal.aborted) return "cancelled";
    if (file.tryLockSync(true)) return "held";
    if (performance.now() > deadline) return "busy";
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
}
