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
import { defineSchema, isZod, propertiesOf } from "../../src/tools/schema.ts";
import { planViews } from "../board/mod.ts";
import { COMMANDS, type Original, type PlanPlugin } from "./commands.ts";
import { type LoadedPlan, loadPlan } from "./load.ts";
import { unfamiliarWarnings } from "./probe.ts";
import { planPrompts } from "./prompts/mod.ts";
import { planResources, statusResource } from "./resources.ts";
import { planTools } from "./tools/mod.ts";
import { tellingUnreadable } from "./tools/unreadable.ts";
import { PLAN_SKILLS } from "./skills.ts";
import { withListedValues } from "./listed_values.ts";

/**
 * Stands in for the plugin where the tools are only declared: declarations do not depend on the
 * loaded version, so using it is a defect.
 */
const NOT_LOADED = new Proxy({} as PlanPlugin, {
  get: (_target, field) => {
    throw new TypeError(
      `A declaration used "${String(field)}" of the plan plugin before it loaded`,
    );
  },
});

const DESCRIPTION = "Plans as Markdoc files: specs, work, bugs, decisions.";

/** Adapts `@refrakt-md/plan`. */
export const planAdapter: PluginAdapter = {
  packageName: PLAN_PACKAGE,
  listed: () => ({
    namespace: "plan",
    description: DESCRIPTION,
    commands: [
      ...Object.entries(COMMANDS).map(([name, { run: _run, ...described }]) => ({
        name,
        ...described,
      })),
      ...withListedValues(planTools(NOT_LOADED)),
    ],
    ...sharedBy(NOT_LOADED),
  }),
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
  const tools = withListedValues(planTools(plugin), loaded.vocabulary);
  const isOurs = ({ name }: CliPluginCommand) => tools.some((tool) => tool.name === name);
  const commands = [
    ...declared.commands.filter((command) => !isOurs(command))
      .map((command) => adaptCommand(command, plugin)),
    ...tools,
  ].map((command) => tellingUnreadable(command, plugin));
  return {
    plugin: {
      ...declared,
      description: declared.description ?? DESCRIPTION,
      ...sharedBy(plugin),
      commands,
    },
    warnings: loaded.warnings,
    check,
    warm: async ({ cwd, plan }) => {
      if (plan !== null) await loaded.storeOf(cwd, plan.path).readAhead();
      await check();
    },
  };
}

/** The prompts, skills and resources. */
function sharedBy(
  plugin: PlanPlugin,
): Required<Pick<CliPlugin, "prompts" | "skills" | "resources">> {
  return {
    prompts: planPrompts(plugin),
    skills: PLAN_SKILLS,
    resources: [...planResources(plugin), statusResource(plugin), ...planViews],
  };
}

/** A command of the plugin as it is declared here; its own schema checks what its version accepts. */
function adaptCommand(command: CliPluginCommand, plugin: PlanPlugin): CliPluginCommand {
  const ours = Object.hasOwn(COMMANDS, command.name) ? COMMANDS[command.name] : undefined;
  if (ours === undefined) return command;
  const { run, ...described } = ours;
  const accepted = command.inputSchema === undefined
    ? undefined
    : defineSchema(command.inputSchema);
  return {
    ...command,
    ...described,
    ...(command.mcpHandler === undefined ? {} : {
      mcpHandler: async (input: Record<string, unknown>, context) =>
        await run(await accepted?.parse(input) ?? input, context, plugin),
    }),
  };
}

/** What the schema of a command names. */
function fieldsOf({ commands }: CliPlugin, name: string): ReadonlySet<string> {
  const schema = commands.find((command) => command.name === name)?.inputSchema;
  return new Set(schema === undefined || isZod(schema) ? [] : Object.keys(propertiesOf(schema)));
}
