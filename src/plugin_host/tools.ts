/** Converts the commands of a plugin to tools. */

import type { CallContext } from "../tools/context.ts";
import type { Contribution } from "../tools/registry.ts";
import type { DiscoveredPlugin } from "../tools/detection.ts";
import type { CliPlugin, CliPluginCommand, McpHandlerContext } from "../tools/plugin.ts";
import { defineTool, type Tool } from "../tools/tool.ts";
import { ARGV_SCHEMA } from "../tools/argv.ts";
import { runCommand } from "./run_command.ts";

/** Commands that run until stopped, or build whole sites. */
const LONG_RUNNING = new Set(["plan.serve", "plan.build"]);

/** The requirements of a command's tool. */
export type NeedsOf = (
  namespace: string,
  command: string,
) => Pick<Partial<Tool>, "requires" | "listedWith" | "listedWithout" | "unlisted">;

export type PluginCommands =
  & Pick<DiscoveredPlugin, "plugin">
  & Pick<Partial<DiscoveredPlugin>, "packageName" | "source">;

export function pluginContribution(
  { plugin, packageName = plugin.namespace }: PluginCommands,
  needsOf: NeedsOf = () => ({}),
): Contribution {
  const shown = plugin.commands.filter((command) => !isLongRunning(plugin, command));
  return {
    tools: shown.map((command) =>
      commandTool(plugin, command, packageName, needsOf(plugin.namespace, command.name))
    ),
    resources: plugin.resources ?? [],
    prompts: plugin.prompts ?? [],
    skills: plugin.skills ?? [],
    tables: plugin.tables ?? [],
    shellOnly: plugin.commands.filter((command) => isLongRunning(plugin, command))
      .map((command) => toolNameOf(plugin, command)),
  };
}

export function toolNameOf(plugin: CliPlugin, command: CliPluginCommand): string {
  return command.toolName ?? `${plugin.namespace}.${command.name}`;
}

/** Whether a command can only run in a shell. */
export function isLongRunning(plugin: CliPlugin, command: CliPluginCommand): boolean {
  return command.longRunning === true || LONG_RUNNING.has(toolNameOf(plugin, command));
}

function commandTool(
  plugin: CliPlugin,
  command: CliPluginCommand,
  packageName: string,
  requirements: ReturnType<NeedsOf>,
): Tool {
  return defineTool({
    name: toolNameOf(plugin, command),
    title: command.title ?? titleOf(plugin.namespace, command.name),
    description: command.description,
    input: command.inputSchema ?? ARGV_SCHEMA,
    ...(command.outputSchema === undefined ? {} : { output: command.outputSchema }),
    annotations: command.annotations ?? {},
    ...(command.icons === undefined ? {} : { icons: command.icons }),
    ...(command._meta === undefined ? {} : { _meta: command._meta }),
    ...requirements,
    run: (input: Record<string, unknown>, context: CallContext) =>
      runCommand(command, input, handlerContext(context), `Plugin ${packageName}`),
  });
}

function handlerContext(context: CallContext): McpHandlerContext {
  const { project: { cwd, planDir }, signal, progress, log, confirm } = context;
  return { cwd, planDir, signal, progress, log, ...(confirm && { confirm }) };
}

function titleOf(namespace: string, name: string): string {
  const words = `${namespace} ${name}`.replace(/[._-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
