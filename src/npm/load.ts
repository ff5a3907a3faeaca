/**
 * Imports the project's npm packages, if they may run here: those that are installed by their
 * files, the others by `npm:` specifiers. The specifiers are computed: a literal one would join
 * the module graph, and be downloaded and parsed at every start.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { within } from "../io/within.ts";
import { DEFAULT_POLICY } from "../project/code_policy.ts";
import { loadError, notInstalled, tooSlow } from "./failures.ts";
import { checkedVersion } from "./from_npm.ts";
import { exportTarget, moduleOnDisk, resolvedFile } from "./installed.ts";
import { readManifest } from "./manifests.ts";
import { isFirstParty } from "./names.ts";
import { type PackageVersion, ruleOf } from "./package.ts";
import { requireTrust } from "./trust.ts";

/** Where a package was loaded from. */
export type Origin = "workspace" | "linked" | "node_modules" | "registry" | "embedded";

/** A module of a package, and where it was loaded from. */
export interface Loaded<Module> {
  /** What it exports. */
  readonly module: Module;
  /** The exact version, where it is known. */
  readonly version: string;
  /** Where the package was loaded from. */
  readonly origin: Origin;
  /** Its folder: real, absolute; absent for the registry's. */
  readonly path?: string;
}

const imports = new Map<string, Promise<unknown>>();

/**
 * Imports a package that was found, once.
 *
 * @param found The package at the project's version.
 * @param subpath An export of the package, such as `cli-plugin`; the main one by default.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or `PLUGIN_LOAD_FAILED`, which says why and what to do.
 */
export async function importVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
): Promise<Module> {
  return (await loadVersion<Module>(found, subpath)).module;
}

/** Imports a package, and says where it came from; see {@linkcode importVersion}. */
export async function loadVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
): Promise<Loaded<Module>> {
  try {
    if (ruleOf(found) === "embedded") {
      const module = await importOnce<Module>(specifierOf(found, subpath));
      return { module, version: found.version, origin: "embedded" };
    }
    await requireTrust(found);
    if (found.root !== undefined) return await fromDisk<Module>(found, found.root, subpath);
    const { timeoutMs } = found.code ?? DEFAULT_POLICY;
    const loaded = await within(fromRegistry<Module>(found, subpath), timeoutMs, false);
    if (loaded === undefined) throw tooSlow(found.name, timeoutMs);
    return loaded.value;
  } catch (error) {
    throw loadError(found, subpath, error);
  }
}

/** What a range of the first-party packages means: they are released together. */
const releases = new Map<string, string>();

/**
 * The version of a package that is not loaded yet: the exact one, as far as another package
 * of the same release has told what the range means.
 */
export function expectedVersion({ name, version }: PackageVersion): string {
  return isFirstParty(name) ? releases.get(version) ?? version : version;
}

async function fromRegistry<Module>(
  found: PackageVersion,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const version = await checkedVersion(found);
  const specifier = specifierOf({ ...found, version }, subpath);
  // By its file: the runtime remembers of a specifier that it could not be had.
  const file = resolvedFile(specifier)?.href ?? specifier;
  const module = await importOnce<Module>(file);
  if (isFirstParty(found.name)) releases.set(found.version, version);
  return { module, version, origin: "registry" };
}

async function fromDisk<Module>(
  found: PackageVersion,
  root: string,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const { name, version, folder } = found;
  if (folder === undefined) {
    const { message, hint } = notInstalled(name);
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, { hint, data: { package: name } });
  }
  const file = moduleOnDisk({ ...found, folder }, root, subpath);
  if (file === undefined) {
    throw new Error(
      `ERR_PACKAGE_PATH_NOT_EXPORTED: ${name} has no export ${JSON.stringify(subpath ?? ".")}`,
    );
  }
  const module = await importOnce<Module>(file.href);
  return { module, version, origin: folder.kind, path: folder.path };
}

/** Imports a module; what it exports is for the caller to know. */
async function importOnce<Module>(specifier: string): Promise<Module> {
  let pending = imports.get(specifier);
  if (pending === undefined) {
    pending = import(specifier) as Promise<Module>;
    imports.set(specifier, pending);
    // A failed download may succeed at the next try; the runtime itself remembers modules.
    pending.catch(() => imports.delete(specifier));
  }
  return await pending as Module;
}

function specifierOf({ name, version }: PackageVersion, subpath: string | undefined): string {
  return `npm:${name}@${version}${subpath === undefined ? "" : `/${subpath}`}`;
}

/**
 * Whether an installed package has an export, as far as its manifest tells; `undefined` where
 * that cannot be read.
 */
export function hasExport({ root, folder }: PackageVersion, subpath: string): boolean | undefined {
  if (root === undefined || folder === undefined) return undefined;
  const manifest = readManifest(root, `${folder.path}/package.json`);
  return manifest === undefined ? undefined : exportTarget(manifest, subpath) !== undefined;
}

/** Whether a package may have to be downloaded before it can be imported. */
export function isInRegistry(found: PackageVersion): boolean {
  return ruleOf(found) === "npm";
}
