/**
 * The plugins that this server knows by name, and what their tools need.
 *
 * @module
 */

import { docsAdapter } from "../../plugins/docs/mod.ts";
import { planAdapter } from "../../plugins/plan/mod.ts";
import type { DiscoveredPlugin } from "../bridge/contract.ts";
import { type BundledPlugin, discoverPlugins, type Discovery } from "../bridge/discover.ts";
import { pluginContribution } from "../bridge/tools.ts";
import type { Project } from "../project/project.ts";
import type { Contribution } from "../surface/contribution.ts";
import { VERSION } from "../version.ts";

const ADAPTERS = [planAdapter, docsAdapter];

const BUNDLED: readonly BundledPlugin[] = [{
  name: "ralph",
  version: VERSION,
  load: async () => (await import("../../plugins/ralph/plugin.ts")).ralphPlugin,
  applies: (project) => project.ralph,
}];

/** Finds the plugins of a project, with all that the server knows about them. */
export function discoverAll(project: Project, everything: boolean): Promise<Discovery> {
  return discoverPlugins(project, { adapters: ADAPTERS, bundled: BUNDLED, everything });
}

/** The contribution of one of them. */
export function contributionOf(found: DiscoveredPlugin): Contribution {
  return pluginContribution(found, (namespace) => {
    if (found.source === "bundled") return { listedWith: ["ralph"] };
    return namespace === "plan" ? { listedWith: ["plan"] } : {};
  });
}

/** Does in advance what the first calls would have to wait for. */
export async function warmAll(project: Project, found: readonly DiscoveredPlugin[]): Promise<void> {
  for (const adapter of ADAPTERS) {
    const loaded = found.some((plugin) => plugin.packageName === adapter.packageName);
    if (loaded) await adapter.warm?.(project);
  }
}
