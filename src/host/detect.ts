/** Creates the detection report. */

import { join } from "node:path";
import { FACTS } from "../bundled.ts";
import type { Project } from "../plugin/project.ts";
import { countEntities } from "../../plugins/plan/store/walk.ts";
import { mayRead, mayRunGit, mayWrite } from "../io/permissions.ts";
import { shownPath } from "../io/paths.ts";
import type { Detection, Permissions, PluginSummary, SitesReport } from "../plugin/detection.ts";
import type { Inventory, LoadedPlugin } from "./inventory.ts";
import type { ListedTool } from "../plugin/tool.ts";
import { VERSION } from "../version.ts";
import { commandSummary } from "./command_tools.ts";
import { planStep } from "../../plugins/plan/store/new_plan.ts";
import { startOf } from "./start.ts";
import { below, kindsOf } from "./kinds.ts";

/** The name of this package, as a plugin of its own. */
const PACKAGE = "@refrakt/mcp";

const VERSIONS = { server: VERSION, deno: Deno.version.deno };

/** The versions of the server, of the runtime and of the loaded plugins. */
export function versionsOf(inventory: Inventory) {
  const plugins = reported(inventory).map(({ packageName, packageVersion, versionFrom }) =>
    [packageName, `${packageVersion} (${versionFrom})`] as const
  );
  return { ...VERSIONS, plugins: Object.fromEntries(plugins) };
}

/** Each package with its own commands, and beside it what this package adds under its name. */
export function pluginsOf(inventory: Inventory) {
  const packages = reported(inventory).map((plugin) => ({
    ...pluginSummary(inventory.project, plugin),
    commands: plugin.commands.map((command) =>
      commandSummary(inventory, plugin.namespace, command)
    ),
  }));
  return [...packages, ...ourPlugins(inventory)];
}

/** What this package offers the project, as a plugin for each namespace. */
function ourPlugins(inventory: Inventory) {
  const tools = [...inventory.listedTools(true), ...inventory.unlistedTools()];
  // Commands of packages have the namespace of their plugin.
  const ours = new Set(tools.filter(({ listed }) => listed.namespace === undefined));
  const namespaceOf = ({ name }: ListedTool) => name.slice(0, name.indexOf("_"));
  return [...Map.groupBy(ours, namespaceOf)].map(([namespace, commands]) => ({
    namespace,
    packageName: PACKAGE,
    packageVersion: VERSION,
    versionFrom: "bundled",
    source: "bundled",
    commands: commands.map(({ name, description, output }) => ({
      name: name.slice(namespace.length + 1),
      description,
      hasInputSchema: true,
      hasOutputSchema: output !== undefined,
      hasMcpHandler: true,
      tool: name,
    })),
  }));
}

/** The plugins of the project, without one that was loaded for a call that it has no use for. */
function reported({ project, plugins }: Inventory): readonly LoadedPlugin[] {
  return plugins.filter(({ source }) => source !== "default" || project.plan !== null);
}

export async function detection(inventory: Inventory, report: SitesReport): Promise<Detection> {
  const { project } = inventory;
  const withheld = inventory.withheldTools();
  const { sites, warnings } = report;
  const plan = project.plan === null
    ? null
    : { dir: project.plan.dir, fileCount: await countEntities(project.cwd, project.plan.path) };
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
    plugins: reported(inventory).map((plugin) => ({
      ...pluginSummary(project, plugin),
      commands: plugin.commands.map(({ name }) => name),
    })),
    bundled: [{
      name: "ralph",
      active: project.ralph,
      ...(project.ralph ? {} : {
        enable: 'Start the server with --plugin ralph, or add "ralph" to "plugins" in ' +
          "refrakt.config.json, with --allow-write=specs,.gitignore.",
      }),
    }],
    configSource: project.config === null ? "autodetect" : "config-file",
    tools: inventory.listedTools().map((tool) => tool.name),
    ...(withheld.length === 0 ? {} : { withheld }),
    callable: inventory.unlistedTools().map(({ name, description }) => ({ name, description })),
    availableViaShell: inventory.shellOnly,
    ...(remote === undefined ? {} : { remote }),
    permissions: permissions(project),
    versions: VERSIONS,
    warnings: [...inventory.warnings, ...warnings],
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

function pluginSummary({ cwd }: Project, plugin: LoadedPlugin): Omit<PluginSummary, "commands"> {
  const { commands: _commands, contribution: _contribution, warm: _warm, path, ...rest } = plugin;
  return { ...rest, ...(path === undefined ? {} : { path: shownPath(cwd, path) }) };
}
