/** The tools of the workflow. */

import type { Tool } from "../../src/plugin/tool.ts";
import { DOCUMENT_PHASES } from "./phases.ts";
import { cancelTool } from "./tools/cancel.ts";
import { checkTool } from "./tools/check.ts";
import { completePhaseTool } from "./tools/complete_phase.ts";
import { helpTool } from "./tools/help.ts";
import { implementTool } from "./tools/implement.ts";
import { phaseTool } from "./tools/phase.ts";
import { startTool } from "./tools/start.ts";
import { statusTool } from "./tools/status.ts";
import { switchTool } from "./tools/switch.ts";
import { taskResultTool } from "./tools/task_result.ts";

const stepTools: readonly Tool[] = [
  startTool,
  ...DOCUMENT_PHASES.map(phaseTool),
  implementTool,
  taskResultTool,
  completePhaseTool,
  statusTool,
  switchTool,
  cancelTool,
  checkTool,
];

export const ralphTools: readonly Tool[] = [...stepTools, helpTool(stepTools)];
