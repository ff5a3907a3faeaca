/** Packages with commands that the project has and the server does not offer, with what serves them. */

import { asObject } from "../io/json.ts";
import { hasExport } from "../npm/load.ts";
import { installedCopy, namedPackages } from "../npm/installed.ts";
import { isFirstParty } from "../npm/names.ts";
import { launchFor, type LaunchOptions } from "../npm/serve_command.ts";
import { shellLine } from "../npm/shell.ts";
import { pluginPackages } from "../plugin_host/discover.ts";
import { CONFIG_NAME } from "../project/config.ts";
import type { Project } from "../project/project.ts";

export interface UnservedPlugin {
  readonly package: string;
  /** The list that the project's configuration needs, as it stands there. */
  readonly config: string;
  /** The command of a server that has it. */
  readonly command: string;
}

export function unservedPlugins(
  project: Project,
  options: Pick<LaunchOptions, "deno" | "git">,
): UnservedPlugin[] {
  // A binary has only the packages inside it.
  if (Deno.build.standalone) return [];
  const served = pluginPackages(project, false);
  const unserved = namedPackages(project).filter((name) => {
    const folder = served.has(name) ? undefined : installedCopy(project, name);
    return folder !== undefined && hasExport({ folder }, "cli-plugin") === true;
  });
  const listed = [...served].flatMap(([name, source]) => source === "default" ? [] : name);
  return unserved.map((name) => {
    const plugins = [...listed, name];
    const raw = { ...asObject(project.config?.raw), plugins };
    const config = { path: CONFIG_NAME, text: "", ...project.config, raw };
    const trust = project.code.trust || !isFirstParty(name);
    return {
      package: name,
      config: `"plugins": [${plugins.map((each) => JSON.stringify(each)).join(", ")}]`,
      command: shellLine(launchFor({ ...project, config }, { ...options, trust })),
    };
  });
}
