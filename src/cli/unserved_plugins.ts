/** Packages with commands that the project has and the server does not offer. */

import { hasExport } from "../packages/load.ts";
import { installedCopy, namedPackages } from "../packages/installed.ts";
import { isFirstParty } from "../packages/names.ts";
import { pluginPackages } from "../host/discover.ts";
import { CONFIG_NAME } from "../plugin/config.ts";
import type { Project } from "../plugin/project.ts";

/** What is to be done to serve each, in sentences. */
export function unservedPlugins(project: Project): string[] {
  // A binary has only the packages inside it.
  if (Deno.build.standalone) return [];
  const served = pluginPackages(project);
  const listed = [...served].flatMap(([name, source]) => source === "default" ? [] : name);
  return namedPackages(project).flatMap((name) => {
    const folder = served.has(name) ? undefined : installedCopy(project, name);
    if (folder === undefined || hasExport({ folder }, "cli-plugin") !== true) return [];
    const plugins = [...listed, name].map((each) => JSON.stringify(each)).join(", ");
    const start = isFirstParty(name) || project.code.trust ? "" : " and start with --trust";
    return `${name} exports ./cli-plugin and is not served: write "plugins": [${plugins}] into ` +
      `${CONFIG_NAME}${start}`;
  });
}
