/**
 * Finds and loads a project's plugins of npm: the configured ones, else those among the dependencies;
 * and the packages that active plugins of ours work with.
 */

import { messageOf, type WarningCode } from "../errors.ts";
import { shownPath } from "../io/paths.ts";
import { waitAtMost } from "../io/turns.ts";
import { isMissingExport, mayPass, pluginFailure } from "../packages/failures.ts";
import { hasExport, loadVersion, publishedVersion } from "../packages/load.ts";
import { packageVersion } from "../packages/versions.ts";
import { quotedName } from "../plain_text.ts";
import { installedFirstParty, packageFacts, takesFromDisk } from "../packages/manifests.ts";
import { isFirstParty, mayHaveCommands, reservedFor } from "../packages/names.ts";
import { MOST_PLUGINS } from "../plugin/config.ts";
import type { Project, Warning } from "../plugin/project.ts";
import { BUNDLED } from "../bundled.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { PluginSource } from "../plugin/detection.ts";
import type { NpmPlugin } from "./inventory.ts";
import { nameKey } from "../plugin/tool.ts";
import { npmPlugin } from "./npm_plugin.ts";

export interface LoadedPlugins {
  readonly plugins: readonly NpmPlugin[];
  /** About plugins that did not load, are malformed or clash. */
  readonly warnings: readonly Warning[];
}

export const NO_PLUGIN: LoadedPlugins = { plugins: [], warnings: [] };

/** How long downloads wait for installed plugins, in milliseconds. */
const INSTALLED_MS = 5000;

/** Starts loading plugins; one that fails causes a warning and does not affect the others. */
export function startDiscovery(
  project: Project,
  packages: ReadonlyMap<string, PluginSource>,
  plugins: readonly Plugin[],
) {
  const results = new Map<string, LoadedPlugins>();
  const workerOf = (name: string) => plugins.find((plugin) => plugin.package?.name === name);
  const load = async (name: string) => {
    results.set(name, await loadNpmPlugin(project, name, packages.get(name)!, workerOf(name)));
  };
  const loadAll = async (names: readonly string[]) => void await Promise.all(names.map(load));
  const isFromDisk = takesFromDisk(project);
  const { worked = [], cached = [], local = [] } = Object.groupBy(
    packages.keys(),
    (name) => workerOf(name) ? "worked" : isFirstParty(name) && !isFromDisk ? "cached" : "local",
  );
  const installed = loadAll(local);
  // Deno imports nothing during a download, so installed packages go first.
  const afterInstalled = waitAtMost(INSTALLED_MS, installed, () => {});
  const listable = Promise.all([installed, afterInstalled.then(() => loadAll(cached))]);
  return {
    /** Resolves when the plugins whose commands only their modules know have loaded or failed. */
    listable,
    whole: () => Promise.all([listable, afterInstalled.then(() => loadAll(worked))]),
    loaded: () =>
      mergedResults(project, [...packages.keys()].flatMap((name) => results.get(name) ?? [])),
    pending: () => [...packages.keys()].filter((name) => !results.has(name)),
  };
}

/** Merges plugins, sorted by namespace; the first one of each namespace stays. */
function mergedResults(project: Project, results: readonly LoadedPlugins[]): LoadedPlugins {
  const warnings = results.flatMap((result) => result.warnings);
  const plugins: NpmPlugin[] = [];
  for (const plugin of results.flatMap((result) => result.plugins)) {
    const clash = clashOf(project, plugin, plugins);
    if (clash === undefined) plugins.push(plugin);
    else warnings.push(clash);
  }
  plugins.sort((a, b) => a.summary.namespace < b.summary.namespace ? -1 : 1);
  return { plugins, warnings };
}

export function pluginPackages(
  project: Project,
  plugins: readonly Plugin[] = BUNDLED,
): Map<string, PluginSource> {
  const sources = new Map<string, PluginSource>();
  for (const name of project.config?.packages ?? []) sources.set(name, "config");
  if (sources.size === 0) {
    const declared = packageFacts(project).declared.map(({ name }) => name);
    const names = new Set([...declared, ...installedFirstParty(project.cwd)]);
    const likely = [...names].filter(mayHaveCommands).slice(0, MOST_PLUGINS);
    for (const name of likely) sources.set(name, "dependency-scan");
  }
  for (const { name, package: worked } of plugins) {
    const isUsed = worked !== undefined && project.active.includes(name);
    if (isUsed && !sources.has(worked.name)) sources.set(worked.name, "default");
  }
  return sources;
}

function clashOf(
  project: Project,
  { summary: { namespace, packageName } }: NpmPlugin,
  earlier: readonly NpmPlugin[],
): Warning | undefined {
  const name = quotedName(namespace);
  const start = `${packageName} is skipped: `;
  const reserved = reservedFor(namespace, packageName, project);
  if (reserved !== undefined) {
    return {
      code: "NAMESPACE_RESERVED",
      message: `${start}the namespace ${name} is part of ${quotedName(reserved.name)}, which is ` +
        `reserved for ${reserved.owner}`,
      hint: "Give the plugin another namespace.",
    };
  }
  const first = earlier.find(({ summary }) => nameKey(summary.namespace) === nameKey(namespace));
  return first && {
    code: "NAMESPACE_CLASH",
    message: `${start}${first.summary.packageName} already has the namespace ${name}`,
    hint: "Remove one of the two plugins.",
  };
}

/** Loads the plugin of a trusted package; `worker` is the bundled plugin that adapts it. */
async function loadNpmPlugin(
  project: Project,
  name: string,
  source: PluginSource,
  worker: Plugin | undefined,
): Promise<LoadedPlugins> {
  try {
    // Bundled plugins use the version that npm has.
    const release = worker === undefined
      ? packageVersion(project, name)
      : await publishedVersion(project, name);
    // A package that the config names is imported even so: the failure gives the reason.
    if (hasExport(release, "cli-plugin") === false && source !== "config") return NO_PLUGIN;
    const loadWarnings = await worker?.package?.load(project) ?? [];
    const { module, version, versionFrom, origin, path } = await loadVersion(release, "cli-plugin");
    const { checkPlugin } = await import("../plugin/check_cli_plugin.ts");
    let checked: ReturnType<typeof checkPlugin>;
    try {
      checked = checkPlugin(module["default"] ?? module);
    } catch (error) {
      return { plugins: [], warnings: [malformed(name, `its cli-plugin: ${messageOf(error)}`)] };
    }
    const { namespace, commands, problems } = checked;
    const skipped = [...Map.groupBy(problems, ({ entry }) => entry)].map(([entry, [first]]) =>
      malformed(name, `${entry} is skipped: ${first!.path}: ${first!.message}`)
    );
    const summary = {
      namespace,
      packageName: name,
      packageVersion: version,
      versionFrom,
      source,
      origin,
      path: path && shownPath(project.cwd, path),
      commands: commands.map((command) => command.name),
    };
    return {
      plugins: [{ summary, commands, plugin: npmPlugin(checked, name, worker) }],
      warnings: [...skipped, ...loadWarnings],
    };
  } catch (error) {
    if (isMissingExport(error)) return NO_PLUGIN;
    const { code, message, hint } = pluginFailure(project, name, error);
    const failure = { code: code as WarningCode, message, package: name, hint };
    return { plugins: [], warnings: [{ ...failure, retry: mayPass(error) || undefined }] };
  }
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Correct the declaration in the package.",
  };
}
