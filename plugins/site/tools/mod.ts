/** The tools of sites. */

import type { Tool } from "../../../src/plugin/tool.ts";
import { checkTool } from "./check.ts";
import { contractsCheckTool, contractsTool } from "./contracts.ts";
import { inspectAuditTool, inspectListTool, inspectTool } from "./inspect.ts";
import { moveTool } from "./move.ts";
import { renameTool } from "./rename.ts";
import { i18nTool, referenceTool } from "./reference.ts";
import { renderTool } from "./render.ts";
import { packageValidateTool, validateTool } from "./validate.ts";

export const SITE_TOOLS: readonly Tool[] = [
  renderTool,
  checkTool,
  moveTool,
  renameTool,
  inspectTool,
  inspectListTool,
  inspectAuditTool,
  contractsTool,
  contractsCheckTool,
  validateTool,
  referenceTool,
  packageValidateTool,
];

/** The tools for newer versions of the packages. */
export const LATER_TOOLS: readonly Tool[] = [...SITE_TOOLS, i18nTool];
