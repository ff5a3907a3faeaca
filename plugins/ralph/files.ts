/**
 * The files of specs, and one writer of them at a time, across all servers. What writing throws
 * becomes an error with the path and the next tool where the tool ends: {@linkcode fileFailure}.
 */

import { join } from "node:path";
import { orElse, RefraktError } from "../../src/errors.ts";
import { isTemporaryName, removeTemporaries } from "../../src/io/files.ts";
import { grantedFolder, leadsThroughLink } from "../../src/io/granted.ts";
import { withFolderLock } from "../../src/io/lock.ts";
import { ifFound, shownPath } from "../../src/io/paths.ts";
import { readIfExists } from "../../src/io/read.ts";
import { type WriteFolder, writeFolder } from "../../src/io/write_folder.ts";
import { writeFrom, writeUnlessChanged } from "../../src/io/write_together.ts";
import type { CallContext } from "../../src/tools/context.ts";
import { fileFailure } from "./failures.ts";

/** Reads a file inside the project, or returns `null` if it does not exist. */
export function readFile(cwd: string, path: string): string | null {
  return reading(cwd, path, () => readIfExists(cwd, path, "spec"));
}

/** The entries of a folder; none if it does not exist. */
export function readFolder(cwd: string, path: string): Deno.DirEntry[] {
  return reading(cwd, path, () => ifFound(() => [...Deno.readDirSync(path)], []));
}

function reading<T>(cwd: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fileFailure(cwd, "read", error, path);
  }
}

/** Another program wrote a file after it was read, so the call has to start again. */
class Overtaken extends RefraktError {
  constructor(shown: string) {
    super("CONFLICT", `Another program keeps changing ${shown}`, {
      hint: "This call wrote nothing. Call ralph_status when the other program has finished, " +
        "then repeat the call.",
      data: { path: shown },
    });
  }
}

/** A file that holds `old` and gets `text`; `null` stands for no file. */
interface Replaced {
  readonly path: string;
  readonly old: string | null;
  readonly text: string | null;
}

/**
 * Writes files that still hold their old texts, all or none.
 *
 * @throws {RefraktError} `CONFLICT` if one has changed; {@linkcode withLock} starts again then.
 */
export function replaceTexts(folder: WriteFolder, files: readonly Replaced[]): void {
  const writes = files.filter(({ old, text }) => old !== text).map((file) => {
    const write = writeFrom(folder, file.path, file, { kind: "spec" });
    if (write === undefined) throw new Overtaken(shownPath(folder.root, file.path));
    return write;
  });
  const changed = writeUnlessChanged(writes);
  if (changed !== undefined) throw new Overtaken(shownPath(folder.root, changed));
}

/** Removes temporary files of killed servers. The caller holds the lock. */
export function sweepTemporaries(cwd: string, path: string): void {
  const entries = orElse(() => [...Deno.readDirSync(path)], []);
  const names = entries.map(({ name }) => name).filter(isTemporaryName);
  removeTemporaries(specsFolder(cwd), names.map((name) => join(path, name)));
}

/**
 * The folder of all specs, under the name that Deno permits.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` for a link, which could lead anywhere.
 */
export function specsRoot(cwd: string): string {
  const path = join(cwd, "specs");
  return reading(cwd, path, () => {
    if (!leadsThroughLink(cwd, path)) return grantedFolder(cwd, path, "The specs directory");
    const hint = "Replace the link by a folder.";
    throw new RefraktError("FILE_OPERATION_FAILED", "The folder is a link", { hint });
  });
}

/** The folder that specs are written in. */
export function specsFolder(cwd: string): WriteFolder {
  return writeFolder(cwd, specsRoot(cwd));
}

/** How often a call starts again if an editor, which takes no lock, writes the same files. */
const MAX_TRIES = 5;

/**
 * Runs `work` while no other call of any process changes the project's specs. Starts it again
 * if another program was faster; so `work` has to read the files itself.
 */
export async function withLock<T>(
  { project: { cwd }, signal }: CallContext,
  work: () => T,
): Promise<T> {
  const folder = specsFolder(cwd);
  const hint = "See whether another server hangs, then call ralph_status and repeat the call.";
  return await withFolderLock(folder, { what: "the specs", hint, signal }, async () => {
    sweepTemporaries(cwd, folder.path);
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
