/** Loads one plugin; a failure causes a warning. */

import { messageOf, RefraktError } from "../errors.ts";
import { isMissingExport, mayPass } from "../npm/failures.ts";
import { refusal, refusalIn } from "../npm/gate.ts";
import { hasExport, loadVersion } from "../npm/load.ts";
import { distrust, leftOutWarning } from "../npm/trust.ts";
import { packageVersion as versionIn } from "../npm/versions.ts";
import type { Project, Warning } from "../project/project.ts";
import type { BundledPlugin, PluginAdapter } from "../tools/adapter.ts";
import type { DiscoveredPlugin, PluginSource } from "../tools/detection.ts";
import { readPlugin } from "./contract.ts";
import { offerOf, ownCommand } from "./tools.ts";

export interface LoadResult {
  plugin?: DiscoveredPlugin;
  warnings: readonly Warning[];
}

/**
 * Loads the plugin of a package, if it is trusted. A package without a plugin gives neither a plugin nor a warning.
 */
export async function loadNpmPlugin(
  project: Project,
  name: string,
  source: PluginSource,
  adapter: PluginAdapter | undefined,
): Promise<LoadResult> {
  try {
    const version = versionIn(project, name);
    const hasCommands = hasExport(version, "cli-plugin") !== false;
    const reason = await distrust(version);
    if (reason !== undefined && (hasCommands || source === "config")) {
      return { warnings: [leftOutWarning(name, refusal(reason))] };
    }
    if (!hasCommands) return { warnings: [] };
    const adapt = await adapter?.load(version);
    const { module, version: packageVersion, ...place } = await loadVersion(version, "cli-plugin");
    const { plugin, warnings } = readPlugin(module, name);
    if (plugin === undefined) return { warnings };
    const adapted = adapt?.(plugin);
    return {
      plugin: {
        packageName: name,
        packageVersion,
        source,
        ...place,
        namespace: plugin.namespace,
        ...offerOf(adapted?.plugin ?? plugin, name, adapted?.contribution),
        ...(adapted?.warm === undefined ? {} : { warm: adapted.warm }),
      },
      warnings: [...warnings, ...adapted?.warnings ?? []],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(name, error)] };
  }
}

export async function loadBundled(entry: BundledPlugin): Promise<LoadResult> {
  const { name, version, description } = entry;
  try {
    const contribution = await entry.load();
    return {
      plugin: {
        namespace: name,
        packageName: name,
        packageVersion: version,
        versionFrom: "bundled",
        source: "bundled",
        description,
        commands: (contribution.tools ?? []).map((tool) => ownCommand(name, tool)),
        contribution,
      },
      warnings: [],
    };
  } catch (error) {
    return { warnings: [loadWarning(name, error)] };
  }
}

export function loadWarning(name: string, error: unknown): Warning {
  const refused = refusalIn(error);
  if (refused !== undefined) return leftOutWarning(name, refused);
  const hint = error instanceof RefraktError ? error.hint : undefined;
  return {
    code: "PLUGIN_LOAD_FAILED",
    message: `Plugin ${name} is not available: ${messageOf(error)}`,
    package: name,
    ...(hint === undefined ? {} : { hint }),
    ...(mayPass(error) ? { retry: true } : {}),
  };
}
