/**
 * Finds the plugins of a project: those that the config names, else those among
 * its dependencies; the plan plugin wherever there is a plan; and the bundled ones.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { hasExport, importVersion, isMissingExport } from "../packages/load.ts";
import { declaredDependencies, installedFirstParty } from "../packages/manifests.ts";
import { isExactVersion, mayHaveCommands, PLAN_PACKAGE } from "../packages/names.ts";
import { packageVersion } from "../packages/versions.ts";
import { BUNDLED_PLUGINS, configuredPlugins } from "../project/config.ts";
import type { Project, Warning } from "../project/project.ts";
import { loadedPackage } from "../sandbox/modules.ts";
import type { PluginAdapter } from "../surface/adapter.ts";
import type { CliPlugin } from "../surface/plugin.ts";
import { type DiscoveredPlugin, type PluginSource, readPlugin } from "./contract.ts";

/** A plugin that ships with the server. */
export interface BundledPlugin {
  /** The name that a config or `--plugin` uses. */
  readonly name: string;
  /** The version of the server. */
  readonly version: string;
  /** Loads it. */
  load(): Promise<CliPlugin>;
  /** Whether it applies to the project. */
  applies(project: Project): boolean;
}

/** What discovery works with. */
export interface DiscoverOptions {
  /** Knowledge about npm plugins. */
  readonly adapters?: readonly PluginAdapter[];
  /** Plugins that ship with the server. */
  readonly bundled?: readonly BundledPlugin[];
  /** Also load what does not apply, to answer for tools that are not listed. */
  readonly everything?: boolean;
}

/** What discovery found. */
export interface Discovery {
  /** The plugins, sorted by namespace. */
  readonly plugins: readonly DiscoveredPlugin[];
  /** What did not load, is malformed or clashes. */
  readonly warnings: readonly Warning[];
}

/**
 * Discovers and loads the plugins of a project. One that fails is a warning with
 * its reason, and does not keep the others from loading.
 */
export async function discoverPlugins(
  project: Project,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  const { adapters = [], bundled = [], everything = false } = options;
  const warnings: Warning[] = [];
  const loading = candidates(project, everything)
    .map(({ name, source }) => loadNpmPlugin(project, name, source, adapters));
  for (const entry of bundled) {
    if (everything || entry.applies(project)) loading.push(loadBundled(entry));
  }
  const found: DiscoveredPlugin[] = [];
  for (const result of await Promise.all(loading)) {
    warnings.push(...result.warnings);
    if (result.plugin === undefined) continue;
    const { plugin } = result;
    const first = found.find((other) => other.namespace === plugin.namespace);
    if (first === undefined) found.push(plugin);
    else {
      warnings.push({
        code: "NAMESPACE_CLASH",
        message:
          `${plugin.packageName} is left out: ${first.packageName} has the namespace "${plugin.namespace}" already`,
        hint: "Remove one of the two plugins.",
      });
    }
  }
  found.sort((a, b) => a.namespace < b.namespace ? -1 : 1);
  return { plugins: found, warnings };
}

function candidates(
  project: Project,
  everything: boolean,
): { name: string; source: PluginSource }[] {
  const found = new Map<string, PluginSource>();
  // A bundled plugin in the config says nothing about the packages that the project uses.
  for (const name of configuredPlugins(project.config)) {
    if (!BUNDLED_PLUGINS.includes(name)) found.set(name, "config");
  }
  if (found.size === 0) {
    const names = [
      ...declaredDependencies(project.cwd).map((declared) => declared.name),
      ...installedFirstParty(project.cwd),
    ];
    for (const name of names) if (mayHaveCommands(name)) found.set(name, "dependency-scan");
  }
  if ((project.plan !== null || everything) && !found.has(PLAN_PACKAGE)) {
    found.set(PLAN_PACKAGE, "default");
  }
  return [...found].map(([name, source]) => ({ name, source }));
}

interface LoadResult {
  plugin?: DiscoveredPlugin;
  warnings: readonly Warning[];
}

async function loadNpmPlugin(
  project: Project,
  name: string,
  source: PluginSource,
  adapters: readonly PluginAdapter[],
): Promise<LoadResult> {
  try {
    if (hasExport(project, name, "cli-plugin") === false) return { warnings: [] };
    const version = packageVersion(project, name);
    const adapter = adapters.find((entry) => entry.packageName === name);
    await adapter?.prepare?.(version);
    const module = await importVersion(version, "cli-plugin");
    const { plugin, warnings } = readPlugin(module, name);
    if (plugin === undefined) return { warnings };
    const adapted = adapter === undefined ? plugin : await adapter.adapt(plugin, version);
    return {
      plugin: {
        namespace: plugin.namespace,
        packageName: name,
        packageVersion: isExactVersion(version.version)
          ? version.version
          : loadedPackage(name)?.version ?? version.version,
        versionFrom: version.from,
        source,
        plugin: adapted,
        declared: plugin.commands,
      },
      warnings,
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(name, error)] };
  }
}

async function loadBundled(entry: BundledPlugin): Promise<LoadResult> {
  try {
    const plugin = await entry.load();
    return {
      plugin: {
        namespace: plugin.namespace,
        packageName: entry.name,
        packageVersion: entry.version,
        versionFrom: "bundled",
        source: "bundled",
        plugin,
        declared: plugin.commands,
      },
      warnings: [],
    };
  } catch (error) {
    return { warnings: [loadWarning(entry.name, error)] };
  }
}

function loadWarning(name: string, error: unknown): Warning {
  const hint = error instanceof RefraktError ? error.hint : undefined;
  return {
    code: "PLUGIN_LOAD_FAILED",
    message: `Plugin ${name} is not available: ${messageOf(error)}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
