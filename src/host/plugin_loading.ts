/** Loads one plugin of npm; a failure causes a warning. */

import { isMissingExport, mayPass, pluginFailure } from "../packages/failures.ts";
import { hasExport, loadVersion, publishedVersion } from "../packages/load.ts";
import { packageVersion as versionIn } from "../packages/versions.ts";
import { messageOf, type WarningCode } from "../errors.ts";
import { shownPath } from "../io/paths.ts";
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
    const { module, version, versionFrom, origin, path } = await loadVersion(found, "cli-plugin");
    const { checkPlugin } = await import("../plugin/check_cli_plugin.ts");
    let checked: ReturnType<typeof checkPlugin>;
    try {
      checked = checkPlugin(module["default"] ?? module);
    } catch (error) {
      return { warnings: [malformed(name, `its cli-plugin: ${messageOf(error)}`)] };
    }
    const { namespace, commands, problems } = checked;
    const skipped = [...Map.groupBy(problems, ({ entry }) => entry)].map(([entry, [first]]) =>
      malformed(name, `${entry} is skipped: ${first!.path}: ${first!.message}`)
    );
    return {
      plugin: {
        summary: {
          namespace,
          packageName: name,
          packageVersion: version,
          versionFrom,
          source,
          origin,
          ...(path === undefined ? {} : { path: shownPath(project.cwd, path) }),
          commands: commands.map((command) => command.name),
        },
        commands,
        plugin: npmPlugin(checked, name, worker),
      },
      warnings: [...skipped, ...known],
    };
  } catch (error) {
    if (isMissingExport(error)) return { warnings: [] };
    return { warnings: [loadWarning(project, name, error)] };
  }
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Correct the declaration in the package.",
  };
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
