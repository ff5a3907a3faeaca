/** The tools, resources and prompts of sites. */

import { messageOf } from "../../src/errors.ts";
import type { Project, Warning } from "../../src/plugin/project.ts";
import type { Contribution } from "../../src/plugin/contribution.ts";
import type { Tool } from "../../src/plugin/tool.ts";
import { checkTool } from "./tools/check.ts";
import { contractsCheckTool, contractsTool } from "./tools/contracts.ts";
import { inspectAuditTool, inspectListTool, inspectTool } from "./tools/inspect.ts";
import { moveTool } from "./tools/move.ts";
import { SITE_SKILLS, sitePrompts } from "./prompts.ts";
import { hasI18n, i18nTool, referenceTool } from "./tools/reference.ts";
import { renderTool } from "./tools/render.ts";
import { siteResources } from "./resources.ts";
import { siteTables } from "./tables.ts";
import { packageValidateTool, validateTool } from "./tools/validate.ts";

export const SITE_TOOLS: readonly Tool[] = [
  renderTool,
  checkTool,
  moveTool,
  inspectTool,
  inspectListTool,
  inspectAuditTool,
  contractsTool,
  contractsCheckTool,
  validateTool,
  referenceTool,
  packageValidateTool,
];

/** The tools, resources and prompts of sites. It only reads versions and loads no code. */
export function siteContribution(project: Project): Contribution {
  const warnings: Warning[] = [];
  let i18n = false;
  try {
    i18n = hasI18n(project);
  } catch (error) {
    warnings.push({ code: "PLUGIN_LOAD_FAILED", message: messageOf(error) });
  }
  return {
    tools: i18n ? [...SITE_TOOLS, i18nTool] : SITE_TOOLS,
    resources: siteResources,
    prompts: sitePrompts,
    skills: SITE_SKILLS,
    tables: siteTables,
    withdrawn: {
      refrakt_preview:
        "Agents use refrakt_render; `view preview` shows people the page in a browser.",
    },
    warnings,
  };
}
