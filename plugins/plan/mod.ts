/**
 * What the plan plugin needs to run well here: a scan that is fast, safe and
 * leaves nothing behind, history from git, an `init` that stays in the plan,
 * writes that keep what they touch, schemas that allow what is valid.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { Warning } from "../../src/project/project.ts";
import type { AdaptedPlugin, PluginAdapter } from "../../src/tools/adapter.ts";
import type { CliPlugin, CliPluginCommand } from "../../src/tools/plugin.ts";
import { isZod, propertiesOf } from "../../src/tools/schema.ts";
import { planViews } from "../board/mod.ts";
import { COMMANDS, type Original, type PlanPlugin } from "./commands.ts";
import { type LoadedPlan, loadPlan } from "./load.ts";
import { unfamiliarWarnings } from "./probe.ts";
import { planPrompts } from "./prompts/mod.ts";
import { planResources, statusResource } from "./resources.ts";
import { planTools } from "./tools/mod.ts";
import { tellingUnreadable } from "./tools/unreadable.ts";
import { widenSchema } from "./vocabulary.ts";
import { PLAN_SKILLS } from "./skills.ts";

/** Adapts `@refrakt-md/plan`. */
export const planAdapter: PluginAdapter = {
  packageName: PLAN_PACKAGE,
  load: async (version) => {
    const loaded = await loadPlan(version);
    return { adapt: (plugin) => adapt(plugin, loaded) };
  },
};

/** The plugin as it is offered: its commands, run by a loaded version. */
function adapt(declared: CliPlugin, loaded: LoadedPlan): AdaptedPlugin {
  const plugin: PlanPlugin = {
    ...loaded,
    original: <Answer>(command: string): Original<Answer> => {
      const handler = declared.commands.find(({ name }) => name === command)?.mcpHandler;
      if (handler === undefined) throw new TypeError(`The plugin has no handler for ${command}`);
      return (input, context) => handler(input, context) as Answer;
    },
    updateFields: fieldsOf(declared, "update"),
  };
  let checked: Promise<Warning[]> | undefined;
  const check = () => checked ??= unfamiliarWarnings(plugin);
  const tools = planTools(plugin);
  const isOurs = ({ name }: CliPluginCommand) => tools.some((tool) => tool.name === name);
  const commands = [
    ...declared.commands.filter((command) => !isOurs(command))
      .map((command) => adaptCommand(command, plugin)),
    ...tools,
  ].map((command) => tellingUnreadable(command, plugin));
  return {
    plugin: {
      ...declared,
      description: declared.description ?? "Plans as Markdoc files: specs, work, bugs, decisions.",
      prompts: planPrompts(plugin),
      skills: PLAN_SKILLS,
      resources: [...planResources(plugin), statusResource(plugin), ...planViews],
      commands,
    },
    warnings: loaded.warnings,
    check,
    warm: async ({ cwd, plan }) => {
      if (plan !== null) await loaded.storeOf(cwd, plan.path).parseAhead();
      await check();
    },
  };
}

function adaptCommand(command: CliPluginCommand, plugin: PlanPlugin): CliPluginCommand {
  const ours = Object.hasOwn(COMMANDS, command.name) ? COMMANDS[command.name] : undefined;
  if (ours === undefined) return command;
  const { run, inputSchema, ...described } = ours;
  const widened = widenSchema(command.name, command.inputSchema, plugin.vocabulary);
  return {
    ...command,
    ...described,
    ...(widened === undefined ? {} : { inputSchema: inputSchema?.(widened) ?? widened }),
    ...(command.mcpHandler === undefined
      ? {}
      : { mcpHandler: (input: Record<string, unknown>, context) => run(input, context, plugin) }),
  };
}

/** What the schema of a command names. */
function fieldsOf({ commands }: CliPlugin, name: string): ReadonlySet<string> {
  const schema = commands.find((command) => command.name === name)?.inputSchema;
  return new Set(schema === undefined || isZod(schema) ? [] : Object.keys(propertiesOf(schema)));
}
