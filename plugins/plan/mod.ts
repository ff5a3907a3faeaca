/**
 * Adapts the plan plugin: our tools in place of its commands, with a fast scan, history from git and
 * safe writes; prompts, skills and resources.
 */

import { PLAN_PACKAGE } from "../../src/packages/names.ts";
import type { AdaptedPlugin, PluginAdapter } from "../../src/plugin/adapter.ts";
import { type CliPlugin, handlerContext } from "../../src/plugin/cli_plugin.ts";
import type { Contribution } from "../../src/plugin/contribution.ts";
import { toolName } from "../../src/plugin/tool_names.ts";
import { planViews } from "../board/mod.ts";
import { type LoadedPlan, loadPlan, type Original, type PlanPlugin } from "./store/loaded.ts";
import { planPrompts } from "./prompts/mod.ts";
import { planResources } from "./resources.ts";
import { planTools } from "./tools/mod.ts";
import { vocabularyOf } from "./upstream/listed_version.ts";
import { PLAN_SKILLS } from "./prompts/skills.ts";
import type { Table } from "../../src/plugin/tables.ts";
import { criteriaTable, linesTable, refsTable, sectionsTable } from "./tables/contents.ts";
import { attributesTable, elsewhereTable, entitiesTable } from "./tables/entities.ts";
import {
  commitEntitiesTable,
  commitsTable,
  durationsTable,
  eventsTable,
} from "./tables/history.ts";

/** Commands that run until stopped, or build whole sites. */
const IN_SHELL = ["serve", "build"];

export const planAdapter: PluginAdapter = {
  packageName: PLAN_PACKAGE,
  // Declarations depend on nothing else of a plugin.
  listed: (version) => contributionOf({ vocabulary: vocabularyOf(version) } as PlanPlugin),
  load: async (version) => {
    const loaded = await loadPlan(version);
    return (plugin) => adapt(plugin, loaded);
  },
};

/** Replaces the plugin's commands by our tools; its others stay. */
function adapt(declared: CliPlugin, loaded: LoadedPlan): AdaptedPlugin {
  const plugin: PlanPlugin = {
    ...loaded,
    original: <Answer>(command: string): Original<Answer> => {
      const handler = declared.commands.find(({ name }) => name === command)?.mcpHandler;
      if (handler === undefined) throw new TypeError(`The plugin has no handler for ${command}`);
      return (input, context) => handler(input, handlerContext(context)) as Answer;
    },
  };
  const contribution = contributionOf(plugin);
  const ours = new Set(contribution.tools!.map(({ name }) => name));
  return {
    plugin: {
      namespace: declared.namespace,
      description: declared.description ?? "Plans as Markdoc files: specs, work, bugs, decisions.",
      commands: declared.commands
        .filter(({ name }) => !ours.has(toolName("plan", name)))
        .map((command) =>
          IN_SHELL.includes(command.name) ? { ...command, longRunning: true } : command
        ),
    },
    contribution,
    warnings: loaded.warnings,
    warm: async ({ cwd, plan }) => {
      if (plan !== null) await loaded.storeOf(cwd, plan.path).readAhead();
    },
  };
}

function contributionOf(plugin: PlanPlugin): Contribution {
  return {
    tools: planTools(plugin),
    prompts: planPrompts(plugin),
    skills: PLAN_SKILLS,
    resources: [...planResources(plugin), ...planViews],
    tables: planTables(plugin),
  };
}

function planTables(plugin: PlanPlugin): Table[] {
  return [
    entitiesTable,
    attributesTable,
    criteriaTable,
    sectionsTable,
    refsTable,
    eventsTable,
    durationsTable,
    commitsTable,
    commitEntitiesTable,
    elsewhereTable,
    linesTable,
  ].map((declare) => declare(plugin));
}
