/** Creates the detection report. */

import { join } from "node:path";
import { FACTS } from "../bundled.ts";
import type { Project } from "../project/project.ts";
import { entitiesIn } from "../project/plan_walk.ts";
import { mayRead, mayRunGit, mayWrite } from "../io/permissions.ts";
import { shownPath } from "../io/paths.ts";
import type {
  Detection,
  DiscoveredPlugin,
  Permissions,
  PluginSummary,
  SitesReport,
} from "../tools/detection.ts";
import type { Toolset } from "../tools/registry.ts";
import { VERSION } from "../version.ts";
import { planStep } from "../npm/new_plan.ts";
import { startOf } from "../npm/start.ts";
import { below, kindsOf } from "./kinds.ts";

const VERSIONS = { server: VERSION, deno: Deno.version.deno };

/** The versions of the server, of the runtime and of the loaded plugins. */
export function versionsOf(plugins: readonly DiscoveredPlugin[]) {
  return {
    ...VERSIONS,
    plugins: Object.fromEntries(
      plugins.map(({ packageName, packageVersion, versionFrom }) => [
        packageName,
        versionFrom === "bundled" ? packageVersion : `${packageVersion} (${versionFrom})`,
      ]),
    ),
  };
}

export async function detection(
  toolset: Toolset,
  plugins: readonly DiscoveredPlugin[],
  report: SitesReport,
): Promise<Detection> {
  const { project } = toolset;
  const { sites, warnings } = report;
  const plan = project.plan === null
    ? null
    : { dir: project.plan.dir, fileCount: entitiesIn(project.cwd, project.plan.path).length };
  const { site } = project;
  const step = planStep(project);
  const places = below(project);
  const reports = await Promise.all(FACTS.map(({ remote }) => remote(project)));
  const remote = reports.find((one) => one !== undefined);
  const config = site === null ? "" : shownPath(project.cwd, site.configPath);
  return {
    cwd: project.cwd,
    kinds: kindsOf(project),
    start: (await startOf(project)).sentence,
    plan,
    ...(step === undefined ? {} : { planStep: step }),
    ...(places === undefined ? {} : { below: places }),
    site: site === null ? null : { configPath: config, sites: site.names, plugins: site.packages },
    ...(sites === null ? {} : { sites }),
    plugins: plugins.map((found) => pluginSummary(project, found)),
    bundled: [{
      name: "ralph",
      active: project.ralph,
      ...(project.ralph ? {} : {
        enable: 'Start the server with --plugin ralph, or add "ralph" to "plugins" in ' +
          "refrakt.config.json, with --allow-write=specs,.gitignore.",
      }),
    }],
    configSource: project.config === null ? "autodetect" : "config-file",
    tools: toolset.listedTools().map((tool) => tool.name),
    callable: toolset.unlistedTools().map(({ name, description }) => ({ name, description })),
    availableViaShell: toolset.shellOnly,
    ...(remote === undefined ? {} : { remote }),
    permissions: permissions(project),
    versions: VERSIONS,
    warnings: [...toolset.warnings, ...warnings],
  };
}

export function permissions(project: Project): Permissions {
  const { cwd } = project;
  return {
    read: mayRead(cwd),
    writePlan: mayWrite(project.planDir ?? join(cwd, "plan")),
    writeSpecs: mayWrite(join(cwd, "specs")),
    writeProject: mayWrite(cwd),
    git: mayRunGit(),
    readOnly: project.readOnly,
  };
}

export function pluginSummary({ cwd }: Project, found: DiscoveredPlugin): PluginSummary {
  const { commands, contribution: _contribution, warm: _warm, path, ...shown } = found;
  return {
    ...shown,
    ...(path === undefined ? {} : { path: shownPath(cwd, path) }),
    commands: commands.map((command) => command.name),
  };
}
