/**
 * Replaces files that editors write too. Compares the file with what was read immediately before
 * the rename, and afterwards looks for text that an editor wrote into the old file meanwhile.
 *
 * One race remains, for writers that read before our rename and write after it. If they open the file
 * by name, they overwrite our change. If they still have the old file open, or rename within the
 * microseconds between our check and our rename, their text is lost. Deno cannot exchange two files
 * atomically on any platform.
 */

import { quotedName } from "../plain_text.ts";
import { dirname, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { decodeLeniently, decodeText, type FileKind, OpenFile, readWhole } from "./read.ts";
import {
  type Content,
  discard,
  otherNames,
  putFile,
  sleepNow,
  temporaryName,
  writeBeside,
  writeNew,
} from "./files.ts";
import { noteWrite } from "./journal.ts";
import { ifFound, isLink, isNotFound, resolveInside, shownPath } from "./paths.ts";
import { mayWriteTo } from "./permissions.ts";
import { newPath, writablePath, type WriteFolder } from "./write_folder.ts";

/** How long an editor that has truncated the old file may take to fill it, in milliseconds. */
const FILLING_MS = 500;
/** How long a file must stay unchanged to count as written, in milliseconds. */
const STILL_MS = 10;

/** A file and its state when it was read. */
export interface SeenFile {
  readonly folder: WriteFolder;
  /** The real path. */
  readonly path: string;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Identifies the file and its content. */
  readonly state: string;
  readonly mode: number;
}

export interface ReadOptions {
  /** Selects the size limit; a plan entity by default. */
  readonly kind?: FileKind;
  /** Whether a file of the project that may not be written is accepted. */
  readonly isOnlyRead?: boolean;
  /** Whether a link to the file, and a file with further names (hard links), is refused. */
  readonly isAlone?: boolean;
}

/**
 * Reads a file that will be changed.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` for a read-only file or one outside the folder, or as
 * `readInside`.
 */
export function readForChange(
  folder: WriteFolder,
  file: string,
  { kind = "plan", isOnlyRead = false, isAlone = false }: ReadOptions = {},
): SeenFile {
  const { root } = folder;
  const path = resolveInside(root, file, "The file");
  if (!isOnlyRead) writablePath(folder, path, file);
  const quotedPath = quotedName(shownPath(root, path));
  using open = new OpenFile(path);
  const bytes = readWhole(open, kind, quotedPath);
  const status = open.status();
  if (isAlone && (isLink(resolve(root, file)) || status.nlink > 1n)) throw otherNames(quotedPath);
  const mode = Number(status.mode) & 0o777;
  if (!isOnlyRead && Deno.build.os !== "windows" && (mode & 0o222) === 0) {
    throw new RefraktError("PERMISSION_DENIED", `Read-only file: ${quotedPath}`, {
      hint: "The file is write-protected. To allow changes, make it writable (chmod u+w).",
    });
  }
  return { folder, path, text: decodeText(bytes, quotedPath), bytes, state: open.state(), mode };
}

/**
 * Replaces a file if it still holds the text that was read.
 *
 * @param isWhole Whether a text is complete, if that can be told.
 * @returns The text that was replaced: another one if a program wrote into the old file during the
 * rename. `undefined` if the file had changed, and was not replaced.
 */
export function replaceFile(
  seen: SeenFile,
  text: string,
  isWhole: (text: string) => boolean = () => true,
): string | undefined {
  const { folder, path, mode } = seen;
  const old = temporaryName(path);
  let isKept = false;
  try {
    isKept = linkIfPossible(folder, path, old);
    // Asked again before every try: an editor may save while another program has the file open.
    if (!putFile(folder, path, { content: text, mode }, () => isAsSeen(seen))) return undefined;
    const before = (isKept ? writtenMeanwhile(old, seen, isWhole) : undefined) ?? seen.text;
    noteWrite({ folder, path, before, after: text, mode });
    return before;
  } catch (error) {
    // Also where a folder above it was moved.
    if (isNotFound(error)) return undefined;
    throw error;
  } finally {
    if (isKept) discard(folder, old);
  }
}

/**
 * Keeps the old file under a second name, because Windows replaces no file that anybody has open,
 * not even its reader. Disks without hard links find no writer in the moment of the rename.
 */
function linkIfPossible(folder: WriteFolder, path: string, to: string): boolean {
  try {
    Deno.linkSync(path, writablePath(folder, to));
    return true;
  } catch (error) {
    if (isNotFound(error)) throw error;
    return false;
  }
}

/** The text that another program wrote into the old file during the rename, once it is complete. */
function writtenMeanwhile(
  old: string,
  { bytes }: SeenFile,
  isWhole: (text: string) => boolean,
): string | undefined {
  using file = openIfThere(old);
  if (file === undefined) return undefined;
  let last = allBytes(file);
  if (isSameBytes(last, bytes)) return undefined;
  const deadline = Date.now() + FILLING_MS;
  for (;;) {
    // Blocks: this runs only if two processes write within a millisecond.
    sleepNow(STILL_MS);
    const now = allBytes(file);
    const isStill = isSameBytes(now, last);
    const text = decodeLeniently(now);
    if (isStill && (now.length > 0 && isWhole(text) || Date.now() > deadline)) {
      return now.length === 0 || isSameBytes(now, bytes) ? undefined : text;
    }
    last = now;
  }
}

/**
 * Creates a file that must not exist yet, atomically where the disk has hard links and the permission
 * covers the folder; elsewhere, readers may see an empty file for a moment.
 *
 * @returns `false` if it exists, or a link has its name.
 */
export function createFile(
  folder: WriteFolder,
  path: string,
  text: string,
  mode?: number,
): boolean {
  const real = newPath(folder, path);
  const write = mayWriteTo(temporaryName(real)) ? linkNew : writeNew;
  try {
    write(folder, real, { content: text, mode });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
  noteWrite({ folder, path: real, before: null, after: text });
  return true;
}

function linkNew(folder: WriteFolder, path: string, content: Content): void {
  const temporary = writeBeside(folder, path, content);
  try {
    Deno.linkSync(temporary, writablePath(folder, path));
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    if (isNotFound(error)) {
      const name = quotedName(shownPath(folder.root, dirname(path)));
      const message = `The folder does not exist, or leads out of the project: ${name}`;
      throw new RefraktError("PERMISSION_DENIED", message, {
        hint: "Nothing was written. Restore the folder (not a link to it), then repeat the call.",
      });
    }
    // The disk has no hard links, which every system reports in its own way.
    writeNew(folder, writablePath(folder, path), content);
  } finally {
    discard(folder, temporary);
  }
}

/** Removes a file that still is as it was read. @returns Whether it was. */
export function removeSeen(seen: SeenFile): boolean {
  if (!isAsSeen(seen)) return false;
  const { folder, path, text, mode } = seen;
  Deno.removeSync(writablePath(folder, path));
  noteWrite({ folder, path, before: text, after: null, mode });
  return true;
}

/** Whether the file is the one that was read, with the same bytes. */
function isAsSeen({ path, state, bytes: before }: SeenFile): boolean {
  using file = openIfThere(path);
  if (file === undefined || file.state() !== state) return false;
  if (!isSameBytes(allBytes(file), before)) return false;
  // Check last, and with the faster of the two functions, that the name still refers to this file:
  // another file may take the name until the rename. Later writes into this file are found afterwards.
  const now = ifFound(() => Deno.lstatSync(path), undefined);
  return now?.size === before.length && (now.ino === null || now.ino === Number(file.status().ino));
}

function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Opens a file; `undefined` if it is missing. A link in its place counts as missing. */
const openIfThere = (path: string) => ifFound(() => new OpenFile(path), undefined);

function allBytes(file: OpenFile): Uint8Array {
  return file.read(Number(file.status().size), Infinity)!;
}
