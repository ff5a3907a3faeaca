/**
 * The folders of a project's specs, and which one a call means. Names from callers are looked up
 * in the listing of `specs/`; they never become part of a path.
 */

import { join } from "node:path";
import { orElse } from "../../src/errors.ts";
import { removeIfThere, writeFileAtomic } from "../../src/io/files.ts";
import { word } from "../../src/plain_text.ts";
import { noCurrentSpec, specNotFound } from "./failures.ts";
import { readFile, readFolder, specsFolder, specsRoot } from "./files.ts";

export const POINTER = ".current-spec";

export interface SpecFolder {
  readonly cwd: string;
  /** Its name, exactly as it is on disk. */
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
}

/** The specs, sorted by name. Links, and folders that begin with a dot or underscore, are none. */
export function listFolders(cwd: string): SpecFolder[] {
  const root = specsRoot(cwd);
  return readFolder(cwd, root)
    .filter((entry) => entry.isDirectory && !/^[._]/.test(entry.name))
    .map((entry) => ({ cwd, name: entry.name, dir: join(root, entry.name) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Reads the pointer file. It may hold a name or, as other programs write it, `./specs/<name>`; a
 * text that names no spec is `stale`.
 */
export function readPointer(cwd: string, folders: readonly SpecFolder[]) {
  const path = join(specsRoot(cwd), POINTER);
  // An unreadable pointer names no spec, and switching replaces it.
  const text = orElse(() => readFile(cwd, path) ?? "", "(unreadable)").replace(/^\uFEFF/, "")
    .trim();
  const last = /^(?:\.[\\/])?specs[\\/]([^\\/]+)[\\/]?$/.exec(text)?.[1];
  const named = (name: string | undefined) => folders.find((folder) => folder.name === name);
  const folder = named(text) ?? named(last) ?? null;
  return { folder, stale: folder === null && text !== "" ? text : null };
}

export function writePointer(cwd: string, name: string): void {
  writeFileAtomic(specsFolder(cwd), POINTER, name);
}

export function clearPointer(cwd: string): void {
  removeIfThere(specsFolder(cwd), POINTER);
}

/**
 * The spec that a call means: the named one, or the current one.
 *
 * @throws {RefraktError} `SPEC_NOT_FOUND` for an unknown name or a stale pointer,
 * `MISSING_PREREQUISITES` if the call names none and there is no current spec.
 */
export function findFolder(cwd: string, wanted: string | undefined): SpecFolder {
  const folders = listFolders(cwd);
  const names = folders.map(({ name }) => name);
  const { folder, stale } = wanted === undefined
    ? readPointer(cwd, folders)
    : { folder: folders.find(({ name }) => name === wanted), stale: wanted };
  if (folder) return folder;
  if (stale === null) throw noCurrentSpec(names);
  throw specNotFound(stale, names, wanted === undefined);
}

export const specFile = ({ dir }: SpecFolder, file: string) => join(dir, file);

/** The path of a spec or its file relative to the project, such as `specs/<name>/<file>`. */
export function specPath({ name }: Pick<SpecFolder, "name">, file = ""): string {
  return word(file === "" ? `specs/${name}` : `specs/${name}/${file}`);
}
