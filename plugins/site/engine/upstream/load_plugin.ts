/**
 * Imports rune packages at the project's versions and converts them to the input of the packages'
 * merge. The packages' own loader resolves from its own location, not from the project.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { join } from "node:path";
import { messageOf, orElse, RefraktError } from "../../../../src/errors.ts";
import { listFolder } from "../../../../src/io/files.ts";
import { asObject } from "../../../../src/io/json.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import type { PackageVersion } from "../../../../src/packages/package.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { resolveInside } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import type { LoadedPlugin, PluginExport, Rune, RunesModule } from "./shapes.ts";

export async function loadPlugin(
  project: Project,
  name: string,
  runes: RunesModule,
): Promise<LoadedPlugin> {
  try {
    const version = packageVersion(project, name);
    const pkg = findPluginExport(await importVersion(version));
    checkPlugin(pkg);
    return pluginInput(pkg, name, runes, packageDir(project, version));
  } catch (error) {
    const hint = error instanceof RefraktError ? error.hint : undefined;
    throw notLoaded(`Plugin ${quotedName(name)}`, error, hint, { plugin: name });
  }
}

/** Finds the plugin object among a module's exports: the default export or the first match. */
export function findPluginExport(
  exports: Readonly<Record<string, unknown>>,
): PluginExport | undefined {
  return [exports["default"], ...Object.values(exports)].find(isPlugin);
}

/** The folder of an installed package, if it is inside the project. */
export function packageDir(project: Project, version: PackageVersion): string | undefined {
  const { folder } = version;
  // Where a workspace link leaves the project, the registry's copy is used.
  return folder && orElse(() => resolveInside(project.cwd, folder.path, "The package"), undefined);
}

/** The Markdown files in a plugin's `fixtures/`, sorted. */
export function fixtureFiles(dir: string): { file: string; text: string }[] {
  return listFolder(join(dir, "fixtures"))
    .filter(({ isFile, name }) => isFile && name.endsWith(".md")).map(({ name }) => name).sort()
    // Leave out a file that is too large or leads outside the package.
    .map((file) => ({
      file,
      text: orElse(() => readInside(dir, `fixtures/${file}`, "fixture"), ""),
    }))
    .filter(({ text }) => text.trim() !== "");
}

function pluginInput(
  pkg: PluginExport,
  npmName: string,
  module: RunesModule,
  dir: string | undefined,
): LoadedPlugin {
  const runes: Record<string, Rune> = {};
  const fixtures: Record<string, string> = dir === undefined ? {} : fileFixtures(dir, module);
  for (const [name, entry] of Object.entries(pkg.runes)) {
    const { transform: schema, fixture, aliases, seoType, authoringHints } = entry;
    const { description = `Plugin rune from ${pkg.displayName ?? pkg.name}` } = entry;
    const rune = { name, schema, description, aliases, seoType, authoringHints };
    runes[name] = module.defineRune(rune);
    if (fixture) fixtures[name] = fixture;
  }
  // File roots only serve pages that embed files.
  return { pkg, npmName, runes, fixtures, fileRoots: {} };
}

function fileFixtures(dir: string, module: RunesModule): Record<string, string> {
  const fixtures: Record<string, string> = {};
  for (const { file, text } of fixtureFiles(dir)) {
    try {
      const { rune, scenario, body } = module.parseFixture(text, file);
      if (body && (scenario === "canonical" || !Object.hasOwn(fixtures, rune))) {
        fixtures[rune] = body;
      }
    } catch {
      // `refrakt_package_validate` reports malformed fixtures.
    }
  }
  return fixtures;
}

function checkPlugin(pkg: PluginExport | undefined): asserts pkg is PluginExport {
  if (pkg === undefined) {
    throw new Error("it exports no plugin object with a name, a version and runes");
  }
  if (Object.keys(pkg.runes).length === 0) throw new Error("it defines no runes");
  for (const [name, entry] of Object.entries(pkg.runes)) {
    if (typeof entry?.transform !== "object" || entry.transform === null) {
      throw new Error(`its rune ${quotedName(name)} has no transform (a Markdoc schema)`);
    }
  }
}

function isPlugin(value: unknown): value is PluginExport {
  const { name, version, runes } = asObject(value);
  return typeof name === "string" && typeof version === "string" && typeof runes === "object" &&
    runes !== null;
}

/** The error for code that cannot be loaded; a refusal for lack of trust stays as it is. */
export function notLoaded(
  subject: string,
  error: unknown,
  hint?: string,
  data: Readonly<Record<string, unknown>> = {},
): RefraktError {
  if (error instanceof RefraktError && error.code === "CODE_NOT_TRUSTED") {
    return new RefraktError(error.code, error.message, { hint: error.hint, data, cause: error });
  }
  const message = `${subject} cannot be loaded: ${messageOf(error).split("\n")[0]}`;
  return new RefraktError("PLUGIN_LOAD_FAILED", message, { hint, data, cause: error });
}
