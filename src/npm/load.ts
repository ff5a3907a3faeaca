/**
 * Imports the project's npm packages if they are trusted: installed ones by file, others by `npm:`
 * specifier. Specifiers are computed, because Deno would download literal ones at every start.
 */

import { join } from "node:path";
import { isObject } from "../io/json.ts";
import { exists } from "../io/paths.ts";
import { waitAtMost } from "../io/wait.ts";
import { type CodePolicy, DEFAULT_POLICY } from "../project/code_policy.ts";
import { loadError, tooSlow } from "./failures.ts";
import { checkImports, trustFrom } from "../stand_ins/modules.ts";
import { mayLoad, neededBy, refusalIn } from "./gate.ts";
import { exportTarget, moduleOnDisk, resolvedFile } from "./installed.ts";
import { locate } from "./located.ts";
import { readManifest } from "./manifests.ts";
import { type PackageReport, packageReport, type PackageVersion } from "./package.ts";
import { requireTrust } from "./trust.ts";

/** A module of a package, and where it is from. */
export interface Loaded<Module> extends PackageReport {
  /** The exports. */
  readonly module: Module;
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
export function loadVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
): Promise<Loaded<Module>> {
  return loading(found, subpath, async () => {
    await requireTrust(found);
    const { version, from } = await moduleOf(found, subpath);
    const module = await importModule<Module>(from, found.code);
    return { module, ...packageReport(found, version) };
  });
}

/**
 * Returns the address of a package's folder, with a trailing slash, and loads nothing; `undefined` if
 * a binary does not tell.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` with the reason.
 */
export function packageFolder(found: PackageVersion): Promise<string | undefined> {
  return loading(found, undefined, async () => (await locate(found)).folder);
}

/** Limits the time of loading a package, and explains its failure. */
async function loading<Value>(
  found: PackageVersion,
  subpath: string | undefined,
  load: () => Promise<Value>,
): Promise<Value> {
  const { timeoutMs } = found.code ?? DEFAULT_POLICY;
  try {
    return await waitAtMost(timeoutMs, load(), () => {
      throw tooSlow(found.name, timeoutMs);
    });
  } catch (error) {
    const refused = refusalIn(error);
    throw refused === undefined ? loadError(found, subpath, error) : neededBy(found.name, refused);
  }
}

/** Finds what to import for an export of a package, and the exact version. */
async function moduleOf(
  found: PackageVersion,
  subpath: string | undefined,
): Promise<{ readonly version: string; readonly from: string }> {
  const { name, root, folder } = found;
  const { version } = await locate(found);
  if (root === undefined) {
    const specifier = `npm:${name}@${version}${subpath === undefined ? "" : `/${subpath}`}`;
    if (Deno.build.standalone) return { version, from: specifier };
    // Import by file: Deno remembers specifiers that failed.
    return { version, from: resolvedFile(specifier)?.href ?? specifier };
  }
  const file = moduleOnDisk({ ...found, root, folder: folder! }, subpath);
  if (file !== undefined) return { version, from: file.href };
  throw new Error(
    `ERR_PACKAGE_PATH_NOT_EXPORTED: ${name} has no export ${JSON.stringify(subpath ?? ".")}`,
  );
}

/**
 * Imports a module once, with the stand-ins; it and its imports are judged.
 *
 * @param policy What the user trusts.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or what the import throws.
 */
export async function importModule<Module = Record<string, unknown>>(
  specifier: string,
  policy: CodePolicy | undefined,
  options?: ImportCallOptions,
): Promise<Module> {
  (await import("../stand_ins/mod.ts")).installStandIns();
  checkImports(mayLoad);
  trustFrom(specifier, policy?.trusted ?? []);
  try {
    return await (options === undefined ? importOnce(specifier) : import(specifier, options));
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

/** The caller knows the type of the exports. */
async function importOnce<Module>(specifier: string): Promise<Module> {
  const pending = imports.getOrInsertComputed(specifier, () => import(specifier));
  // Forget failures, so that a later try can succeed; Deno caches modules itself.
  pending.catch(() => imports.delete(specifier));
  return await pending as Module;
}

/**
 * Whether an installed package has an export, according to its manifest; `undefined` if that is
 * unreadable.
 */
export function hasExport({ root, folder }: PackageVersion, subpath: string): boolean | undefined {
  if (root === undefined || folder === undefined) return undefined;
  const manifest = readManifest(folder.path, "package.json");
  const target = exportTarget(manifest, subpath);
  if (manifest === undefined || target === undefined) return manifest && false;
  // Without "exports", every file of the package is an export.
  return isObject(manifest["exports"]) || exists(join(folder.path, target));
}
