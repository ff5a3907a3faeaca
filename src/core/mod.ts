/**
 * The `refrakt.*` tools of a site and their resources, computed in this process on
 * the project's own packages.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import type { Project, Warning } from "../project/project.ts";
import type { Contribution, Contributor } from "../surface/contribution.ts";
import type { Tool } from "../surface/tool.ts";
import { auditTool } from "./audit.ts";
import { contractTools } from "./contracts.ts";
import { hasI18n, i18nTool } from "./i18n.ts";
import { inspectTool } from "./inspect.ts";
import { inspectListTool } from "./inspect_list.ts";
import { packageValidateTool } from "./package_validate.ts";
import { referenceTool } from "./reference.ts";
import { coreResources } from "./resources.ts";
import { validateTool } from "./validate.ts";

/** The tools that every version of the packages has. */
const TOOLS: readonly Tool[] = [
  inspectTool,
  inspectListTool,
  auditTool,
  ...contractTools,
  validateTool,
  referenceTool,
  packageValidateTool,
];

/** Contributes the core; it looks at versions only, and loads nothing. */
export const core: Contributor = (project: Project): Contribution => {
  const warnings: Warning[] = [];
  let i18n = false;
  try {
    i18n = hasI18n(project);
  } catch (error) {
    warnings.push({ code: "PLUGIN_LOAD_FAILED", message: messageOf(error) });
  }
  return { tools: i18n ? [...TOOLS, i18nTool] : TOOLS, resources: coreResources, warnings };
};
