/**
 * Adapts the plan plugin: a fast scan, history from git, safe writes, an `init` that stays in the
 * plan, and schemas that accept all valid values.
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { AdaptedPlugin, PluginAdapter } from "../../src/tools/adapter.ts";
import type { CliPlugin } from "../../src/tools/plugin.ts";
import { planViews } from "../board/mod.ts";
import type { Original, PlanPlugin } from "./queries/ask_plugin.ts";
import { type LoadedPlan, loadPlan } from "./store/loaded.ts";
import { planPrompts } from "./prompts/mod.ts";
import { planResources } from "./resources.ts";
import { planTables } from "./tables/mod.ts";
import { planTools } from "./tools/mod.ts";
import { reportingUnreadable } from "./tools/unreadable.ts";
import { PLAN_SKILLS } from "./prompts/skills.ts";

/** Placeholder for declarations, which do not depend on the loaded version. */
const NOT_LOADED = {} as PlanPlugin;

const DESCRIPTION = "Plans as Markdoc files: specs, work, bugs, decisions.";

export const planAdapter: PluginAdapter = {
  packageName: PLAN_PACKAGE,
  listed: () => ({
    namespace: "plan",
    description: DESCRIPTION,
    commands: planTools(NOT_LOADED),
    ...sharedBy(NOT_LOADED),
  }),
  load: async (version) => {
    const loaded = await loadPlan(version);
    return (plugin) => adapt(plugin, loaded);
  },
};

/** Replaces the plugin's commands by our tools, and adds prompts, skills and resources. */
function adapt(declared: CliPlugin, loaded: LoadedPlan): AdaptedPlugin {
  const plugin: PlanPlugin = {
    ...loaded,
    original: <Answer>(command: string): Original<Answer> => {
      const handler = declared.commands.find(({ name }) => name === command)?.mcpHandler;
      if (handler === undefined) throw new TypeError(`The plugin has no handler for ${command}`);
      return (input, context) => handler(input, context) as Answer;
    },
  };
  const tools = planTools(plugin).map((tool) => reportingUnreadable(tool, plugin));
  const others = declared.commands.filter(({ name }) => tools.every((tool) => tool.name !== name));
  return {
    plugin: {
      ...declared,
      description: declared.description ?? DESCRIPTION,
      ...sharedBy(plugin),
      commands: [...others, ...tools],
    },
    warnings: loaded.warnings,
    warm: async ({ cwd, plan }) => {
      if (plan !== null) await loaded.storeOf(cwd, plan.path).readAhead();
    },
  };
}

function sharedBy(
  plugin: PlanPlugin,
): Required<Pick<CliPlugin, "prompts" | "skills" | "resources" | "tables">> {
  return {
    prompts: planPrompts(plugin),
    skills: PLAN_SKILLS,
    resources: [...planResources(plugin), ...planViews],
    tables: planTables(plugin),
  };
}
