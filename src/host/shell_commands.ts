/** Commands of refrakt's CLI that are no tools: they run until stopped, or write outside the plan. */

import type { ShellCommand } from "../plugin/detection.ts";
import type { Project } from "../plugin/project.ts";
import { installedCopy } from "../packages/installed.ts";

/** The package with the command `refrakt`. */
const CLI_PACKAGE = "@refrakt-md/cli";

/** The commands for sites, and their arguments. */
const SITE_COMMANDS: readonly (readonly [name: string, line: string])[] = [
  ["config_migrate", "config migrate"],
  ["edit", "edit"],
  ["gallery", "gallery"],
  ["migrate", "migrate <codemod>"],
  ["reference_dump", "reference dump"],
  ["scaffold_css", "scaffold-css"],
  ["theme_info", "theme info"],
  ["theme_install", "theme install <source>"],
  ["write", 'write "<prompt>"'],
];

/** Those of newer versions. */
const LATER_COMMANDS: typeof SITE_COMMANDS = [
  ["theme_list", "theme list"],
  ["theme_presets_list", "theme presets list"],
  ["theme_presets_validate", "theme presets validate"],
];

export function siteCommands(project: Project): ShellCommand[] {
  const version = installedCopy(project, CLI_PACKAGE)?.version ?? "0.25";
  const isLater = Number(version.split(".")[1]) >= 29;
  return [...SITE_COMMANDS, ...isLater ? LATER_COMMANDS : []]
    .map(([name, line]) => ({ name: `refrakt_${name}`, command: cliLine(project, line) }));
}

/** @param line The words after `refrakt`, such as `plan serve`. */
export function pluginCommand(project: Project, line: string): ShellCommand {
  return { name: line.replace(/[^a-zA-Z0-9]/g, "_"), command: cliLine(project, line) };
}

/** Names the package where it is not installed: npm has a `refrakt` that is somebody else's. */
function cliLine(project: Project, line: string): string {
  const isInstalled = installedCopy(project, CLI_PACKAGE) !== undefined;
  return `npx ${isInstalled ? "" : `--package=${CLI_PACKAGE} `}refrakt ${line}`;
}
