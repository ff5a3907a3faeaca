/**
 * The files of specs, and one writer of them at a time, across all servers. What writing throws
 * becomes an error with the path and the next tool where the tool ends: {@linkcode fileFailure}.
 */

import { join } from "node:path";
import { orElse, RefraktError } from "../../src/errors.ts";
import { isTemporaryName, removeTemporaries } from "../../src/io/files.ts";
import {
  grantedFolder,
  leadsThroughLink,
  type WriteFolder,
  writeFolder,
} from "../../src/io/write_folder.ts";
import { withFolderLock } from "../../src/io/lock.ts";
import { ifFound } from "../../src/io/paths.ts";
import { readIfExists } from "../../src/io/read.ts";
import { changedMeanwhile, writeFrom, writeTogether } from "../../src/io/write_together.ts";
import type { CallContext } from "../../src/plugin/context.ts";
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

/** A file's text; `null` stands for no file. */
type Content = string | null;

/**
 * Writes files that still hold their old texts, all or none.
 *
 * @throws {RefraktError} `CONFLICT` if one has changed: an editor takes no lock.
 */
export function replaceTexts(
  folder: WriteFolder,
  files: readonly { readonly path: string; readonly old: Content; readonly text: Content }[],
): void {
  const changed = files.filter(({ old, text }) => old !== text);
  writeTogether(changed.map((file) => {
    const write = writeFrom(folder, file.path, file, { kind: "spec" });
    if (write === undefined) throw changedMeanwhile(folder.root, file.path);
    return write;
  }));
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

/** Runs `work` while no other call of any process changes the project's specs. */
export async function withLock<T>(
  { project: { cwd }, signal }: CallContext,
  work: () => T,
): Promise<T> {
  const folder = specsFolder(cwd);
  const hint = "See whether another server hangs, then call ralph_status and repeat the call.";
  return await withFolderLock(folder, { what: "the specs", hint, signal }, () => {
    sweepTemporaries(cwd, folder.path);
    return work();
  });
}
