/**
 * Finds a project's plugins of npm: the configured ones, else those among the dependencies; and the
 * packages that active plugins of ours work with.
 */

import { waitAtMost } from "../io/wait.ts";
import { quotedName } from "../plain_text.ts";
import { takesFromDisk } from "../packages/installed.ts";
import { installedFirstParty, packageFacts } from "../packages/manifests.ts";
import { isFirstParty, mayHaveCommands } from "../packages/names.ts";
import { MOST_PLUGINS } from "../plugin/config.ts";
import type { Project, Warning } from "../plugin/project.ts";
import { BUNDLED } from "../bundled.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { PluginSource } from "../plugin/detection.ts";
import type { NpmPlugin } from "./inventory.ts";
import { reservedFor } from "../packages/reserved_names.ts";
import { nameKey } from "../plugin/tool_names.ts";
import { loadNpmPlugin, type LoadResult } from "./plugin_loading.ts";

export interface LoadedPlugins {
  readonly plugins: readonly NpmPlugin[];
  /** About plugins that did not load, are malformed or clash. */
  readonly warnings: readonly Warning[];
}

/** How long downloads wait for installed plugins, in milliseconds. */
const INSTALLED_MS = 5000;

/** A running discovery; plugins are available as soon as they have loaded. */
export interface Discovery {
  /** Resolves when the plugins whose commands only their modules know have loaded or failed. */
  readonly listable: Promise<void>;
  whole(): Promise<void>;
  loaded(): LoadedPlugins;
  pending(): readonly string[];
}

/** Starts loading plugins; one that fails causes a warning and does not affect the others. */
export function startDiscovery(
  project: Project,
  packages: ReadonlyMap<string, PluginSource>,
  plugins: readonly Plugin[],
): Discovery {
  const results = new Map<string, LoadResult>();
  const loading = new Map<string, Promise<void>>();
  const workerOf = (name: string) => plugins.find((plugin) => plugin.package?.name === name);
  const load = (name: string) =>
    loading.getOrInsertComputed(name, async () => {
      const source = packages.get(name) ?? "default";
      results.set(name, await loadNpmPlugin(project, name, source, workerOf(name)));
    });
  const loadAll = async (names: readonly string[]) => void await Promise.all(names.map(load));
  const isFromDisk = takesFromDisk(project);
  const { worked = [], cached = [], local = [] } = Object.groupBy(
    packages.keys(),
    (name) => workerOf(name) ? "worked" : isFirstParty(name) && !isFromDisk ? "cached" : "local",
  );
  const installed = loadAll(local);
  // Deno imports nothing during a download, so installed packages go first.
  const afterInstalled = waitAtMost(INSTALLED_MS, installed, () => {});
  const listable = Promise.all([installed, afterInstalled.then(() => loadAll(cached))])
    .then(() => {});
  return {
    listable,
    whole: async () =>
      void await Promise.all([listable, afterInstalled.then(() => loadAll(worked))]),
    loaded: () =>
      mergedResults(project, [...packages.keys()].flatMap((name) => results.get(name) ?? [])),
    pending: () => [...packages.keys()].filter((name) => !results.has(name)),
  };
}

/** Sorts by namespace; of two plugins with the same namespace, the first one stays. */
function mergedResults(project: Project, results: readonly LoadResult[]): LoadedPlugins {
  const warnings: Warning[] = [];
  const found: NpmPlugin[] = [];
  for (const result of results) {
    warnings.push(...result.warnings);
    if (result.plugin === undefined) continue;
    const clash = clashOf(project, result.plugin, found);
    if (clash === undefined) found.push(result.plugin);
    else warnings.push(clash);
  }
  found.sort((a, b) => a.summary.namespace < b.summary.namespace ? -1 : 1);
  return { plugins: found, warnings };
}

/** Returns the packages of the project that may have plugins. */
export function pluginPackages(
  project: Project,
  plugins: readonly Plugin[] = BUNDLED,
): Map<string, PluginSource> {
  const found = new Map<string, PluginSource>();
  for (const name of project.config?.packages ?? []) found.set(name, "config");
  if (found.size === 0) {
    const names = [
      ...packageFacts(project).declared.map((declared) => declared.name),
      ...installedFirstParty(project.cwd),
    ];
    const likely = [...new Set(names)].filter(mayHaveCommands).slice(0, MOST_PLUGINS);
    for (const name of likely) found.set(name, "dependency-scan");
  }
  for (const { name, package: worked } of plugins) {
    const isUsed = worked !== undefined && project.active.includes(name);
    if (isUsed && !found.has(worked.name)) found.set(worked.name, "default");
  }
  return found;
}

/** Why a plugin clashes with earlier ones, or `undefined`. */
function clashOf(
  project: Project,
  { summary: { namespace, packageName } }: NpmPlugin,
  found: readonly NpmPlugin[],
): Warning | undefined {
  const reserved = reservedFor(namespace, packageName, project);
  if (reserved !== undefined) {
    return {
      code: "NAMESPACE_RESERVED",
      message: `${packageName} is skipped: the namespace ${quotedName(namespace)} is part of ` +
        `${quotedName(reserved.name)}, which is reserved for ${reserved.owner}`,
      hint: "Give the plugin another namespace.",
    };
  }
  const first = found.find(({ summary }) => nameKey(summary.namespace) === nameKey(namespace));
  if (first === undefined) return undefined;
  return {
    code: "NAMESPACE_CLASH",
    message: `${packageName} is skipped: ${first.summary.packageName} already has the namespace ${
      quotedName(namespace)
    }`,
    hint: "Remove one of the two plugins.",
  };
}
