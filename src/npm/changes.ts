/**
 * Packages of the project whose files changed after they were loaded. The runtime keeps
 * a module that it has imported, so a rebuilt package needs a new process.
 *
 * @module
 */

import { join } from "node:path";
import { shownPath } from "../io/paths.ts";
import { fileStamp } from "../io/stamp.ts";
import type { Project, Warning } from "../project/project.ts";
import type { PackageFolder } from "./versions.ts";

/** A package that was loaded from the project. */
interface LoadedFolder {
  readonly name: string;
  readonly path: string;
  readonly stamp: string;
}

/** How many files of one package are looked at. */
const MOST_FILES = 2000;

const SKIPPED = new Set(["node_modules", ".git", "src", "tests", "test"]);

/** Imported modules belong to the process, and so does the note of which they are. */
const loaded = new Map<string, LoadedFolder>();

/** Notes what a package is like just before its first module is imported. */
export function noteLoaded(name: string, folder: Pick<PackageFolder, "path" | "kind">): void {
  // What a package manager installed is replaced as a whole, which the project's stamp shows.
  if (folder.kind === "node_modules" || loaded.has(folder.path)) return;
  loaded.set(folder.path, { name, path: folder.path, stamp: folderStamp(folder.path) });
}

/** Says which packages were rebuilt since, in one warning. */
export function changedPackages(project: Project): Warning[] {
  const changed = [...loaded.values()].filter(({ path, stamp }) => folderStamp(path) !== stamp)
    .map(({ name, path }) => `${name} (${shownPath(project.cwd, path)})`);
  if (changed.length === 0) return [];
  return [{
    code: "RESTART_NEEDED",
    message: changed.length === 1
      ? `${changed[0]} has changed since it was loaded`
      : `${changed.length} packages have changed since they were loaded: ${changed.join(", ")}`,
    hint: "Restart the server to work with what is there now.",
  }];
}

/** A string that differs when a file that may be loaded was changed, added or removed. */
function folderStamp(folder: string): string {
  const stamps: string[] = [];
  const waiting = [folder];
  while (waiting.length > 0 && stamps.length < MOST_FILES) {
    const current = waiting.pop()!;
    for (const entry of entriesOf(current)) {
      const path = join(current, entry.name);
      if (entry.isDirectory && !SKIPPED.has(entry.name)) waiting.push(path);
      if (!entry.isFile || !/\.(?:[cm]?[jt]sx?|json)$/.test(entry.name)) continue;
      stamps.push(`${path}:${fileStamp(path)}`);
    }
  }
  return stamps.sort().join("\n");
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}
