/**
 * Finds the plugins of a project: those that the config names, else those among
 * its dependencies; the plan plugin wherever there is a plan; and the bundled ones.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { within } from "../io/within.ts";
import { mayPass, tooSlow } from "../npm/failures.ts";
import {
  expectedVersion,
  hasExport,
  isInRegistry,
  isMissingExport,
  loadVersion,
} from "../npm/load.ts";
import { declaredDependencies } from "../npm/facts.ts";
import { installedFirstParty } from "../npm/manifests.ts";
import { FIRST_PARTY_SCOPE, mayHaveCommands, PLAN_PACKAGE } from "../npm/names.ts";
import { resolveAhead } from "../npm/registry.ts";
import { type PackageVersion, packageVersion } from "../npm/versions.ts";
import { BUNDLED_PLUGINS, configuredPlugins, MOST_PLUGINS } from "../project/config.ts";
import { leftOutWarning, placeOf } from "../project/code_policy.ts";
import type { Project, Warning } from "../project/project.ts";
import type { PluginAdapter } from "../tools/adapter.ts";
import type { DiscoveredPlugin, PluginSource } from "../tools/discovered_plugin.ts";
import { nameKey } from "../tools/tool_names.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import { declaredOf, loadedFrom, readPlugin } from "./contract.ts";
import type { PluginWorkers } from "./isolated.ts";
import { ownerOf } from "./namespaces.ts";

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
  /** Where plugins of other publishers run, if the project's policy wants them apart. */
  readonly workers?: PluginWorkers;
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

/** A discovery that goes on: each plugin is there as soon as it has arrived. */
export interface RunningDiscovery {
  /** All of it. */
  readonly done: Promise<Discovery>;
  /** What has arrived so far. */
  soFar(): Discovery;
  /** The packages that have not. */
  pending(): readonly string[];
}

/**
 * Discovers and loads the plugins of a project. One that fails is a warning with
 * its reason, and does not keep the others from loading.
 */
export function startDiscovery(project: Project, options: DiscoverOptions = {}): RunningDiscovery {
  const { bundled = [], everything = false } = options;
  const wanted = candidates(project, everything);
  const own = (name: string) => name.startsWith(FIRST_PARTY_SCOPE);
  const loads = new Map<string, Promise<LoadResult>>();
  const load = ({ name, source }: Candidate) =>
    withinTime(project, name, loadNpmPlugin(project, name, source, options));
  for (const entry of wanted) if (own(entry.name)) loads.set(entry.name, load(entry));
  // A package that cannot be had may spoil those that the runtime resolves after it.
  const first = settled([...loads.values(), ...resolveUpstream(project, wanted)]);
  for (const entry of wanted) {
    if (!own(entry.name)) loads.set(entry.name, first.then(() => load(entry)));
  }
  for (const entry of bundled) {
    if (everything || entry.applies(project)) loads.set(entry.name, loadBundled(entry));
  }
  const arrived = new Map<string, LoadResult>();
  for (const [name, loading] of loads) {
    loads.set(name, loading.then((result) => (arrived.set(name, result), result)));
  }
  const soFar = () => mergedResults([...loads.keys()].flatMap((name) => arrived.get(name) ?? []));
  return {
    done: Promise.all(loads.values()).then(soFar),
    soFar,
    pending: () => [...loads.keys()].filter((name) => !arrived.has(name)),
  };
}

/** Discovers the plugins of a project, and waits for all of them. */
export function discoverPlugins(
  project: Project,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  return startDiscovery(project, options).done;
}

/** How long packages of other publishers wait for refrakt's own, in milliseconds. */
const FIRST_PARTY_MS = 2000;

async function settled(loads: readonly Promise<unknown>[]): Promise<void> {
  await within(Promise.allSettled(loads), FIRST_PARTY_MS);
}

/** Lets the runtime resolve what the site's tools stand on, where another package may fail. */
function resolveUpstream(project: Project, wanted: readonly Candidate[]): Promise<unknown>[] {
  if (project.site === null || wanted.every(({ name }) => name.startsWith(FIRST_PARTY_SCOPE))) {
    return [];
  }
  return ["runes", "transform"].map(async (name) =>
    await resolveAhead(packageVersion(project, FIRST_PARTY_SCOPE + name))
  );
}

/** A package that does not come in time is given up; the others are not held up by it. */
async function withinTime(
  { code: { timeoutMs } }: Project,
  name: string,
  loading: Promise<LoadResult>,
): Promise<LoadResult> {
  const loaded = await within(loading, timeoutMs, false);
  return loaded?.value ?? { warnings: [loadWarning(name, tooSlow(name, timeoutMs))] };
}

/** Sorted by namespace; of two plugins with one namespace, the first stays. */
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

