/**
 * Files of specs. A repository can bring links of its own, so nothing is read
 * through a link that leaves the project, and nothing is written through one at all.
 *
 * @module
 */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { isTemporaryName, writeFileAtomic } from "../../src/io/files.ts";
import { isNotFound, resolveInside, shownPath } from "../../src/io/paths.ts";
import { type FileHead, readHead, SIZE_LIMITS } from "../../src/io/read.ts";
import { createFile, readForChange, replaceFile } from "../../src/io/shared_files.ts";
import { fileOperation } from "./failures.ts";

/**
 * Reads a file inside the project, or returns `null` where there is none.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` where it cannot be read, is no file or leads outside.
 */
export function readFile(cwd: string, path: string): FileHead | null {
  return fileOperation(cwd, "read", shownPath(cwd, path), () => {
    try {
      // Looking first is cheaper than an error, and most files are not there yet.
      return lstatIfExists(path) === null ? null : readHead(cwd, path, SIZE_LIMITS.spec);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  });
}

/** Writes a file whole; a link in its place is replaced, not followed. */
export function writeText(cwd: string, path: string, text: string): void {
  fileOperation(
    cwd,
    "write",
    shownPath(cwd, path),
    () => writeFileAtomic(path, text, { root: cwd }),
  );
}

/** Somebody else has written a file since it was read: the work has to begin again. */
export class Overtaken extends RefraktError {
  /** @param shown The path of the file as it is shown. */
  constructor(shown: string) {
    super("CONFLICT", `Somebody else keeps changing ${shown}`, {
      hint: "Nothing of this call was written. Call ralph_status when the other writer has " +
        "finished, then repeat the call.",
      data: { path: shown },
    });
  }
}

/**
 * Writes a file whole while it is what was read, as all files are written that others write too;
 * a link in its place is replaced, not followed.
 *
 * @param old What was read; `null` where there was none.
 * @throws {Overtaken} Where it is another.
 */
export function replaceText(cwd: string, path: string, old: string | null, text: string): void {
  const shown = shownPath(cwd, path);
  fileOperation(cwd, "write", shown, () => {
    const info = lstatIfExists(path);
    if (info === null) {
      if (old !== null || !createFile(cwd, path, text)) throw new Overtaken(shown);
      return;
    }
    if (!info.isFile) {
      if ((readFile(cwd, path)?.text ?? null) !== old) throw new Overtaken(shown);
      return writeFileAtomic(path, text, { root: cwd });
    }
    const seen = readForChange(cwd, path, { kind: "spec" });
    if (seen.text !== old) throw new Overtaken(shown);
    const replaced = replaceFile(seen, text);
    if (replaced.kind === "written") return;
    if (replaced.kind === "overtaken") {
      const ours = readForChange(cwd, path, { kind: "spec" });
      if (ours.text === text) replaceFile(ours, replaced.text);
    }
    throw new Overtaken(shown);
  });
}

/** Removes what a killed server has left beside its files; nobody else may be writing. */
export function sweepTemporaries(folder: string): void {
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (isTemporaryName(name)) Deno.removeSync(join(folder, name), { recursive: true });
    }
  } catch {
    // It does no harm, and may not be ours to remove.
  }
}

/** Removes a file or a link; it is no error where there is none. */
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
