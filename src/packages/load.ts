/**
 * Imports the project's npm packages by `npm:` specifiers. The specifiers are
 * computed: a literal one would join the module graph, and be downloaded and
 * parsed at every start.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf, RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { type CarriedVersions, carriedVersions } from "./embedded.ts";
import { readManifest } from "./manifests.ts";
import { carriedInstead, type PackageVersion, packageVersion } from "./versions.ts";

const imports = new Map<string, Promise<unknown>>();

/**
 * Imports a package at the project's version, once.
 *
 * @param project The project, whose version counts.
 * @param name The package.
 * @param subpath An export of the package, such as `cli-plugin`; the main one by default.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED`, which says why and what to do.
 */
export async function importPackage<Module = Record<string, unknown>>(
  project: Project,
  name: string,
  subpath?: string,
): Promise<Module> {
  return await importVersion<Module>(packageVersion(project, name), subpath);
}

/**
 * Imports a package at a version that was already found; see {@linkcode importPackage}.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 */
export async function importVersion<Module = Record<string, unknown>>(
  found: PackageVersion,
  subpath?: string,
  carried: CarriedVersions | undefined = carriedVersions(),
): Promise<Module> {
  const specifier = specifierOf(found, subpath, carried);
  let pending = imports.get(specifier);
  if (pending === undefined) {
    pending = import(specifier);
    imports.set(specifier, pending);
    // A failed download may succeed at the next try; the runtime itself remembers modules.
    pending.catch(() => imports.delete(specifier));
  }
  try {
    return await pending as Module;
  } catch (error) {
    throw loadError(found, subpath, error);
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
        `deno run --no-config … jsr:@refrakt/mcp. The binary carries ${names}.`,
    });
  }
  const { name, version } = carriedInstead(found, carried);
  return `npm:${name}@${version}${subpath === undefined ? "" : `/${subpath}`}`;
}

/**
 * Whether a package has an export, as far as its installed manifest tells;
 * `undefined` where it is not installed.
 */
export function hasExport(project: Project, name: string, subpath: string): boolean | undefined {
  const manifest = readManifest(join(project.cwd, "node_modules", name, "package.json"));
  if (manifest === undefined) return undefined;
  const { exports } = manifest;
  if (typeof exports !== "object" || exports === null) {
    return ["js", "mjs", "ts"].some((ending) =>
      existsFile(join(project.cwd, "node_modules", name, `${subpath}.${ending}`))
    );
  }
  return Object.keys(exports).some((key) =>
    key === `./${subpath}` || key === "./*" || key === `./${subpath.split("/")[0]}/*`
  );
}

/** Whether an import failed because the package has no such export, rather than because it is broken. */
export function isMissingExport(error: unknown): boolean {
  const message = messageOf((error as { cause?: unknown })?.cause ?? error);
  return message.includes("ERR_PACKAGE_PATH_NOT_EXPORTED") ||
    /Cannot find module '[^']*\/cli-plugin'/.test(message);
}

function loadError(found: PackageVersion, subpath: string | undefined, error: unknown) {
  if (error instanceof RefraktError) return error;
  const { name, version, from } = found;
  const reason = messageOf(error).split("\n")[0]!.slice(0, 400);
  const what = subpath === undefined ? name : `${name}/${subpath}`;
  const unpublished = /npm package '.*' (does not exist|matching)|Could not find npm package/.test(
    reason,
  );
  const hint = unpublished
    ? `${name}@${version} (from ${from}) is not on the npm registry. A package that exists only on ` +
      "disk can be loaded only in node_modules mode: deno run --node-modules-dir=manual, with this " +
      "server's own npm dependencies installed in the project."
    : `Check that ${name}@${version} (from ${from}) is built and installs cleanly.`;
  return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}@${version}: ${reason}`, {
    hint,
    cause: error,
  });
}

function existsFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
