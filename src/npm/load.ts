/**
 * Imports the project's npm packages if they are trusted: installed ones by file, others by `npm:`
 * specifier. Specifiers are computed, because Deno would download literal ones at every start.
 */

import { withTimeLimit } from "../io/time_limit.ts";
import { type CodePolicy, DEFAULT_POLICY } from "../project/code_policy.ts";
import { loadError, notInstalled, notLoaded, tooSlow } from "./failures.ts";
import { trustFrom } from "../sandbox/modules.ts";
import { checkedVersion } from "./from_npm.ts";
import { judgeImports, neededBy, refusalIn } from "./gate.ts";
import { exportTarget, moduleOnDisk, resolvedFile } from "./installed.ts";
import { readManifest } from "./manifests.ts";
import { type PackageVersion, ruleOf } from "./package.ts";
import { requireTrust } from "./trust.ts";

/** Where a package was loaded from. */
export type Origin = "workspace" | "linked" | "node_modules" | "registry" | "embedded";

/** A module of a package, and its origin. */
export interface Loaded<Module> {
  /** The exports. */
  readonly module: Module;
  /** The exact version, if known. */
  readonly version: string;
  readonly origin: Origin;
  /** The real, absolute folder; absent for packages from the registry. */
  readonly path?: string;
}

const imports = new Map<string, Promise<unknown>>();

/**
 * Imports a package once.
 *
 * @param found The package at the project's version.
 * @param subpath An export of the package, such as `cli-plugin`; the main one by default.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or `PLUGIN_LOAD_FAILED` with the reason.
 */
export async function importVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
): Promise<Module> {
  return (await loadVersion<Module>(found, subpath)).module;
}

/** Imports a package and returns its origin too; see {@linkcode importVersion}. */
export async function loadVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
): Promise<Loaded<Module>> {
  try {
    if (ruleOf(found) === "embedded") {
      const module = await importModule<Module>(specifierOf(found, subpath), found.code);
      return { module, version: found.version, origin: "embedded" };
    }
    await requireTrust(found);
    const { timeoutMs } = found.code ?? DEFAULT_POLICY;
    const loading = found.root === undefined
      ? fromRegistry<Module>(found, subpath)
      : fromDisk<Module>(found, found.root, subpath);
    return await withTimeLimit(timeoutMs, loading, () => {
      throw tooSlow(found, timeoutMs);
    });
  } catch (error) {
    const refused = refusalIn(error);
    throw refused === undefined ? loadError(found, subpath, error) : neededBy(found.name, refused);
  }
}

async function fromRegistry<Module>(
  found: PackageVersion,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const version = await checkedVersion(found);
  const specifier = specifierOf({ ...found, version }, subpath);
  // Import by file: Deno remembers specifiers that failed.
  const file = resolvedFile(specifier)?.href ?? specifier;
  const module = await importModule<Module>(file, found.code);
  return { module, version, origin: "registry" };
}

async function fromDisk<Module>(
  found: PackageVersion,
  root: string,
  subpath: string | undefined,
): Promise<Loaded<Module>> {
  const { name, version, folder } = found;
  if (folder === undefined) throw notLoaded(name, notInstalled(name));
  const file = moduleOnDisk({ ...found, folder }, root, subpath);
  if (file === undefined) {
    throw new Error(
      `ERR_PACKAGE_PATH_NOT_EXPORTED: ${name} has no export ${JSON.stringify(subpath ?? ".")}`,
    );
  }
  const module = await importModule<Module>(file.href, found.code);
  return { module, version, origin: folder.kind, path: folder.path };
}

/**
 * Imports a module once, in the sandbox; it and its imports are judged.
 *
 * @param policy What the user trusts.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or what the import throws.
 */
export async function importModule<Module = Record<string, unknown>>(
  specifier: string,
  policy: CodePolicy | undefined,
  options?: ImportCallOptions,
): Promise<Module> {
  (await import("../sandbox/mod.ts")).enterSandbox();
  judgeImports();
  trustFrom(specifier, policy?.trusted ?? []);
  try {
    return await (options === undefined ? importOnce(specifier) : import(specifier, options));
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

/** The caller knows the type of the exports. */
async function importOnce<Module>(specifier: string): Promise<Module> {
  let pending = imports.get(specifier);
  if (pending === undefined) {
    pending = import(specifier);
    imports.set(specifier, pending);
    // Forget failures, so that a later try can succeed; Deno caches modules itself.
    pending.catch(() => imports.delete(specifier));
  }
  return await pending as Module;
}

function specifierOf({ name, version }: PackageVersion, subpath: string | undefined): string {
  return `npm:${name}@${version}${subpath === undefined ? "" : `/${subpath}`}`;
}

/**
 * Whether an installed package has an export, according to its manifest; `undefined` if that is
 * unreadable.
 */
export function hasExport({ root, folder }: PackageVersion, subpath: string): boolean | undefined {
  if (root === undefined || folder === undefined) return undefined;
  const manifest = readManifest(folder.path, "package.json");
  return manifest === undefined ? undefined : exportTarget(manifest, subpath) !== undefined;
}
