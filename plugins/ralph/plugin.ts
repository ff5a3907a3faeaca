/**
 * The Ralph Specum workflow as a plugin: from a goal through research, requirements, design and
 * tasks to the implementation, with the state in files.
 */

import type { Contribution } from "../../src/plugin/contribution.ts";
import type { Tool } from "../../src/plugin/tool.ts";
import { DOCUMENT_PHASES } from "./phases.ts";
import { prompts } from "./prompts.ts";
import { resources } from "./resources.ts";
import { RALPH_SKILLS } from "./skills.ts";
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

const tools: readonly Tool[] = [
  start,
  ...DOCUMENT_PHASES.map(phaseTool),
  implement,
  taskResult,
  completePhase,
  status,
  switchSpec,
  cancel,
  check,
];

export const ralphPlugin: Contribution = {
  tools: [...tools, helpTool(tools)],
  resources: resources.map((resource) => ({ ...resource, requires: ["ralph"] })),
  prompts: prompts.map((prompt) => ({ ...prompt, requires: ["ralph"] })),
  skills: RALPH_SKILLS.map((skill) => ({ ...skill, requires: ["ralph"] })),
};
