/**
 * The lint of a rune package, installed or in a folder
 * of the project. Its modules are imported, which runs them.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { asObject, fieldOf } from "../../io/json.ts";
import { importVersion } from "../../npm/load.ts";
import { declaredDependencies, installedFirstParty, readManifest } from "../../npm/manifests.ts";
import { isPackageName, mayHaveCommands } from "../../npm/names.ts";
import { packageVersion } from "../../npm/versions.ts";
import { configuredPlugins } from "../../project/config.ts";
import { requireTrust } from "../../npm/trust.ts";
import { LOCAL_CODE } from "../../project/code_policy.ts";
import type { Project } from "../../project/project.ts";
import { error, type Findings, warning } from "./findings.ts";
import { cliPluginOf, lintCommands } from "./lint_commands.ts";
import { lintPlugin } from "./lint_runes.ts";
import { fixtureFiles, packageDir } from "./load_plugin.ts";
import {
  folderSource,
  hasCommands,
  manifestIn,
  type PackageSource,
  packageSource,
} from "./package_source.ts";
import type { Finding, PluginExport } from "./shapes.ts";
import { loadUpstream } from "./upstream.ts";
import { upstreamVersions } from "./upstream_versions.ts";

/** The package that is meant: one of both is given. */
export interface PackageSourceInput {
  /** The name of a package that the project has. */
  readonly package?: string | undefined;
  /** A folder inside the project. */
  readonly dir?: string | undefined;
}

/** What {@linkcode lintPackage} finds. */
export interface PackageValidation extends Record<string, unknown> {
  /** Whether there are no errors. */
  readonly valid: boolean;
  /** The package's name, or `<unknown>`. */
  readonly pluginName: string;
  /** Where it was read from. */
  readonly source: string;
  /** What has to be mended. */
  readonly errors: readonly Finding[];
  /** What had better be mended. */
  readonly warnings: readonly Finding[];
}

/**
 * Validates a rune package.
 *
 * @param project The project.
 * @param from The name of a package that the project has, or a folder inside the project.
 * @throws {RefraktError} `INVALID_ARGS` unless one of both is given, `PERMISSION_DENIED` for a
 * folder outside the project, `PLUGIN_LOAD_FAILED` for a package that the project does not have.
 */
export async function lintPackage(
  project: Project,
  from: PackageSourceInput,
): Promise<PackageValidation> {
  if ((from.package === undefined) === (from.dir === undefined)) {
    throw new RefraktError("INVALID_ARGS", "Give either package or dir", {
      hint: '{ "package": "@refrakt-md/plan" } or { "dir": "packages/my-runes" }',
    });
  }
  const source = from.package === undefined
    ? folderSource(project, from.dir!)
    : packageSource(project, from.package);
  if (typeof source.manifest === "object" && source.manifest !== null) {
    // Its modules are run, to see what they export.
    await (from.package === undefined
      ? requireTrust(LOCAL_CODE, project.code)
      : requireTrust(packageVersion(project, from.package)));
  }
  const found: Findings = { errors: [], warnings: [] };
  await lint(project, source, found);
  return {
    valid: found.errors.length === 0,
    pluginName: source.name,
    source: source.shown,
    errors: found.errors,
    warnings: found.warnings,
  };
}

async function lint(project: Project, source: PackageSource, found: Findings): Promise<void> {
  if (source.manifest === null) {
    found.errors.push({ path: "package.json", message: "File not found" });
    return;
  }
  if (typeof source.manifest === "string") {
    found.errors.push({ path: "package.json", message: `Not JSON: ${source.manifest}` });
    return;
  }
  lintManifest(source.manifest, found);
  const { runes } = await loadUpstream(upstreamVersions(project));
  let plugin: PluginExport | undefined;
  let reason = "";
  try {
    plugin = await source.plugin(found.warnings);
  } catch (thrown) {
    // A package that is here and cannot be imported is a finding; one that is nowhere is not.
    if (source.dir === undefined) throw thrown;
    reason = `; ${messageOf(thrown).split("\n")[0]}`;
  }
  if (plugin === undefined) {
    found.errors.push({
      path: "exports",
      message: `No plugin object with a name, a version and runes is exported${reason}`,
    });
  } else {
    lintPlugin(plugin, source.dir === undefined ? [] : fixtureFiles(source.dir), runes, found);
  }
  await lintCli(project, source, found);
}

/** A package's name, version and entry point. */
function lintManifest(manifest: Readonly<Record<string, unknown>>, found: Findings): void {
  for (const field of ["name", "version"]) {
    const value = manifest[field];
    if (typeof value !== "string" || value === "") {
      error(found, `package.json.${field}`, "Required, a text that is not empty");
    }
  }
  const exports = manifest["exports"];
  const main = typeof exports === "string" ? exports : asObject(exports)["."];
  if (!manifest["main"] && !main) {
    warning(found, "package.json", 'No entry point: neither "main" nor "exports"');
  }
}

async function lintCli(project: Project, source: PackageSource, found: Findings): Promise<void> {
  let commands;
  try {
    commands = await source.commands();
  } catch (thrown) {
    error(found, "cli-plugin", `Cannot be loaded: ${messageOf(thrown).split("\n")[0]}`);
    return;
  }
  if (commands === undefined) return;
  const plugin = cliPluginOf(commands.exports);
  if (plugin === undefined) {
    found.errors.push({ path: "cli-plugin", message: "Exports no namespace and no commands" });
    return;
  }
  lintCommands(plugin, await takenNamespaces(project, source.name), found);
}

/** The namespaces of the project's other packages, by namespace. */
async function takenNamespaces(project: Project, except: string): Promise<Map<string, string>> {
  const configured = configuredPlugins(project.config);
  const names = configured.length > 0 ? configured : [
    ...declaredDependencies(project).map((declared) => declared.name),
    ...installedFirstParty(project.cwd),
  ].filter(mayHaveCommands);
  const taken = new Map<string, string>();
  const others = [...new Set(names)].filter((name) => name !== except && isPackageName(name));
  await Promise.all(others.map(async (name) => {
    try {
      const version = packageVersion(project, name);
      const dir = packageDir(project, version);
      if (dir !== undefined && readManifest(project.cwd, join(dir, "package.json")) !== undefined) {
        if (!hasCommands(manifestIn(dir))) return;
      }
      const plugin = cliPluginOf(await importVersion(version, "cli-plugin"));
      const namespace = fieldOf(plugin, "namespace");
      if (typeof namespace === "string" && !taken.has(namespace)) taken.set(namespace, name);
    } catch {
      // Without commands, or broken: then it takes no namespace.
    }
  }));
  return taken;
}
