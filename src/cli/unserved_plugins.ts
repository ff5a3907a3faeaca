/** Packages with commands that the project has and the server does not offer, with what serves them. */

import { asObject } from "../io/json.ts";
import { installationOf, untrustedCode } from "../npm/launch.ts";
import { hasExport } from "../npm/load.ts";
import { installedFirstParty, packageFacts } from "../npm/manifests.ts";
import { installedPackage } from "../npm/installed.ts";
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

export async function unservedPlugins(
  project: Project,
  options: Pick<LaunchOptions, "deno" | "git">,
): Promise<UnservedPlugin[]> {
  // A binary has only the packages inside it.
  if (Deno.build.standalone) return [];
  const served = pluginPackages(project, false);
  const names = new Set([
    ...packageFacts(project).declared.map(({ name }) => name),
    ...installedFirstParty(project.cwd),
  ]);
  const unserved = [...names].filter((name) => {
    const found = served.has(name) ? undefined : installedPackage(project, name);
    return found !== undefined && hasExport(found, "cli-plugin") === true;
  });
  const listed = [...served].flatMap(([name, source]) => source === "default" ? [] : name);
  return await Promise.all(unserved.map(async (name) => {
    const plugins = [...listed, name];
    const raw = { ...asObject(project.config?.raw), plugins };
    const config = { path: CONFIG_NAME, text: "", ...project.config, raw };
    const naming = { ...project, config };
    const trusted = [...new Set([...project.code.trusted, ...await untrustedCode(naming)])];
    const trusting = { ...naming, code: { ...project.code, trusted } };
    const installation = await installationOf(trusting);
    return {
      package: name,
      config: `"plugins": [${plugins.map((each) => JSON.stringify(each)).join(", ")}]`,
      command: shellLine(launchFor(trusting, { ...options, installation })),
    };
  }));
}
