/**
 * What the plan plugin needs to run well here: a scan that is fast, safe and
 * leaves nothing behind, history from git, an `init` that stays in the plan,
 * writes that keep what they touch, schemas that allow what is valid.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/packages/names.ts";
import type { PluginAdapter } from "../../src/surface/adapter.ts";
import type { CliPlugin, CliPluginCommand } from "../../src/surface/plugin.ts";
import { COMMANDS } from "./commands.ts";
import { usePlanVersion } from "./diff.ts";
import { leaveOutLongRunning } from "./left_out.ts";
import { planResources, statusResource } from "./resources.ts";
import { replaceScanner, warmPlan } from "./scanner.ts";
import { readVocabulary, widenSchema } from "./vocabulary.ts";

/** Adapts `@refrakt-md/plan`. */
export const planAdapter: PluginAdapter = {
  packageName: PLAN_PACKAGE,
  prepare: async (version) => {
    leaveOutLongRunning(version);
    await replaceScanner(version);
  },
  warm: async ({ cwd, plan }) => {
    if (plan !== null) await warmPlan(cwd, plan.path);
  },
  adapt: async (plugin, version): Promise<CliPlugin> => {
    usePlanVersion(version);
    const vocabulary = await readVocabulary();
    const status = plugin.commands.find((command) => command.name === "status")?.mcpHandler;
    return {
      ...plugin,
      description: plugin.description ?? "Plans as Markdoc files: specs, work, bugs, decisions.",
      resources: status === undefined ? planResources : [...planResources, statusResource(status)],
      commands: plugin.commands.map((command): CliPluginCommand => {
        const ours = Object.hasOwn(COMMANDS, command.name) ? COMMANDS[command.name] : undefined;
        if (ours === undefined) return command;
        const { run, inputSchema, ...described } = ours;
        const original = command.mcpHandler;
        const widened = widenSchema(command.name, command.inputSchema, vocabulary);
        return {
          ...command,
          ...described,
          ...(widened === undefined ? {} : { inputSchema: inputSchema?.(widened) ?? widened }),
          ...(original === undefined ? {} : {
            mcpHandler: (input, context) => run(input, context, original),
          }),
        };
      }),
    };
  },
};
