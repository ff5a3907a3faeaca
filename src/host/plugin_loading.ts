/** Loads one plugin; a failure causes a warning. */

import { messageOf, RefraktError } from "../errors.ts";
import { word } from "../plain_text.ts";
import { isMissingExport, mayPass } from "../packages/failures.ts";
import { refusalIn } from "../packages/gate.ts";
import { hasExport, loadVersion, publishedVersion } from "../packages/load.ts";
import { packageVersion as versionIn } from "../packages/versions.ts";
import type { Project, Warning } from "../plugin/project.ts";
import type { PluginAdapter } from "../plugin/adapter.ts";
import type { PluginSource } from "../plugin/detection.ts";
import type { LoadedPlugin } from "./inventory.ts";
import { contributionOf } from "./command_tools.ts";

export interface LoadResult {
  plugin?: LoadedPlugin;
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
    // An adapter works with the version that npm has.
    const version = adapter === undefined
      ? versionIn(project, name)
      : await publishedVersion(project, name);
    // Those that the config names are tried, for the reason why they are not loaded.
    if (hasExport(version, "cli-plugin") === false && source !== "config") return { warnings: [] };
    const adapt = await adapter?.load(version);
    const { module, version: packageVersion, ...place } = await loadVersion(version, "cli-plugin");
    const { readPlugin } = await import("./read_plugin.ts");
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
        commands: plugin.commands,
        contribution: contributionOf(adapted?.plugin ?? plugin, name, adapted?.contribution),
        ...(adapted?.warm === undefined ? {} : { warm: adapted.warm }),
      },
      warnings: [...warnings, ...adapted?.warnings ?? []],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(name, error, project.shell.trust)] };
  }
}

/** The warning about a plugin that was not loaded. */
export function loadWarning(name: string, error: unknown, howToTrust = () => ""): Warning {
  const refused = refusalIn(error, name, howToTrust());
  const cause = refused ?? error;
  const hint = cause instanceof RefraktError ? cause.hint : undefined;
  return {
    code: refused === undefined ? "PLUGIN_LOAD_FAILED" : "CODE_NOT_TRUSTED",
    message: refused === undefined
      ? `Plugin ${word(name)} is not available: ${messageOf(cause)}`
      : messageOf(cause),
    package: name,
    ...(hint === undefined ? {} : { hint }),
    ...(mayPass(cause) ? { retry: true } : {}),
  };
}
