/**
 * One lock a project, so that servers side by side do not overwrite each other's
 * work. The operating system frees it when a process dies.
 *
 * @module
 */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { type LockOutcome, waitForLock } from "../../src/io/lock.ts";
import { fileFailure, fileOperation } from "./failures.ts";
import { lstatIfExists, Overtaken, specsRoot, sweepTemporaries } from "./files.ts";

// The name is covered by the ignore pattern of state files.
const LOCK_NAME = ".ralph-state.json.lock";

/** How long a call waits for others, in milliseconds. */
const LOCK_TIMEOUT_MS = 15_000;

/** How often work is begun again where somebody writes the same files without the lock. */
const MOST_TRIES = 5;

/** The calls of this process wait in line; only between processes is the lock asked for again and again. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other call of any process changes the project's specs.
 * The folder `specs` must exist. Where an editor changes a file between the reading and the
 * writing of it, the work is begun again, so it reads everything itself.
 *
 * @param cwd The project's directory.
 * @param signal Gives up waiting.
 * @param work What to do; its result is returned.
 */
export function withLock<T>(
  cwd: string,
  signal: AbortSignal,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = queues.get(cwd) ?? Promise.resolve();
  const run = before.then(() => lockAndRun(cwd, signal, work));
  const settled = run.then(() => {}, () => {});
  queues.set(cwd, settled);
  settled.then(() => {
    if (queues.get(cwd) === settled) queues.delete(cwd);
  });
  return run;
}

async function lockAndRun<T>(
  cwd: string,
  signal: AbortSignal,
  work: () => T | Promise<T>,
): Promise<T> {
  const file = openLock(cwd);
  try {
    await acquire(cwd, file, signal);
    sweepTemporaries(specsRoot(cwd));
    return await tryAgain(work, signal);
  } finally {
    file.close();
  }
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

function openLock(cwd: string): Deno.FsFile {
  const path = join(specsRoot(cwd), LOCK_NAME);
  const shown = `specs/${LOCK_NAME}`;
  return fileOperation(cwd, "write", shown, () => {
    // Opening would create a file where a link points, and wait for ever on a pipe.
    if (lstatIfExists(path)?.isFile === false) {
      throw new RefraktError("PERMISSION_DENIED", "The lock file is no plain file", {
        hint: `Remove ${shown}.`,
      });
    }
    return Deno.openSync(path, { write: true, create: true });
  });
}

async function acquire(cwd: string, file: Deno.FsFile, signal: AbortSignal): Promise<void> {
  let outcome: LockOutcome;
  try {
    outcome = await waitForLock(file, signal, LOCK_TIMEOUT_MS);
  } catch (error) {
    throw fileFailure(cwd, "lock", `specs/${LOCK_NAME}`, error);
  }
  if (outcome === "cancelled") {
    throw new RefraktError("TIMEOUT", "The call was cancelled while it waited for another one", {
      hint: "Call ralph_status, then repeat the call if it is still wanted.",
    });
  }
  if (outcome === "busy") {
    throw new RefraktError(
      "FILE_OPERATION_FAILED",
      `Failed to lock specs/${LOCK_NAME}: another process has held it for ${
        LOCK_TIMEOUT_MS / 1000
      } s`,
      {
        hint: "See whether another server hangs, then call ralph_status and repeat the call.",
        data: { path: `specs/${LOCK_NAME}` },
      },
    );
  }
}
