/** Atomic file writes, and renames that wait for other programs. */

import { fieldOf } from "./json.ts";
import { basename, dirname, join } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import { ifFound, isInside, isNotFound, realPathOf, shownPath } from "./paths.ts";
import { isBusy, isRefusal, mayWrite } from "./permissions.ts";
import { noteRead } from "./reads.ts";

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
    renameFile(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** How long a rename is tried while another program has the file open, in milliseconds. */
const BUSY_MS = 1000;

/**
 * Renames a file, over another one if there is one. While another program has that open, Windows
 * refuses: then it tries again for a second, which blocks, as all of our writes do.
 *
 * @param isWanted Asked before every try; nothing is renamed once it returns `false`.
 * @returns Whether the file was renamed.
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if another program keeps it open.
 */
export function renameFile(from: string, to: string, isWanted = () => true): boolean {
  const deadline = performance.now() + BUSY_MS;
  for (let pause = 2;; pause = Math.min(pause * 2, 50)) {
    if (!isWanted()) return false;
    try {
      Deno.renameSync(from, to);
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw openElsewhere(to, error);
    }
    sleepNow(pause + Math.random() * pause);
  }
}

function openElsewhere(path: string, cause: unknown): RefraktError {
  const message = `Cannot write ${basename(path)}: another program has it open, or protects it`;
  return new RefraktError("FILE_OPERATION_FAILED", message, {
    hint:
      "The file is unchanged. Close it in other programs; virus scanners and indexers release " +
      "it after a moment. Otherwise check its owner and attributes. Then repeat the call.",
    cause,
  });
}

/** Waits without letting other work run. */
export function sleepNow(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
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
    discard(temporary);
    throw error;
  }
  return temporary;
}

/**
 * Creates or overwrites a file in a directory without write permission. A file with further names
 * (hard links) is refused, because it would change under these, too; a replaced file keeps its old
 * content under them.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` for a file with further names.
 */
export function writeInPlace(
  path: string,
  content: string | Uint8Array,
  { root, ...options }: WriteOptions = {},
): void {
  requireFolder(path, root);
  if ((statIfExists(path)?.nlink ?? 1) > 1) throw otherNames(JSON.stringify(basename(path)));
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
    if (root === undefined || isInside(root, realPathOf(dirname(path), root))) return;
  } catch (error) {
    if (isRefusal(error)) return;
    if (!isNotFound(error)) throw error;
  }
  throw folderGone(dirname(path), root);
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

export function folderGone(folder: string, root = dirname(folder)): RefraktError {
  return new RefraktError(
    "PERMISSION_DENIED",
    `The folder does not exist, or leads out of the project: ${shownPath(root, folder)}`,
    { hint: "Nothing was written. Restore the folder (not a link to it), then repeat the call." },
  );
}

/** @param shown The quoted path for the message. */
export function otherNames(shown: string): RefraktError {
  return new RefraktError("PERMISSION_DENIED", `The file has other names (links): ${shown}`, {
    hint: "Nothing was written. Replace it with a copy that has one name, then repeat the call.",
  });
}

export function removeIfThere(path: string): void {
  ifFound(() => Deno.removeSync(path), undefined);
}

/** Removes a temporary file. One that another program has open is swept later. */
export function discard(temporary: string): void {
  try {
    removeIfThere(temporary);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Returns the status of a path, or `null` if it does not exist; links in a circle lead nowhere. */
export function statIfExists(path: string): Deno.FileInfo | null {
  noteRead(path);
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isNotFound(error) || fieldOf(error, "code") === "ELOOP") return null;
    throw error;
  }
}

function modeOf(path: string): number | undefined {
  const mode = orElse(() => Deno.statSync(path).mode, null);
  return mode === null ? undefined : mode & 0o777;
}
