/**
 * The specs of a project, and which one a call means. Names from callers are looked up in the
 * listing of `specs/`; they never become part of a path.
 */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { removeIfThere, writeFileAtomic } from "../../src/io/files.ts";
import { noCurrentSpec, specNotFound } from "./failures.ts";
import { shownName } from "./names.ts";
import { readFile, readFolder, specsFolder, specsRoot } from "./files.ts";

export const POINTER = ".current-spec";

export interface Spec {
  readonly cwd: string;
  /** The folder's name, exactly as it is on disk. */
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
}

export interface Pointer {
  /** Its trimmed text; `null` if there is none. */
  readonly text: string | null;
  /** The spec that it names; `null` if that does not exist. */
  readonly spec: Spec | null;
}

/** The specs, sorted by name. Links, and folders that begin with a dot or underscore, are none. */
export function listSpecs(cwd: string): Spec[] {
  const root = specsRoot(cwd);
  return readFolder(cwd, root)
    .filter((entry) => entry.isDirectory && !/^[._]/.test(entry.name))
    .map((entry) => ({ cwd, name: entry.name, dir: join(root, entry.name) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

export function namesOf(specs: readonly Spec[]): string[] {
  return specs.map((spec) => spec.name);
}

/** Reads the pointer file. It may hold a name or, as other programs write it, `./specs/<name>`. */
export function readPointer(cwd: string, specs: readonly Spec[]): Pointer {
  const text = pointerText(cwd);
  if (text === "") return { text: null, spec: null };
  const last = /^(?:\.[\\/])?specs[\\/]([^\\/]+)[\\/]?$/.exec(text)?.[1];
  const spec = specs.find(({ name }) => name === text) ?? specs.find(({ name }) => name === last);
  return { text, spec: spec ?? null };
}

function pointerText(cwd: string): string {
  try {
    const text = readFile(cwd, join(specsRoot(cwd), POINTER)) ?? "";
    return text.replace(/^\uFEFF/, "").trim();
  } catch (error) {
    // It names no spec, and switching replaces it.
    if (error instanceof RefraktError) return "(unreadable)";
    throw error;
  }
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
export function resolveSpec(cwd: string, wanted: string | undefined): Spec {
  const specs = listSpecs(cwd);
  if (wanted !== undefined) return findSpec(specs, wanted);
  const { text, spec } = readPointer(cwd, specs);
  if (spec !== null) return spec;
  throw text === null ? noCurrentSpec(namesOf(specs)) : specNotFound(text, namesOf(specs), true);
}

export function findSpec(specs: readonly Spec[], wanted: string): Spec {
  const found = specs.find((spec) => spec.name === wanted);
  if (found === undefined) throw specNotFound(wanted, namesOf(specs));
  return found;
}

export function specFile(spec: Spec, file: string): string {
  return join(spec.dir, file);
}

/** The path of a spec or its file relative to the project, such as `specs/<name>/<file>`. */
export function specPath(spec: Spec, file = ""): string {
  return shownName(file === "" ? `specs/${spec.name}` : `specs/${spec.name}/${file}`);
}
