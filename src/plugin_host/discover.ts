/**
 * Finds a project's plugins: the configured ones, else those among the dependencies; the plan plugin
 * if there is a plan; and the bundled ones.
 */

import { waitAtMost } from "../io/wait.ts";
import { quotedName } from "../plain_text.ts";
import { ownPackage, takesFromDisk } from "../npm/installed.ts";
import { hasExport } from "../npm/load.ts";
import { installedFirstParty, packageFacts } from "../npm/manifests.ts";
import { FIRST_PARTY_SCOPE, mayHaveCommands, PLAN_PACKAGE } from "../npm/names.ts";
import { configuredPackages, MOST_PLUGINS } from "../project/config.ts";
import type { Project, Warning } from "../project/project.ts";
import type { BundledPlugin, PluginAdapter } from "../tools/adapter.ts";
import type { DiscoveredPlugin, PluginSource } from "../tools/detection.ts";
import { reservedFor } from "../tools/reserved_names.ts";
import { nameKey } from "../tools/tool_names.ts";
import { loadBundled, loadNpmPlugin, type LoadResult } from "./plugin_loading.ts";

export interface PluginChoice {
  readonly adapters?: readonly PluginAdapter[];
  /** Plugins that ship with the server. */
  readonly bundled: readonly BundledPlugin[];
  /** npm packages, by what names them. */
  readonly packages?: ReadonlyMap<string, PluginSource>;
}

export interface Discovery {
  readonly plugins: readonly DiscoveredPlugin[];
  /** About plugins that did not load, are malformed or clash. */
  readonly warnings: readonly Warning[];
}

/** How long lists and downloads wait for installed plugins, in milliseconds. */
export const INSTALLED_MS = 5000;

/**
 * How long lists wait for plugins that Deno may have in its cache, in milliseconds: clients keep the
 * first list. Importing one takes a fraction of that, a download takes longer.
 */
const CACHED_MS = 3000;

/** A running discovery; plugins are available as soon as they have loaded. */
export interface RunningDiscovery {
  /** Resolves when the plugins that lists wait for have loaded or failed. */
  readonly installed: Promise<void>;
  /** Loads all plugins. */
  whole(): Promise<Discovery>;
  soFar(): Discovery;
  pending(): readonly string[];
}

/** Starts loading plugins; one that fails causes a warning and does not affect the others. */
export function startDiscovery(
  project: Project,
  { bundled, packages = new Map(), adapters = [] }: PluginChoice,
): RunningDiscovery {
  const loaders = new Map(bundled.map((entry) => [entry.name, () => loadBundled(entry)]));
  const [cached, adapted]: [string[], string[]] = [[], []];
  for (const [name, source] of packages) {
    const adapter = adapters.find((entry) => entry.packageName === name);
    loaders.set(name, () => loadNpmPlugin(project, name, source, adapter));
    const mayDownload = name.startsWith(FIRST_PARTY_SCOPE) &&
      !(project.code.trust && takesFromDisk(project));
    if (adapter !== undefined) adapted.push(name);
    else if (mayDownload) cached.push(name);
  }
  const arrived = new Map<string, LoadResult>();
  const load = async (names: readonly string[]) => {
    await Promise.all(names.map(async (name) => arrived.set(name, await loaders.get(name)!())));
  };
  const soFar = () => mergedResults([...loaders.keys()].flatMap((name) => arrived.get(name) ?? []));
  const installed = load(
    [...loaders.keys()].filter((name) => !cached.includes(name) && !adapted.includes(name)),
  );
  // Deno imports nothing during a download, so installed packages go first.
  const downloaded = waitAtMost(INSTALLED_MS, installed, () => {}).then(() => load(cached));
  let rest: Promise<Discovery> | undefined;
  return {
    installed: Promise.all([installed, waitAtMost(CACHED_MS, downloaded, () => {})])
      .then(() => {}),
    whole: () =>
      rest ??= Promise.all([
        installed,
        downloaded,
        waitAtMost(INSTALLED_MS, installed, () => {}).then(() => load(adapted)),
      ]).then(soFar),
    soFar,
    pending: () => [...loaders.keys()].filter((name) => !arrived.has(name)),
  };
}

/** Sorts by namespace; of two plugins with the same namespace, the first one stays. */
function mergedResults(results: readonly LoadResult[]): Discovery {
  const warnings: Warning[] = [];
  const found: DiscoveredPlugin[] = [];
  for (const result of results) {
    warnings.push(...result.warnings);
    if (result.plugin === undefined) continue;
    const clash = clashOf(result.plugin, found);
    if (clash === undefined) found.push(result.plugin);
    else warnings.push(clash);
  }
  found.sort((a, b) => a.namespace < b.namespace ? -1 : 1);
  return { plugins: found, warnings };
}

/**
 * Returns the packages that may have plugins.
 *
 * @param everything Also what does not apply to the project, for calls of unlisted tools.
 */
export function pluginPackages(project: Project, everything: boolean): Map<string, PluginSource> {
  const found = new Map<string, PluginSource>();
  // Bundled plugins do not count as a configured list of packages.
  for (const name of configuredPackages(project.config)) found.set(name, "config");
  if (found.size === 0) {
    const names = [
      ...packageFacts(project).declared.map((declared) => declared.name),
      ...installedFirstParty(project.cwd),
    ];
    const likely = [...new Set(names)].filter(mayHaveCommands).slice(0, MOST_PLUGINS);
    for (const name of likely) found.set(name, "dependency-scan");
  }
  // The package that the project's folder is, for its author.
  const own = Deno.build.standalone ? undefined : ownPackage(project);
  const hasCommands = own && hasExport({ folder: own }, "cli-plugin") === true;
  if (hasCommands) found.set(own.name, "own");
  if ((project.plan !== null || everything) && !found.has(PLAN_PACKAGE)) {
    found.set(PLAN_PACKAGE, "default");
  }
  return found;
}

/** Why a plugin clashes with earlier ones, or `undefined`. */
function clashOf(
  plugin: DiscoveredPlugin,
  found: readonly DiscoveredPlugin[],
): Warning | undefined {
  const { namespace, packageName } = plugin;
  const reserved = reservedFor(namespace, packageName);
  if (reserved !== undefined) {
    return {
      code: "NAMESPACE_RESERVED",
      message: `${packageName} is skipped: the namespace ${quotedName(namespace)} is part of ` +
        `${quotedName(reserved.name)}, which is reserved for ${reserved.owner}`,
      hint: "Give the plugin another namespace.",
    };
  }
  const first = found.find((other) => nameKey(other.namespace) === nameKey(namespace));
  if (first === undefined) return undefined;
  return {
    code: "NAMESPACE_CLASH",
    message: `${packageName} is skipped: ${first.packageName} already has the namespace ${
      quotedName(namespace)
    }`,
    hint: "Remove one of the two plugins.",
  };
}
