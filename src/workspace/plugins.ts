/**
 * The plugins that this server knows by name, and what their tools need.
 *
 * @module
 */

import { docsAdapter } from "../../plugins/docs/mod.ts";
import { planAdapter } from "../../plugins/plan/mod.ts";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import { type RunningDiscovery, startDiscovery } from "../plugin_host/discover.ts";
import type { BundledPlugin } from "../plugin_host/plugin_loading.ts";
import type { PluginWorkers } from "../plugin_host/isolated.ts";
import { pluginContribution } from "../plugin_host/tools.ts";
import type { Project } from "../project/project.ts";
import type { Contribution } from "../tools/contribution.ts";
import { VERSION } from "../version.ts";

const ADAPTERS = [planAdapter, docsAdapter];

const BUNDLED: readonly BundledPlugin[] = [{
  name: "ralph",
  version: VERSION,
  load: async () => (await import("../../plugins/ralph/plugin.ts")).ralphPlugin,
  applies: (project) => project.ralph,
}];

/** Finds the plugins of a project, with all that the server knows about them. */
export function discoverAll(
  project: Project,
  everything: boolean,
  workers: PluginWorkers | undefined,
): RunningDiscovery {
  return startDiscovery(project, {
    adapters: ADAPTERS,
    bundled: BUNDLED,
    everything,
    ...(workers === undefined ? {} : { workers }),
  });
}

/** The contribution of one of them. */
export function contributionOf(found: DiscoveredPlugin): Contribution {
  return pluginContribution(found, (namespace, command) => {
    if (found.source === "bundled") return { listedWith: ["ralph"] };
    if (namespace !== "plan") return {};
    // A project with a plan does not need plan.init in its list; it can be called all the same.
    return command === "init" ? { listedWithout: ["plan"] } : { listedWith: ["plan"] };
  });
}

/** The same without the tools that are on offer already. */
export function contributionBeside(
  found: DiscoveredPlugin,
  offered: readonly Contribution[],
): Contribution {
  const contribution = contributionOf(found);
  const names = new Set(offered.flatMap(({ tools = [] }) => tools.map(({ name }) => name)));
  return {
    ...contribution,
    tools: (contribution.tools ?? []).filter(({ name }) => !names.has(name)),
  };
}

/** Does in advance what the first calls would have to wait for. */
export async function warmAll(project: Project, found: readonly DiscoveredPlugin[]): Promise<void> {
  for (const plugin of found) await plugin.warm?.(project);
}
