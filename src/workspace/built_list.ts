/** The list of tools of a project that has a plan and nothing else, without loading the tools. */

import { factsOf } from "../bundled.ts";
import { PLAN_PACKAGE } from "../npm/names.ts";
import { pluginPackages } from "../plugin_host/discover.ts";
import type { Project, Warning } from "../project/project.ts";
import { has, isListed } from "../tools/registry.ts";
import type { ListedTool } from "../tools/tool.ts";
import type { ToolList } from "../tools/workspace.ts";
import { BUILT_TOOLS } from "./built_tools.ts";
import { canStartRalph } from "./kinds.ts";

/** Returns the list, or `undefined` where the tools have to be loaded for it. */
export async function builtList(
  project: Project,
  built = BUILT_TOOLS,
): Promise<ToolList | undefined> {
  const isPlanAlone = has(project, "plan") && !has(project, "site") && !has(project, "plugin") &&
    !project.ralph;
  if (!isPlanAlone) return undefined;
  const packages = [...pluginPackages(project, false).keys()];
  if (packages.some((name) => name !== PLAN_PACKAGE)) return undefined;
  const text = built[await factsOf(PLAN_PACKAGE).listedVersion(project)];
  if (text === undefined) return undefined;
  const all: readonly ListedTool[] = JSON.parse(text);
  const isRalph = canStartRalph(project);
  const tools = all.filter(({ name }) => isRalph || !name.startsWith("ralph_"));
  return {
    warnings: loadingWarning(packages),
    listedTools: (views = false) => tools.filter((tool) => isListed(project, tool, views)),
    findTool: (name) => tools.find((tool) => tool.name === name),
  };
}

/** Says which packages are still loading. */
export function loadingWarning(pending: readonly string[]): Warning[] {
  if (pending.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still loading: ${pending.join(", ")}`,
    hint: "Calls of their tools wait for them; clients are notified when the list changes.",
  }];
}
