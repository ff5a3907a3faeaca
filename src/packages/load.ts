/**
 * Imports npm packages: the project's own copies by file, where they are trusted, others by `npm:`
 * specifier. Specifiers are computed, because Deno would download literal ones at every start.
 */

import { join } from "node:path";
import { asObject } from "../io/json.ts";
import { exists } from "../io/paths.ts";
import { waitAtMost } from "../io/turns.ts";
import type { CodePolicy, Project } from "../plugin/project.ts";
import { isUnpublished, loadError, notLoaded } from "./failures.ts";
import { importPolicy, specifierFrom } from "./replaced_modules.ts";
import { mayLoad, refusalIn, resolvedFile } from "./gate.ts";
import { locate } from "./located.ts";
import { readManifest } from "./manifests.ts";
import { isFirstParty } from "./names.ts";
import type { PackageReport } from "../plugin/detection.ts";
import { packagePolicy, packageReport, type PackageVersion, preparations } from "./package.ts";
import { packageVersion } from "./versions.ts";

/**
 * Imports a package.
 *
 * @param release The package at the project's version.
 * @param subpath An export of the package, such as `cli-plugin`; the main one by default.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or `PLUGIN_LOAD_FAILED` with the reason.
 */
export async function importVersion<Module = Record<string, unknown>>(
  release: PackageVersion,
  subpath?: string,
): Promise<Module> {
  return (await loadVersion<Module>(release, subpath)).module;
}

/** Imports a package and reports where it is from, too; see {@linkcode importVersion}. */
export function loadVersion<Module = Record<string, unknown>>(
  release: PackageVersion,
  subpath?: string,
): Promise<PackageReport & { readonly module: Module }> {
  return loadInTime(release, subpath, async () => {
    await preparations.get(release.name)?.(release);
    const { version } = await locate(release);
    const specifier = specifierOf(release, version, subpath);
    const module = await importModule<Module>(specifier, release.code);
    return { module, ...packageReport(release, version) };
  });
}

/**
 * Returns the address of a package's folder, with a trailing slash, and loads nothing; `undefined` if
 * a binary does not tell.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` with the reason.
 */
export function packageFolder(release: PackageVersion): Promise<string | undefined> {
  return loadInTime(release, undefined, async () => (await locate(release)).folder);
}

/**
 * Finds a refrakt package for code that works with every version: npm's newest, if npm does not
 * have the project's version.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` with the reason.
 */
export async function publishedVersion(project: Project, name: string): Promise<PackageVersion> {
  const newest = (wanted: string): PackageVersion => ({
    name,
    version: "*",
    from: `npm, which does not have ${wanted}`,
    code: packagePolicy(project),
  });
  let release: PackageVersion;
  try {
    release = packageVersion(project, name);
  } catch (error) {
    if (project.code.trust || !isFirstParty(name)) throw error;
    return newest("what package.json names");
  }
  return await loadInTime(release, undefined, () =>
    locate(release).then(() => release, (error) => {
      if (isUnpublished(error)) return newest(release.version);
      throw error;
    }));
}

/** Limits the time of loading a package, and explains its failure. */
async function loadInTime<Value>(
  release: PackageVersion,
  subpath: string | undefined,
  load: () => Promise<Value>,
): Promise<Value> {
  const { timeoutMs } = release.code;
  try {
    return await waitAtMost(timeoutMs, load(), () => {
      throw notLoaded(release.name, {
        message: `${release.name} had not loaded after ${timeoutMs / 1000} s`,
        hint: "The registry is slow or cannot be reached, or a module of the package waits for " +
          "something. Give it longer with --timeout.",
        retry: true,
      });
    });
  } catch (error) {
    throw refusalIn(error, release.name, release.code.shell.trust()) ??
      loadError(release, subpath, error);
  }
}

/** What to import for an export of a package. */
function specifierOf(release: PackageVersion, version: string, subpath?: string): string {
  const { name, isProjectCode, folder } = release;
  const path = subpath === undefined ? "" : `/${subpath}`;
  if (isProjectCode && folder !== undefined) {
    if (subpath !== undefined && hasExport(release, subpath) === false) {
      throw new Error(`ERR_PACKAGE_PATH_NOT_EXPORTED: ${name} has no export "${subpath}"`);
    }
    const base = folder.link.slice(0, -join("node_modules", name).length);
    return specifierFrom(base, name + path);
  }
  const specifier = `npm:${name}@${version}${path}`;
  if (Deno.build.standalone) return specifier;
  // Import by file: Deno remembers specifiers that failed.
  return resolvedFile(specifier)?.href ?? specifier;
}

/**
 * Imports a module with Node's modules replaced; it and its imports are judged.
 *
 * @param policy Whether the project's code is trusted.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, or what the import throws.
 */
export async function importModule<Module = Record<string, unknown>>(
  specifier: string,
  policy: CodePolicy | undefined,
  options?: ImportCallOptions,
): Promise<Module> {
  (await import("./stand_ins.ts")).installStandIns();
  importPolicy.check = mayLoad;
  if (policy?.trust) importPolicy.trustsProject = true;
  try {
    return await import(specifier, options);
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

/** Whether an installed copy has an export, by its manifest; `undefined` if there is none. */
export function hasExport(
  { folder }: Partial<Pick<PackageVersion, "folder">>,
  subpath: string,
): boolean | undefined {
  const manifest = folder && readManifest(folder.path);
  if (manifest === undefined) return undefined;
  const { exports } = manifest;
  // Without "exports", every file of the package is an export.
  if (exports === undefined) return exists(join(folder!.path, `${subpath}.js`));
  return Object.hasOwn(asObject(exports), `./${subpath}`) || "./*" in asObject(exports);
}
