/** Loads one plugin; a failure causes a warning. */

import { messageOf, RefraktError } from "../errors.ts";
import { isMissingExport, mayPass } from "../npm/failures.ts";
import { refusalIn } from "../npm/gate.ts";
import { expectedVersion, hasExport, loadVersion } from "../npm/load.ts";
import { type PackageVersion, realNameOf, ruleOf } from "../npm/package.ts";
import { distrust, leftOutWarning, warningOf } from "../npm/trust.ts";
import { packageVersion } from "../npm/versions.ts";
import type { Project, Warning } from "../project/project.ts";
import type { PluginAdapter } from "../tools/adapter.ts";
import type { DiscoveredPlugin, PluginSource } from "../tools/detection.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import { loadedFrom, readPlugin } from "./contract.ts";

/** A plugin that ships with the server. */
export interface BundledPlugin {
  readonly name: string;
  readonly version: string;
  load(): Promise<CliPlugin>;
  applies(project: Project): boolean;
}

export interface PluginLoading {
  readonly adapters?: readonly PluginAdapter[];
}

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
  { adapters = [] }: PluginLoading,
): Promise<LoadResult> {
  try {
    const version = packageVersion(project, name);
    const adapter = adapters.find((entry) => entry.packageName === name);
    const hasCommands = hasExport(version, "cli-plugin") !== false;
    const reason = await distrust(version);
    if (reason !== undefined && (hasCommands || source === "config")) {
      return { warnings: [leftOutWarning(name, reason)] };
    }
    if (!hasCommands) return { warnings: [] };
    const found = {
      packageName: name,
      versionFrom: version.from,
      rule: ruleOf(version),
      realName: realNameOf(version),
      source,
    };
    const adapt = await adapter?.load(version);
    if (adapter?.declared !== undefined && ruleOf(version) === "npm") {
      const plugin = onDemand(adapter.declared, version);
      const adapted = adapt?.(plugin) ?? { plugin, warnings: [] };
      return {
        plugin: {
          ...found,
          get packageVersion() {
            return expectedVersion(version);
          },
          origin: "registry",
          namespace: plugin.namespace,
          plugin: adapted.plugin,
        },
        warnings: adapted.warnings,
      };
    }
    const loaded = await loadVersion(version, "cli-plugin");
    const { plugin, warnings } = readPlugin(loaded.module, name);
    if (plugin === undefined) return { warnings };
    const adapted = adapt?.(plugin) ?? { plugin, warnings: [] };
    return {
      plugin: {
        ...found,
        ...loadedFrom(name, loaded),
        namespace: plugin.namespace,
        plugin: adapted.plugin,
        ...(adapted.warm === undefined ? {} : { warm: adapted.warm }),
      },
      warnings: [...warnings, ...adapted.warnings],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(name, error)] };
  }
}

/** A plugin whose package is imported at the first call. */
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

export async function loadBundled(entry: BundledPlugin): Promise<LoadResult> {
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
      },
      warnings: [],
    };
  } catch (error) {
    return { warnings: [loadWarning(entry.name, error)] };
  }
}

export function loadWarning(name: string, error: unknown): Warning {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return warningOf(name, refusal);
  const hint = error instanceof RefraktError ? error.hint : undefined;
  return {
    code: "PLUGIN_LOAD_FAILED",
    message: `Plugin ${name} is not available: ${messageOf(error)}`,
    package: name,
    ...(hint === undefined ? {} : { hint }),
    ...(mayPass(error) ? { retry: true } : {}),
  };
}
