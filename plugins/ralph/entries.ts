/** What the plugin declares: imported when it is listed or called. */

import type { Prompt } from "../../src/plugin/prompt.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import type { Skill } from "../../src/plugin/skill.ts";
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

const steps: readonly Tool[] = [
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

const requires = ["ralph"];

export const ralphTools: readonly Tool[] = [...steps, helpTool(steps)];

export const ralphResources: readonly Resource[] = resources
  .map((resource) => ({ ...resource, requires }));

export const ralphPrompts: readonly Prompt[] = prompts
  .map((prompt) => ({ ...prompt, requires }));

export const ralphSkills: readonly Skill[] = RALPH_SKILLS.map((skill) => ({ ...skill, requires }));
