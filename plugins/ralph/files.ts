/**
 * Files of specs. A repository can bring links of its own, so nothing is read
 * through a link that leaves the project, and nothing is written through one at all.
 *
 * @module
 */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { writeFileAtomic } from "../../src/sandbox/files.ts";
import { isNotFound, resolveInside, shownPath } from "../../src/sandbox/paths.ts";
import { fileOperation } from "./failures.ts";

/** The most of a file that is read. */
export const MAX_FILE = 4 * 1024 * 1024;

/** The text of a file of the project. */
export interface FileText {
  /** What was read. */
  readonly text: string;
  /** Whether the file is longer than what was read. */
  readonly cut: boolean;
}

/**
 * Reads a file inside the project, or returns `null` where there is none.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` where it cannot be read, is no file or leads outside.
 */
export function readInside(cwd: string, path: string, limit = MAX_FILE): FileText | null {
  return fileOperation(cwd, "read", shownPath(cwd, path), () => {
    const info = lstatIfExists(path);
    if (info === null) return null;
    const real = info.isSymlink ? resolveInside(cwd, path, "The link") : path;
    const target = info.isSymlink ? Deno.statSync(real) : info;
    if (!target.isFile) throw new RefraktError("PERMISSION_DENIED", "Not a file");
    if (target.size <= limit) return { text: Deno.readTextFileSync(real), cut: false };
    const file = Deno.openSync(real, { read: true });
    try {
      const bytes = new Uint8Array(limit);
      let filled = 0;
      while (filled < limit) {
        const count = file.readSync(bytes.subarray(filled));
        if (count === null) break;
        filled += count;
      }
      return { text: new TextDecoder().decode(bytes.subarray(0, filled)), cut: true };
    } finally {
      file.close();
    }
  });
}

/** The text of a file inside the project, or `null`; see {@linkcode readInside}. */
export function readText(cwd: string, path: string): string | null {
  return readInside(cwd, path)?.text ?? null;
}

/** Writes a file whole; a link in its place is replaced, not followed. */
export function writeText(cwd: string, path: string, text: string): void {
  fileOperation(cwd, "write", shownPath(cwd, path), () => writeFileAtomic(path, text));
}

/** Writes a file that must not exist yet, in a folder that nobody else looks into yet. */
export function writeNew(cwd: string, path: string, text: string): void {
  fileOperation(
    cwd,
    "write",
    shownPath(cwd, path),
    () => Deno.writeTextFileSync(path, text, { createNew: true }),
  );
}

/** Removes a file or a link; nothing there is as good. */
export function removeFile(cwd: string, path: string): void {
  fileOperation(cwd, "remove", shownPath(cwd, path), () => {
    try {
      Deno.removeSync(path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

/** The status of a path itself, links not followed, or `null` where there is nothing. */
export function lstatIfExists(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The folder of all specs: `specs` in the project, real and absolute. */
export function specsRoot(cwd: string): string {
  const path = join(cwd, "specs");
  return lstatIfExists(path)?.isSymlink
    ? fileOperation(cwd, "open", "specs", () => resolveInside(cwd, path, "The specs directory"))
    : path;
}
