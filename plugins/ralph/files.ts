/** The files of specs. Each operation fails with an error that names the path and the next tool. */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import {
  isTemporaryName,
  removeFolder,
  removeIfThere,
  writeFileAtomic,
} from "../../src/io/files.ts";
import { grantedFolder } from "../../src/io/granted.ts";
import { isNotFound, shownPath } from "../../src/io/paths.ts";
import { readIfExists } from "../../src/io/read.ts";
import { createFile, readForChange, replaceFile } from "../../src/io/shared_files.ts";
import { fileOperation } from "./failures.ts";

/** Reads a file inside the project, or returns `null` if it does not exist. */
export function readFile(cwd: string, path: string): string | null {
  return fileOperation(cwd, "read", path, () => readIfExists(cwd, path, "spec"));
}

/** Writes a whole file, whatever it held before. */
export function writeText(cwd: string, path: string, text: string): void {
  fileOperation(cwd, "write", path, () => writeFileAtomic(path, text, { root: cwd }));
}

/** Another program wrote a file after it was read, so the call has to start again. */
export class Overtaken extends RefraktError {
  constructor(shown: string) {
    super("CONFLICT", `Another program keeps changing ${shown}`, {
      hint: "This call wrote nothing. Call ralph_status when the other program has finished, " +
        "then repeat the call.",
      data: { path: shown },
    });
  }
}

/**
 * Writes a whole file, if it still holds `old`; `null` stands for no file.
 *
 * @throws {Overtaken} If the file has changed.
 */
export function replaceText(cwd: string, path: string, old: string | null, text: string): void {
  const overtaken = () => new Overtaken(shownPath(cwd, path));
  fileOperation(cwd, "write", path, () => {
    if (old === null) {
      if (!createFile(cwd, path, text)) throw overtaken();
      return;
    }
    if (lstatIfExists(path) === null) throw overtaken();
    const seen = readForChange(cwd, path, { kind: "spec" });
    if (seen.text !== old) throw overtaken();
    const replaced = replaceFile(seen, text);
    if (replaced.kind === "written") return;
    if (replaced.kind === "overtaken") {
      // An editor wrote into the old file during the rename: restore its text.
      const ours = readForChange(cwd, path, { kind: "spec" });
      if (ours.text === text) replaceFile(ours, replaced.text);
    }
    throw overtaken();
  });
}

/** Removes temporary files of killed servers. The caller holds the lock. */
export function sweepTemporaries(folder: string): void {
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (isTemporaryName(name)) Deno.removeSync(join(folder, name), { recursive: true });
    }
  } catch {
    // They are harmless, and may belong to another user.
  }
}

export function removeFile(cwd: string, path: string): void {
  fileOperation(cwd, "remove", path, () => removeIfThere(path));
}

export function removeTree(cwd: string, path: string): void {
  fileOperation(cwd, "remove", path, () => removeFolder(cwd, path));
}

/** The entries of a folder; none if it does not exist. */
export function readFolder(cwd: string, path: string): Deno.DirEntry[] {
  return fileOperation(cwd, "read", path, () => {
    try {
      return [...Deno.readDirSync(path)];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
}

/** The status of a path, links not followed; `null` if nothing is there. */
export function lstatIfExists(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The folder of all specs. `specs` may be a link inside the project. */
export function specsRoot(cwd: string): string {
  const path = join(cwd, "specs");
  return lstatIfExists(path)?.isSymlink
    ? fileOperation(cwd, "open", path, () => grantedFolder(cwd, path, "The specs directory"))
    : path;
}
