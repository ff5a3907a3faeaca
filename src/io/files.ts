/** Atomic file writes. */

import { basename, dirname, join } from "node:path";
import { RefraktError } from "../errors.ts";
import { isInside, isNotFound } from "./paths.ts";
import { isRefusal, mayWrite } from "./permissions.ts";

/** Options for writing a file. */
export interface WriteOptions {
  /** The real, absolute folder that the file must stay in; by default, its own folder. */
  readonly root?: string;
  /** The mode of a new file; existing files keep theirs. */
  readonly mode?: number;
}

/**
 * Writes a file through a temporary file and a rename, so that readers and crashes see either the
 * old or the new content. Writes in place if the permission covers only the file, not its folder.
 *
 * @param path The absolute path; its folder must exist.
 * @param text The whole new content.
 * @throws {RefraktError} `PERMISSION_DENIED` if the folder does not exist or leads out of `root`.
 */
export function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  { root, mode }: WriteOptions = {},
): void {
  const kept = modeOf(path) ?? mode;
  const options = {
    ...(root === undefined ? {} : { root }),
    ...(kept === undefined ? {} : { mode: kept }),
  };
  if (!mayWrite(temporaryName(path))) return writeInPlace(path, text, options);
  const temporary = writeBeside(path, text, options);
  try {
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Whether a name is one of our temporary files or folders. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{8}\.tmp$/.test(name);
}

/** Returns a temporary name next to a file. `.gitignore` entries match this pattern. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}.tmp`);
}

/**
 * Writes a temporary file next to `path`; the caller renames or links it.
 *
 * @param path The absolute path of the final file.
 * @returns The absolute path of the temporary file.
 * @throws {RefraktError} `PERMISSION_DENIED` if the folder does not exist or leads out of `root`.
 */
export function writeBeside(
  path: string,
  content: string | Uint8Array,
  { root, ...options }: WriteOptions = {},
): string {
  requireFolder(path, root);
  const temporary = temporaryName(path);
  try {
    writeTo(temporary, content, { ...options, createNew: true });
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  return temporary;
}

/** Creates or overwrites a file in a directory without write permission. */
export function writeInPlace(
  path: string,
  content: string | Uint8Array,
  { root, ...options }: WriteOptions = {},
): void {
  requireFolder(path, root);
  writeTo(path, content, { ...options, create: true });
}

/** Replaces the content of a file and flushes it to disk. */
function writeTo(
  path: string,
  content: string | Uint8Array,
  options: Deno.OpenOptions,
): void {
  const file = Deno.openSync(path, { write: true, ...options });
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    let offset = 0;
    while (offset < bytes.length) offset += file.writeSync(bytes.subarray(offset));
    file.truncateSync(bytes.length);
    file.syncSync();
  } finally {
    file.close();
  }
}

/** Checks that the folder of a file exists and really lies inside `root`. */
function requireFolder(path: string, root: string | undefined): void {
  try {
    if (root === undefined || isInside(root, Deno.realPathSync(dirname(path)))) return;
  } catch (error) {
    if (isRefusal(error)) return;
    if (!isNotFound(error)) throw error;
  }
  throw folderGone(dirname(path));
}

/**
 * Removes a folder recursively.
 *
 * @param root The real, absolute folder that it must stay in.
 * @param path The absolute path of the folder.
 * @throws {RefraktError} `PERMISSION_DENIED` if it leads out of `root`.
 */
export function removeFolder(root: string, path: string): void {
  requireFolder(path, root);
  Deno.removeSync(path, { recursive: true });
}

export function folderGone(folder: string): RefraktError {
  return new RefraktError(
    "PERMISSION_DENIED",
    `The folder does not exist, or leads out of the project: ${basename(folder)}`,
    { hint: "Nothing was written. Restore the folder (not a link to it), then repeat the call." },
  );
}

export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the status of a path, links followed, or `null` if it does not exist. */
export function statIfExists(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function modeOf(path: string): number | undefined {
  try {
    const mode = Deno.statSync(path).mode;
    return mode === null ? undefined : mode & 0o777;
  } catch {
    return undefined;
  }
}
