/**
 * Imports the project's npm packages, if they may run here: those that are installed by their
 * files, the others by `npm:` specifiers. The specifiers are computed: a literal one would join
 * the module graph, and be downloaded and parsed at every start.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { messageOf, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { isInside } from "../io/paths.ts";
import { within } from "../io/within.ts";
import { DEFAULT_POLICY } from "../project/code_policy.ts";
import { loading } from "../sandbox/loading.ts";
import { noteLoaded } from "./changes.ts";
import { type CarriedVersions, carriedVersions } from "./embedded.ts";
import { loadError, notInstalled, tooSlow } from "./failures.ts";
import { checkedVersion, resolveAgain } from "./from_npm.ts";
import { exportTarget, folderAbove, moduleAbove, moduleOnDisk, resolvedFile } from "./installed.ts";
import { readManifest } from "./manifests.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "./names.ts";
import { manifestAbove, requireTrust } from "./trust.ts";
import { carriedInstead, type PackageVersion } from "./versions.ts";

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

/**
 * Imports a package, and says where it came from; see {@linkcode importVersion}.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 */
export async function loadVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
  carried: CarriedVersions | undefined = carriedVersions(),
): Promise<Loaded<Module>> {
  try {
    if (carried !== undefined) {
      const module = await importOnce<Module>(specifierOf(found, subpath, carried), found.name);
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
  const specifier = specifierOf({ ...found, version }, subpath, undefined);
  if (unresolved.has(specifier)) await resolveAgain(found, version);
  const isAgain = unresolved.has(specifier);
  const module = await importOnce<Module>(
    isAgain ? import.meta.resolve(specifier) : specifier,
    found.name,
  );
  if (isFirstParty(found.name)) releases.set(found.version, version);
  return { module, version, origin: "registry" };
}

async function fromDisk<Module>(
  found: PackageVersion,
  root: string,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const { name, version, folder } = found;
  if (folder === undefined) return await fromAbove<Module>(found, subpath);
  const file = moduleOnDisk({ ...found, folder }, root, subpath);
  if (file === undefined) {
    throw new Error(
      `ERR_PACKAGE_PATH_NOT_EXPORTED: ${name} has no export ${JSON.stringify(subpath ?? ".")}`,
    );
  }
  noteLoaded(name, folder);
  const module = await importOnce<Module>(file.href, name);
  return { module, version, origin: folder.kind, path: folder.path };
}

/** A folder above the project, whose packages may be imported and whose manifests may not be read. */
async function fromAbove<Module>(
  { name, version, above = [] }: PackageVersion,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const file = moduleAbove(name, subpath, above);
  const folder = folderAbove(name, above);
  // Whether that folder may be imported was asked, and of no other.
  const isThere = file !== undefined && folder !== undefined &&
    (!folder.isInstalled || isInside(folder.path, fileURLToPath(file)));
  if (!isThere) {
    const { message, hint } = notInstalled(name);
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, { hint, data: { package: name } });
  }
  const module = await importOnce<Module>(file.href, name);
  if (!folder.isInstalled) return { module, version, origin: "linked" };
  const manifest = await manifestAbove(folder.path);
  const exact = typeof manifest?.["version"] === "string" ? manifest["version"] : version;
  return { module, version: exact, origin: "node_modules", path: folder.path };
}

/** Imports a module; what it exports is for the caller to know. */
async function importOnce<Module>(specifier: string, name: string): Promise<Module> {
  let pending = imports.get(specifier);
  if (pending === undefined) {
    const load = () => importAnyway(specifier);
    // What the server itself stands on is only slow where it is late.
    const isOurs = isFirstParty(name) || name === MARKDOC_PACKAGE;
    pending = isOurs ? load() : loading(specifier, load);
    imports.set(specifier, pending);
    // A failed download may succeed at the next try; the runtime itself remembers modules.
    pending.catch(() => imports.delete(specifier));
  }
  return await pending as Module;
}

/** Specifiers that the runtime will not import any more; their files it will, when the registry is back. */
const unresolved = new Set<string>();

/** How often, and how long apart in milliseconds, a package that is being unpacked is tried. */
const TRIES = 15;
const TRY_MS = 100;

/**
 * A package that cannot be downloaded makes the runtime fail every import of a package
 * after it; those that were resolved all the same can still be imported by their files.
 */
async function importAnyway(specifier: string): Promise<unknown> {
  try {
    return await import(specifier);
  } catch (error) {
    const said = specifier.startsWith("npm:") ? messageOf(error) : "";
    if (DENO_MESSAGES.packumentFailed.test(said)) unresolved.add(specifier);
    if (!DENO_MESSAGES.archiveFailed.test(said)) throw error;
    for (let tries = 0; tries < TRIES; tries++) {
      const file = resolvedFile(specifier);
      if (file === undefined) throw error;
      try {
        return await import(file.href);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      }
    }
    throw error;
  }
}

/**
 * The `npm:` specifier that is imported.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for what a binary does not carry.
 */
export function specifierOf(
  found: PackageVersion,
  subpath: string | undefined,
  carried: CarriedVersions | undefined,
): string {
  if (carried !== undefined && !Object.hasOwn(carried, found.name)) {
    const names = Object.keys(carried).join(", ");
    throw new RefraktError("PLUGIN_LOAD_FAILED", `This binary does not carry ${found.name}`, {
      hint: "Run the server from JSR, which downloads packages: " +
        `deno run … jsr:@refrakt/mcp. The binary carries ${names}.`,
    });
  }
  const { name, version } = carriedInstead(found, carried);
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
export function isInRegistry({ root }: PackageVersion): boolean {
  return root === undefined && carriedVersions() === undefined;
}
