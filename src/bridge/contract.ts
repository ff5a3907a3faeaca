/**
 * Looks at what a package exports as its `cli-plugin`, and keeps what is a plugin.
 *
 * @module
 */

import type { Warning } from "../project/project.ts";
import type { CliPlugin, CliPluginCommand } from "../surface/plugin.ts";

/** Where a plugin was found. */
export type PluginSource = "config" | "dependency-scan" | "default" | "bundled";

/** A plugin that was found and loaded. */
export interface DiscoveredPlugin {
  /** The first part of its tools' names. */
  readonly namespace: string;
  /** The package, such as `@refrakt-md/plan`. */
  readonly packageName: string;
  /** The exact version that was loaded. */
  readonly packageVersion: string;
  /** Where the version comes from: `node_modules`, a lock file, a manifest, `default`. */
  readonly versionFrom: string;
  /** How the plugin was found. */
  readonly source: PluginSource;
  /** The plugin as it is offered. */
  readonly plugin: CliPlugin;
  /** The commands as the package declares them. */
  readonly declared: readonly CliPluginCommand[];
}

/**
 * Reads a module's plugin.
 *
 * @param module What the import gave.
 * @param packageName For the warnings.
 * @returns The plugin with its well-formed commands, or `undefined`, and what is wrong.
 */
export function readPlugin(
  module: Record<string, unknown>,
  packageName: string,
): { plugin: CliPlugin | undefined; warnings: Warning[] } {
  const candidate = (module["default"] ?? module) as Partial<CliPlugin> | null;
  const problem = problemOf(candidate);
  if (problem !== undefined) {
    return { plugin: undefined, warnings: [malformed(`${packageName}: ${problem}`)] };
  }
  const plugin = candidate as CliPlugin;
  const warnings: Warning[] = [];
  const commands = plugin.commands.filter((command, index) => {
    const wrong = commandProblem(command);
    if (wrong !== undefined) {
      warnings.push(malformed(`${packageName}: command ${index + 1} is left out: ${wrong}`));
    }
    return wrong === undefined;
  });
  return { plugin: { ...plugin, commands }, warnings };
}

function problemOf(candidate: Partial<CliPlugin> | null): string | undefined {
  if (typeof candidate !== "object" || candidate === null) return "its cli-plugin is no object";
  if (typeof candidate.namespace !== "string" || !/^[a-z][a-z0-9-]*$/i.test(candidate.namespace)) {
    return "its cli-plugin has no valid namespace";
  }
  if (!Array.isArray(candidate.commands)) return "its cli-plugin has no list of commands";
  return undefined;
}

function commandProblem(command: Partial<CliPluginCommand> | null): string | undefined {
  if (typeof command !== "object" || command === null) return "it is no object";
  if (typeof command.name !== "string" || command.name === "") return "it has no name";
  if (typeof command.description !== "string") return "it has no description";
  if (typeof command.handler !== "function" && typeof command.mcpHandler !== "function") {
    return "it has neither a handler nor an mcpHandler";
  }
  return undefined;
}

function malformed(message: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message,
    hint: "Call refrakt.package_validate on the package to see all that is wrong.",
  };
}
