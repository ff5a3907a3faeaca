/**
 * Which specs there are, and which one a call means. A path is never built from
 * what a caller wrote: names are looked up in the listing of the folder.
 *
 * @module
 */

import { join } from "node:path";
import { isNotFound } from "../../src/io/paths.ts";
import { fileOperation, noCurrentSpec, specNotFound } from "./failures.ts";
import { readFile, removeFile, specsRoot, writeText } from "./files.ts";

/** The pointer file. */
export const POINTER = ".current-spec";

/** A folder below `specs/`. */
export interface Spec {
  /** The project's directory. */
  readonly cwd: string;
  /** The folder's name, exactly as it is on disk. */
  readonly name: string;
  /** The folder: absolute. */
  readonly dir: string;
}

/** What the pointer file says. */
export interface Pointer {
  /** Its trimmed text, or `null` where there is none. */
  readonly text: string | null;
  /** The spec that it names, where that exists. */
  readonly spec: Spec | null;
}

/** All names below `specs/`, files and links too: none of them is free. */
export function takenNames(cwd: string): string[] {
  return readFolder(cwd).map((entry) => entry.name);
}

/** The specs, sorted by name. Links, and folders that begin with a dot or underscore, are none. */
export function listSpecs(cwd: string): Spec[] {
  const root = specsRoot(cwd);
  return readFolder(cwd)
    // A link to a folder is listed as a link, not as a folder.
    .filter((entry) => entry.isDirectory && !/^[._]/.test(entry.name))
    .map((entry) => ({ cwd, name: entry.name, dir: join(root, entry.name) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The names of the specs. */
export function namesOf(specs: readonly Spec[]): string[] {
  return specs.map((spec) => spec.name);
}

/** Reads the pointer file. Its text is as little trusted as a caller's. */
export function readPointer(cwd: string, specs: readonly Spec[]): Pointer {
  const text = readFile(cwd, join(specsRoot(cwd), POINTER))?.text.replace(/^\uFEFF/, "").trim();
  if (text === undefined || text === "") return { text: null, spec: null };
  const exact = specs.find((spec) => spec.name === text);
  // The plugin may write the path of the folder.
  const last = /^(?:\.[\\/])?specs[\\/]([^\\/]+)[\\/]?$/.exec(text)?.[1];
  return { text, spec: exact ?? specs.find((spec) => spec.name === last) ?? null };
}

/** Makes a spec the current one. */
export function writePointer(cwd: string, name: string): void {
  writeText(cwd, join(specsRoot(cwd), POINTER), name);
}

/** Leaves no spec current. */
export function clearPointer(cwd: string): void {
  removeFile(cwd, join(specsRoot(cwd), POINTER));
}

/**
 * The spec that a call means: the one that it names, or the current one.
 *
 * @throws {RefraktError} `SPEC_NOT_FOUND` for an unknown name and a stale pointer,
 * `MISSING_PREREQUISITES` where nothing is named and nothing is current.
 */
export function resolveSpec(cwd: string, wanted: string | undefined): Spec {
  const specs = listSpecs(cwd);
  if (wanted !== undefined) return findSpec(specs, wanted);
  const pointer = readPointer(cwd, specs);
  if (pointer.spec !== null) return pointer.spec;
  if (pointer.text !== null) throw specNotFound(pointer.text, namesOf(specs), "pointer");
  throw noCurrentSpec(namesOf(specs));
}

/** The spec of exactly this name. */
export function findSpec(specs: readonly Spec[], wanted: string): Spec {
  const found = specs.find((spec) => spec.name === wanted);
  if (found === undefined) throw specNotFound(wanted, namesOf(specs), "call");
  return found;
}

/** A file of a spec. */
export function specFile(spec: Spec, file: string): string {
  return join(spec.dir, file);
}

/** A file of a spec as it is shown and given to the model: `specs/<name>/<file>`. */
export function specPath(spec: Spec, file = ""): string {
  return file === "" ? `specs/${spec.name}` : `specs/${spec.name}/${file}`;
}

function readFolder(cwd: string): Deno.DirEntry[] {
  return fileOperation(cwd, "read", "specs", () => {
    try {
      return [...Deno.readDirSync(specsRoot(cwd))];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
}
