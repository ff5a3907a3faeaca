/** The plugins that this server knows, and what is listed before they are loaded. */

import { RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import {
  type Discovery,
  pluginPackages,
  type RunningDiscovery,
  startDiscovery,
} from "../plugin_host/discover.ts";
import { BUNDLED, RALPH } from "../bundled.ts";
import type { Project } from "../project/project.ts";
import type { PluginAdapter } from "../tools/adapter.ts";
import type { Contribution, Toolset } from "../tools/registry.ts";
import { canStartRalph } from "./kinds.ts";

export function discoverAll(
  project: Project,
  adapters: readonly PluginAdapter[],
  everything: boolean,
): RunningDiscovery {
  return startDiscovery(project, {
    adapters,
    bundled: BUNDLED.filter((plugin) => everything || plugin.applies(project)),
    packages: pluginPackages(project, everything),
  });
}

/** The tools of Ralph in projects that do not use it, if their `specs` is writable: one starts it. */
export async function ralphTools(project: Project): Promise<Contribution[]> {
  if (project.ralph || !canStartRalph(project)) return [];
  const { tools = [] } = await RALPH.load();
  return [{ tools }];
}

/** A toolset and its plugins. */
export interface Built {
  readonly toolset: Toolset;
  readonly discovery: Discovery;
}

/**
 * What an adapter declares of a listed version until its plugin is loaded: whatever is called loads it
 * by `whole`.
 */
export function notLoadedYet(
  adapter: PluginAdapter,
  version: string,
  { plan }: Project,
  { plugins }: Discovery,
  whole: () => Promise<Built>,
): Contribution[] {
  const isAdapted = ({ packageName }: { packageName: string }) =>
    packageName === adapter.packageName;
  if (plugins.some(isAdapted)) return [];
  /** Waits for the plugin and finds the same entry in it. */
  const loaded = async <Entry>(
    find: (toolset: Toolset) => Entry | undefined,
    context: unknown,
  ): Promise<Entry> => {
    const progress = fieldOf(context, "progress");
    const message = `Loading ${adapter.packageName}`;
    if (typeof progress === "function") progress({ progress: 0, message });
    const { toolset, discovery } = await whole();
    const found = find(toolset);
    if (found !== undefined && discovery.plugins.some(isAdapted)) return found;
    const failed = toolset.warnings.find((warning) => warning.package === adapter.packageName);
    throw new RefraktError(
      failed?.code === "CODE_NOT_TRUSTED" ? failed.code : "PLUGIN_LOAD_FAILED",
      failed?.message ?? `${adapter.packageName} is not available, or lacks this`,
      { hint: failed?.hint ?? "Call refrakt_detect to see why." },
    );
  };
  /** The entries with functions that wait. */
  const waiting = <Entry extends object>(
    entries: readonly Entry[] = [],
    find: (toolset: Toolset, entry: Entry) => Entry | undefined,
  ): Entry[] =>
    entries.map((entry) => {
      const copy = { ...entry };
      for (const [name, value] of Object.entries(entry)) {
        if (typeof value !== "function") continue;
        Reflect.set(copy, name, async (...args: unknown[]) => {
          const found = await loaded((toolset) => find(toolset, entry), args[1]);
          const own: unknown = Reflect.get(found, name);
          return typeof own === "function" ? own.apply(found, args) : undefined;
        });
      }
      return copy;
    });
  const { tools, prompts, resources, skills = [], tables } = adapter.listed(version);
  const ours = { tools: waiting(tools, (toolset, { name }) => toolset.findTool(name)) };
  if (plan === null) return [ours];
  return [{
    ...ours,
    prompts: waiting(prompts, (all, { name }) => all.prompts.find((one) => one.name === name)),
    resources: waiting(resources, (all, { uri }) => all.resources.find((one) => one.uri === uri)),
    tables: waiting(tables, (all, { name }) => all.tables.find((one) => one.name === name)),
    skills,
  }];
}
