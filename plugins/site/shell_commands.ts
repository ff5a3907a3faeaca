/** Commands of refrakt's CLI for sites that are no tools: they run until stopped, or write anywhere. */

import { installedCopy } from "../../src/packages/installed.ts";
import type { Project } from "../../src/plugin/project.ts";

/** The commands, and their arguments. */
const COMMANDS: readonly (readonly [name: string, line: string])[] = [
  ["refrakt_config_migrate", "config migrate"],
  ["refrakt_edit", "edit"],
  ["refrakt_gallery", "gallery"],
  ["refrakt_migrate", "migrate <codemod>"],
  ["refrakt_reference_dump", "reference dump"],
  ["refrakt_scaffold_css", "scaffold-css"],
  ["refrakt_theme_info", "theme info"],
  ["refrakt_theme_install", "theme install <source>"],
  ["refrakt_write", 'write "<prompt>"'],
];

/** Those of newer versions. */
const LATER_COMMANDS: typeof COMMANDS = [
  ["refrakt_theme_list", "theme list"],
  ["refrakt_theme_presets_list", "theme presets list"],
  ["refrakt_theme_presets_validate", "theme presets validate"],
];

export function siteCommands(project: Project): typeof COMMANDS {
  const version = installedCopy(project, "@refrakt-md/cli")?.version ?? "0.25";
  const isLater = Number(version.split(".")[1]) >= 29;
  return [...COMMANDS, ...isLater ? LATER_COMMANDS : []];
}
