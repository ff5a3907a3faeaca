/** Atomic file writes, and renames that wait for other programs. */

import { quotedName } from "../plain_text.ts";
import { basename, dirname, join } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import { decodeText } from "./read.ts";
import { noteWrite } from "./journal.ts";
import { ifFound, isLink, shownPath } from "./paths.ts";
import { isBusy, mayWriteTo } from "./permissions.ts";
import { noteRead } from "./reads.ts";
import { newPath, writablePath, type WriteFolder } from "./write_folder.ts";

/** The content of a file to write, and the mode of a new one. */
export interface Content {
  readonly content: string | Uint8Array;
  readonly mode?: number | undefined;
}

/**
 * Writes a file through a temporary file and a rename, so that readers and crashes see either the
 * old or the new content. Writes in place if the permission covers only the file, not its folder.
 *
 * @param path The absolute path; its folder must exist. A link is replaced.
 * @param mode The mode of a new file; existing files keep theirs.
 */
export function writeFileAtomic(
  folder: WriteFolder,
  path: string,
  content: string | Uint8Array,
  mode?: number,
): void {
  const file = fileBefore(newPath(folder, path));
  const write = { folder, ...file, mode: file.mode ?? mode };
  putFile(folder, file.path, { content, mode: write.mode });
  noteWrite({ ...write, after: textAt(file.path) });
}

/** The text of a file; `null` without a file, `undefined` of a link or of what is no text. */
function textAt(path: string): string | null | undefined {
  if (isLink(path)) return undefined;
  return orElse(() => ifFound(() => decodeText(Deno.readFileSync(path), path), null), undefined);
}

/** A file before it is changed, for the journal. */
function fileBefore(path: string) {
  const mode = orElse(() => Deno.statSync(path).mode, null);
  return { path, before: textAt(path), mode: mode === null ? undefined : mode & 0o777 };
}

/**
 * Creates or replaces a file, and returns whether it was written.
 *
 * @param isWanted Asked before every try: nothing is written once it returns `false`.
 */
export function putFile(
  folder: WriteFolder,
  real: string,
  content: Content,
  isWanted: () => boolean = () => true,
): boolean {
  // Without permission for the folder, a temporary file cannot be created.
  if (!mayWriteTo(temporaryName(real))) {
    if (!isWanted()) return false;
    writeInPlace(folder, real, content);
    return true;
  }
  const temporary = writeBeside(folder, real, content);
  try {
    return renameFile(folder, temporary, real, isWanted);
  } finally {
    discard(folder, temporary);
  }
}

/** How long a rename is tried while another program has the file open, in milliseconds. */
const RENAME_MS = 1000;

/**
 * Renames a file, over another one if there is one. Windows refuses while another program has the
 * target open: it is retried for a second, and blocks, like every write here.
 *
 * @param isWanted Asked before every try; nothing is renamed once it returns `false`.
 * @returns Whether the file was renamed.
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if another program keeps it open.
 */
export function renameFile(
  folder: WriteFolder,
  from: string,
  to: string,
  isWanted = () => true,
): boolean {
  const deadline = performance.now() + RENAME_MS;
  for (let pause = 2;; pause = Math.min(pause * 2, 50)) {
    if (!isWanted()) return false;
    try {
      Deno.renameSync(writablePath(folder, from), newPath(folder, to));
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw openElsewhere(to, error);
    }
    sleepNow(pause + Math.random() * pause);
  }
}

