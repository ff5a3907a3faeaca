/** Creates the detection report. */

import { join } from "node:path";
import { mayRead, mayRunGit, mayWrite } from "../io/permissions.ts";
import { startOf } from "./start.ts";
import type { Detection, Permissions } from "../plugin/detection.ts";
import type { CliPluginCommand } from "../plugin/cli_plugin.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Project } from "../plugin/project.ts";
import type { ListedTool } from "../plugin/tool.ts";
import { toolName } from "../plugin/tool_names.ts";
import { VERSION } from "../version.ts";
import { kindsOf } from "./instructions.ts";
import type { Inventory } from "./inventory.ts";
import { below } from "./projects_below.ts";

/** The name of this package, as a plugin of its own. */
const PACKAGE = "@refrakt/mcp";

const VERSIONS = { server: VERSION, deno: Deno.version.deno };

/** The versions of the server, of the runtime and of the loaded plugins. */
export function versionsOf(inventory: Inventory) {
  const plugins = inventory.plugins.map(({ summary }) =>
    [summary.packageName, `${summary.packageVersion} (${summary.versionFrom})`] as const
  );
  return { ...VERSIONS, plugins: Object.fromEntries(plugins) };
}

/** Each package with its own commands, and beside it what this package adds under its name. */
export function pluginsOf(inventory: Inventory) {
  const packages = inventory.plugins.map(({ summary, commands }) => ({
    ...summary,
    commands: commands.map((command) => commandSummary(inventory, summary.namespace, command)),
  }));
  return [...packages, ...ourPlugins(inventory)];
}

/** What a list says of a command of a package; its tool is one of the inventory. */
function commandSummary(
  { findTool }: Inventory,
  namespace: string,
  { name, description, inputSchema, outputSchema, mcpHandler }: CliPluginCommand,
) {
  return {
    name,
    description,
    hasInputSchema: inputSchema !== undefined,
    hasOutputSchema: outputSchema !== undefined,
    hasMcpHandler: mcpHandler !== undefined,
    tool: findTool(toolName(namespace, name))?.name ?? null,
  };
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

/**
 * The report about a project.
 *
 * @param deadline When to leave out what is not known yet, by `performance.now()`.
 */
export async function detection(
  inventory: Inventory,
  plugins: readonly Plugin[],
  deadline: number,
): Promise<Detection> {
  const { project } = inventory;
  const withheld = inventory.withheldTools();
  const places = below(project);
  const asked = plugins.map(({ report }) =>
    report?.detection?.(project, deadline, inventory.warnings) ?? {}
  );
  const reports: Partial<Detection>[] = await Promise.all(asked);
  return {
    cwd: project.cwd,
    kinds: kindsOf(project, plugins),
    start: (await startOf(project)).sentence,
    ...(places === undefined ? {} : { below: places }),
    plan: null,
    site: null,
    ...Object.assign({}, ...reports),
    plugins: inventory.plugins.map(({ summary }) => summary),
    bundled: plugins.flatMap(({ name, enable }) => {
      if (enable === undefined) return [];
      const active = project.active.includes(name);
      return [{ name, active, ...(active ? {} : { enable }) }];
    }),
    configSource: project.config === null ? "autodetect" : "config-file",
    tools: inventory.listedTools().map((tool) => tool.name),
    ...(withheld.length === 0 ? {} : { withheld }),
    callable: inventory.unlistedTools().map(({ name, description }) => ({ name, description })),
    availableViaShell: inventory.shellOnly,
    permissions: permissions(project),
    versions: VERSIONS,
    warnings: [...inventory.warnings, ...reports.flatMap(({ warnings = [] }) => warnings)],
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
