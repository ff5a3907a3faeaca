/** Loads one plugin of npm; a failure causes a warning. */

import { isMissingExport, mayPass, pluginFailure } from "../packages/failures.ts";
import { hasExport, loadVersion, publishedVersion } from "../packages/load.ts";
import { packageVersion as versionIn } from "../packages/versions.ts";
import type { WarningCode } from "../errors.ts";
import type { PluginSource } from "../plugin/detection.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Project, Warning } from "../plugin/project.ts";
import type { NpmPlugin } from "./inventory.ts";
import { npmPlugin } from "./npm_plugin.ts";

export interface LoadResult {
  plugin?: NpmPlugin;
  warnings: readonly Warning[];
}

/**
 * Loads the plugin of a package, if it is trusted. A package without a plugin gives neither a plugin nor a warning.
 *
 * @param worker The plugin of ours that works with the package.
 */
export async function loadNpmPlugin(
  project: Project,
  name: string,
  source: PluginSource,
  worker: Plugin | undefined,
): Promise<LoadResult> {
  try {
    // Ours work with the version that npm has.
    const found = worker === undefined
      ? versionIn(project, name)
      : await publishedVersion(project, name);
    // Those that the config names are tried, for the reason why they are not loaded.
    if (hasExport(found, "cli-plugin") === false && source !== "config") return { warnings: [] };
    const known = await worker?.package?.load(project) ?? [];
    const { module, version: packageVersion, ...place } = await loadVersion(found, "cli-plugin");
    const { readPlugin } = await import("./read_plugin.ts");
    const { plugin, warnings } = readPlugin(module, name);
    if (plugin === undefined) return { warnings };
    return {
      plugin: {
        packageName: name,
        packageVersion,
        source,
        ...place,
        namespace: plugin.namespace,
        commands: plugin.commands,
        plugin: npmPlugin(plugin, name, worker),
      },
      warnings: [...warnings, ...known],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(project, name, error)] };
  }
}

/** The warning about a plugin that was not loaded. */
function loadWarning(project: Project, name: string, error: unknown): Warning {
  const { code, message, hint } = pluginFailure(project, name, error);
  return {
    code: code as WarningCode,
    message,
    package: name,
    ...(hint === undefined ? {} : { hint }),
    ...(mayPass(error) ? { retry: true } : {}),
  };
}
