/** The tools of the workflow. */

import type { Tool } from "../../src/plugin/tool.ts";
import { DOCUMENT_PHASES } from "./phases.ts";
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

export const ralphTools: readonly Tool[] = [...steps, helpTool(steps)];
