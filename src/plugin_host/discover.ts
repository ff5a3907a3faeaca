/**
 * Finds the plugins of a project: those that the config names, else those among
 * its dependencies; the plan plugin wherever there is a plan; and the bundled ones.
 *
 * @module
 */

import { within } from "../io/within.ts";
import { tooSlow } from "../npm/failures.ts";
import { takesFromDisk } from "../npm/installed.ts";
import { declaredDependencies, installedFirstParty } from "../npm/manifests.ts";
import { FIRST_PARTY_SCOPE, mayHaveCommands, PLAN_PACKAGE } from "../npm/names.ts";
import { BUNDLED_PLUGINS, configuredPlugins, MOST_PLUGINS } from "../project/config.ts";
import type { Project, Warning } from "../project/project.ts";
import type { DiscoveredPlugin, PluginSource } from "../tools/discovered_plugin.ts";
import { nameKey } from "../tools/tool_names.ts";
import {
  type BundledPlugin,
  loadBundled,
  loadNpmPlugin,
  type LoadResult,
  loadWarning,
  type PluginLoading,
} from "./plugin_loading.ts";

/** What discovery works with. */
export interface DiscoverOptions extends PluginLoading {
  readonly bundled?: readonly BundledPlugin[];
  /** Also load what does not apply, to answer for tools that are not listed. */
  readonly everything?: boolean;
}

/** What discovery found. */
export interface Discovery {
  readonly plugins: readonly DiscoveredPlugin[];
  /** What did not load, is malformed or clashes. */
  readonly warnings: readonly Warning[];
}

/** How long installed plugins are waited for, in milliseconds: by lists, and by what may download. */
export const INSTALLED_MS = 5000;

/** A discovery that goes on: each plugin is there as soon as it has arrived. */
export interface RunningDiscovery {
  /** Settles when the plugins have loaded or failed that are in the project and not listed before. */
  readonly installed: Promise<void>;
  /** Loads the others, too: all that there are. */
  whole(): Promise<Discovery>;
  soFar(): Discovery;
  pending(): readonly string[];
}

/**
 * Discovers the plugins of a project, and loads those that a list has to wait for. One that fails
 * is a warning with its reason, and does not keep the others from loading.
 */
export function startDiscovery(project: Project, options: DiscoverOptions = {}): RunningDiscovery {
  const { adapters = [], bundled = [], everything = false } = options;
  const loaders = new Map<string, () => Promise<LoadResult>>();
  const background: string[] = [];
  for (const entry of bundled) {
    if (everything || entry.applies(project)) loaders.set(entry.name, () => loadBundled(entry));
  }
  for (const { name, source } of candidates(project, everything)) {
    loaders.set(
      name,
      () => withinTime(project, name, loadNpmPlugin(project, name, source, options)),
    );
    const adapter = adapters.find((entry) => entry.packageName === name);
    const mayDownload = name.startsWith(FIRST_PARTY_SCOPE) && !takesFromDisk(project) &&
      adapter?.declared === undefined;
    if (adapter?.listed !== undefined || mayDownload) background.push(name);
  }
  const arrived = new Map<string, LoadResult>();
  const load = async (names: readonly string[]) => {
    await Promise.all(names.map(async (name) => arrived.set(name, await loaders.get(name)!())));
  };
  const soFar = () => mergedResults([...loaders.keys()].flatMap((name) => arrived.get(name) ?? []));
  const installed = load([...loaders.keys()].filter((name) => !background.includes(name)));
  let rest: Promise<Discovery> | undefined;
  return {
    installed,
    // While Deno downloads a package it imports nothing else, so what is installed goes first.
    whole: () =>
      rest ??= Promise.all([
        installed,
        within(installed, INSTALLED_MS).then(() => load(background)),
      ]).then(soFar),
    soFar,
    pending: () => [...loaders.keys()].filter((name) => !arrived.has(name)),
  };
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
): { name: string; source: PluginSource }[] {
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
  const reserved = reservedBy(namespace);
  if (reserved !== undefined && OWNERS[reserved] !== packageName) {
    return {
      code: "NAMESPACE_RESERVED",
      message: `${packageName} is left out: the namespace "${namespace}" is part of ` +
        `"${reserved}", which belongs to ${OWNERS[reserved]}`,
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

/** Reserved namespaces, and who may offer tools under them. */
const OWNERS: Readonly<Record<string, string>> = {
  plan: PLAN_PACKAGE,
  docs: `${FIRST_PARTY_SCOPE}docs`,
  ralph: "ralph",
  refrakt: "this server",
};

/**
 * The reserved namespace that one is, or reads as a part of in a client's spelling: `plan-next` and
 * command `id` would be `plan_next_id`, as `plan.next-id` is.
 */
function reservedBy(namespace: string): string | undefined {
  const key = nameKey(namespace).toLowerCase();
  return Object.keys(OWNERS).find((name) => key === name || key.startsWith(`${name}_`));
}