function candidates(
  project: Project,
  everything: boolean,
): Candidate[] {
  const found = new Map<string, PluginSource>();
  // A bundled plugin in the config says nothing about the packages that the project uses.
  for (const name of configuredPlugins(project.config)) {
    if (!BUNDLED_PLUGINS.includes(name)) found.set(name, "config");
  }
  if (found.size === 0) {
    const names = [
      ...declaredDependencies(project).map((declared) => declared.name),
      ...installedFirstParty(project.cwd),
    ];
    const likely = [...new Set(names)].filter(mayHaveCommands).slice(0, MOST_PLUGINS);
    for (const name of likely) found.set(name, "dependency-scan");
  }
  if ((project.plan !== null || everything) && !found.has(PLAN_PACKAGE)) {
    found.set(PLAN_PACKAGE, "default");
  }
  return [...found].map(([name, source]) => ({ name, source }));
}

/** Why a plugin cannot stand beside those that were found before, or `undefined`. */
function clashOf(
  plugin: DiscoveredPlugin,
  found: readonly DiscoveredPlugin[],
): Warning | undefined {
  const { namespace, packageName } = plugin;
  const owner = ownerOf(namespace);
  if (owner !== undefined && owner.packageName !== packageName) {
    return {
      code: "NAMESPACE_RESERVED",
      message: `${packageName} is left out: the namespace "${namespace}" is part of ` +
        `"${owner.namespace}", which belongs to ${owner.packageName}`,
      hint: "Give the plugin another namespace.",
    };
  }
  const first = found.find((other) => nameKey(other.namespace) === nameKey(namespace));
  if (first === undefined) return undefined;
  return {
    code: "NAMESPACE_CLASH",
    message:
      `${packageName} is left out: ${first.packageName} has the namespace "${namespace}" already`,
    hint: "Remove one of the two plugins.",
  };
}

/** A package that may be a plugin. */
interface Candidate {
  readonly name: string;
  readonly source: PluginSource;
}

interface LoadResult {
  plugin?: DiscoveredPlugin;
  warnings: readonly Warning[];
}

async function loadNpmPlugin(
  project: Project,
  name: string,
  source: PluginSource,
  { adapters = [], workers }: DiscoverOptions,
): Promise<LoadResult> {
  try {
    if (hasExport(project, name, "cli-plugin") === false) return { warnings: [] };
    const adapter = adapters.find((entry) => entry.packageName === name);
    // What this server adapts is refrakt's own, and needs what the server may do.
    const place = adapter === undefined ? placeOf(project.code, name) : "process";
    if (place === "nowhere") {
      // What the config names, the project warns of.
      return { warnings: source === "config" ? [] : [leftOutWarning(name)] };
    }
    const version = packageVersion(project, name);
    const found = { packageName: name, versionFrom: version.from, source };
    if (place === "worker" && workers !== undefined) {
      const { plugin, declared, loaded, warnings } = await workers.load(project, version);
      if (plugin === undefined) return { warnings };
      return {
        plugin: { ...found, ...loaded, namespace: plugin.namespace, plugin, declared },
        warnings,
      };
    }
    const prepared = await adapter?.load(version);
    if (adapter?.declared !== undefined && isInRegistry(version)) {
      const plugin = onDemand(adapter.declared, version);
      const adapted = await prepared?.adapt(plugin) ?? { plugin, warnings: [] };
      return {
        plugin: {
          ...found,
          get packageVersion() {
            return expectedVersion(version);
          },
          origin: "registry",
          namespace: plugin.namespace,
          plugin: adapted.plugin,
          declared: declaredOf(plugin.commands),
        },
        warnings: adapted.warnings,
      };
    }
    const loaded = await loadVersion(version, "cli-plugin");
    const { plugin, warnings } = readPlugin(loaded.module, name);
    if (plugin === undefined) return { warnings };
    const adapted = await prepared?.adapt(plugin) ?? { plugin, warnings: [] };
    return {
      plugin: {
        ...found,
        ...loadedFrom(name, loaded),
        namespace: plugin.namespace,
        plugin: adapted.plugin,
        declared: declaredOf(plugin.commands),
        ...(adapted.check === undefined ? {} : { check: adapted.check }),
        ...(adapted.warm === undefined ? {} : { warm: adapted.warm }),
      },
      warnings: [...warnings, ...adapted.warnings],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(name, error)] };
  }
}

/** A plugin whose package is imported when one of its commands is called. */
function onDemand(declared: CliPlugin, version: PackageVersion): CliPlugin {
  const commandOf = async (name: string) => {
    const { module } = await loadVersion(version, "cli-plugin");
    const command = readPlugin(module, version.name).plugin?.commands
      .find((entry) => entry.name === name);
    if (command?.handler !== undefined) return command.handler;
    throw new RefraktError("NOT_FOUND", `${version.name} ${version.version} has no "${name}"`, {
      hint: "Another version of the package may have it.",
    });
  };
  return {
    ...declared,
    commands: declared.commands.map((command) => ({
      ...command,
      handler: async (argv: string[]) => await (await commandOf(command.name))(argv),
    })),
  };
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
        declared: declaredOf(plugin.commands),
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
    package: name,
    ...(hint === undefined ? {} : { hint }),
    ...(mayPass(error) ? { retry: true } : {}),
  };
}