function openElsewhere(path: string, cause: unknown): RefraktError {
  const message = `Cannot write ${
    quotedName(basename(path))
  }: another program has it open, or protects it`;
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

/** Writes a temporary file next to `path`, and returns its path: the caller links it. */
export function writeBeside(folder: WriteFolder, path: string, content: Content): string {
  const temporary = temporaryName(writablePath(folder, path));
  writeNew(folder, temporary, content);
  return temporary;
}

/** Writes a file that must not exist yet, and leaves none if that fails. */
export function writeNew(folder: WriteFolder, path: string, content: Content): void {
  try {
    writeTo(path, content, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) discard(folder, path);
    throw error;
  }
}

/**
 * Creates or overwrites a file in a directory without write permission. A link is refused, and a file
 * with further names (hard links), because it would change under these, too; a replaced file keeps its
 * old content under them.
 */
function writeInPlace(folder: WriteFolder, path: string, content: Content): void {
  const real = writablePath(folder, path);
  const isShared = isLink(real) || (statIfExists(real)?.nlink ?? 1) > 1;
  if (isShared) throw otherNames(JSON.stringify(shownPath(folder.root, real)));
  writeTo(real, content, { create: true });
}

/** Replaces the content of a file and flushes it to disk. */
function writeTo(path: string, { content, mode }: Content, options: Deno.OpenOptions): void {
  if (mode !== undefined) options.mode = mode;
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

/** Makes a folder with those above it. @returns The folders that did not exist, outermost first. */
export function makeFolders(folder: WriteFolder, path: string): string[] {
  const real = newPath(folder, path);
  const missing: string[] = [];
  for (let at = real; statIfExists(at) === null; at = dirname(at)) missing.unshift(at);
  if (missing.length === 0) return missing;
  // Another process may be making them, too.
  try {
    Deno.mkdirSync(real, { recursive: true });
  } catch (error) {
    removeEmptyFolders(folder, missing);
    throw error;
  }
  return missing;
}

/** Makes a folder that must not exist yet, in one that exists. */
export function makeFolder(folder: WriteFolder, path: string): void {
  Deno.mkdirSync(newPath(folder, path));
}

/** Removes the empty ones of some folders, the last one first. */
export function removeEmptyFolders(folder: WriteFolder, paths: readonly string[]): void {
  for (const path of paths.toReversed()) removeIfEmpty(folder, path);
}

/** Removes a folder if it is empty, and may be removed. */
export function removeIfEmpty(folder: WriteFolder, path: string): boolean {
  return orElse(() => Deno.removeSync(writablePath(folder, path)) === undefined, false);
}

/** Removes a folder with everything in it. */
export function removeFolder(folder: WriteFolder, path: string): void {
  const real = writablePath(folder, path);
  const files = Array.from(filesBelow(real), fileBefore);
  Deno.removeSync(real, { recursive: true });
  for (const file of files) noteWrite({ folder, ...file, after: null });
}

function* filesBelow(path: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(path)) {
    if (isDirectory) yield* filesBelow(join(path, name));
    else yield join(path, name);
  }
}

/** Removes a file or a link, if it exists. */
export function removeIfThere(folder: WriteFolder, path: string): void {
  const file = fileBefore(writablePath(folder, path));
  ifFound(() => Deno.removeSync(file.path), undefined);
  noteWrite({ folder, ...file, after: null });
}

/** Removes temporary files and folders that a killed process of ours left. */
export function removeTemporaries(folder: WriteFolder, paths: Iterable<string>): void {
  for (const path of paths) {
    // Another process may have removed it, and one that cannot be removed is harmless.
    orElse(() => Deno.removeSync(writablePath(folder, path), { recursive: true }), undefined);
  }
}

export function otherNames(quotedPath: string): RefraktError {
  return new RefraktError("PERMISSION_DENIED", `The file has other names (links): ${quotedPath}`, {
    hint: "Nothing was written. Replace it with a copy that has one name, then repeat the call.",
  });
}

/** Removes a temporary file. One that another program has open is swept later. */
export function discard(folder: WriteFolder, temporary: string): void {
  try {
    ifFound(() => Deno.removeSync(writablePath(folder, temporary)), undefined);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Returns the status of a path, or `null` if it does not exist; links in a circle lead nowhere. */
export function statIfExists(path: string): Deno.FileInfo | null {
  noteRead(path);
  return ifFound(() => Deno.statSync(path), null);
}

/** Lists a folder, in no order; empty if it is missing or may not be read. */
export function listFolder(path: string): Deno.DirEntry[] {
  noteRead(join(path, "/"));
  return orElse(() => [...Deno.readDirSync(path)], []);
}

/** Limits of {@linkcode foldersBelow}: levels, and folders in all. */
const [SEARCHED_LEVELS, SEARCHED_FOLDERS] = [3, 2000];

/**
 * The paths of the folders below one, relative to it with `/`, the nearest first; links are not
 * followed.
 *
 * @param isWanted Whether a folder is searched, by its name.
 */
export function* foldersBelow(
  cwd: string,
  isWanted: (name: string) => boolean = () => true,
): Generator<string> {
  let count = 0;
  // The loop appends the folders that it visits.
  const parents = [""];
  for (const parent of parents) {
    for (const name of foldersIn(join(cwd, parent)).filter(isWanted)) {
      if (++count > SEARCHED_FOLDERS) return;
      const path = parent === "" ? name : `${parent}/${name}`;
      yield path;
      if (path.split("/").length < SEARCHED_LEVELS) parents.push(path);
    }
  }
}

/** The names of the folders in one, but those that are hidden or hold packages. */
export function foldersIn(folder: string): string[] {
  return listFolder(folder)
    .filter(({ isDirectory, name }) =>
      isDirectory && name !== "node_modules" && !name.startsWith(".")
    )
    .map(({ name }) => name).sort();
}
