/**
 * The Ralph Specum workflow as a plugin: from a goal by way of research,
 * requirements, design and tasks to an implementation, with the state in files.
 *
 * @module
 */

import type { CliPlugin, CliPluginCommand } from "../../src/surface/plugin.ts";
import { translated } from "./failures.ts";
import { prompts } from "./prompts.ts";
import { resources } from "./resources.ts";
import { cancel } from "./tools/cancel.ts";
import { check } from "./tools/check.ts";
import { completePhase } from "./tools/complete_phase.ts";
import { helpTool } from "./tools/help.ts";
import { implement } from "./tools/implement.ts";
import { phaseTool } from "./tools/phase.ts";
import { start } from "./tools/start.ts";
import { status } from "./tools/status.ts";
import { switchSpec } from "./tools/switch.ts";
import { taskResult } from "./tools/task_result.ts";

const commands: readonly CliPluginCommand[] = [
  start,
  phaseTool(
    "research",
    "Research",
    "Returns the instructions of the research phase: role, template, context. Follow them to write research.md.",
  ),
  phaseTool(
    "requirements",
    "Requirements",
    "Returns the instructions of the requirements phase. Follow them to write requirements.md.",
  ),
  phaseTool(
    "design",
    "Design",
    "Returns the instructions of the design phase. Follow them to write design.md.",
  ),
  phaseTool(
    "tasks",
    "Tasks",
    "Returns the instructions of the tasks phase. Follow them to write tasks.md.",
  ),
  implement,
  completePhase,
  status,
  switchSpec,
  cancel,
  taskResult,
  check,
];

/** The command with every failure of the file system in the workflow's own words. */
function guarded(command: CliPluginCommand): CliPluginCommand {
  return {
    ...command,
    mcpHandler: async (input, context) => {
      try {
        return await command.mcpHandler!(input, context);
      } catch (error) {
        throw translated(context.cwd, error) ?? error;
      }
    },
  };
}

/** The plugin. */
export const ralphPlugin: CliPlugin = {
  namespace: "ralph",
  description: "Spec-driven development: research, requirements, design, tasks, implementation.",
  commands: [...commands, helpTool(commands)].map(guarded),
  resources,
  prompts,
};
