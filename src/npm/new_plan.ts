/** Whether and how a project without a plan gets one. */

import { join } from "node:path";
import { shownPath } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import type { Project } from "../project/project.ts";
import { installedPackage, takesFromDisk } from "./installed.ts";
import { PLAN_PACKAGE } from "./names.ts";

/** Whether `plan.init` works in this process: the plugin is available, and the folder writable. */
export function canStartPlan(project: Project): boolean {
  return project.plan === null && hasPlanPlugin(project) && mayWrite(planFolder(project));
}

/** How the project gets a plan; `undefined` if it has one. */
export function planStep(project: Project): string | undefined {
  if (project.plan !== null) return undefined;
  if (canStartPlan(project)) return "plan.init creates one.";
  const install = hasPlanPlugin(project) ? "" : `npm install --save-dev ${PLAN_PACKAGE}, then `;
  const folder = shownPath(project.cwd, planFolder(project));
  return `To have one: ${install}start the server with --allow-write=${folder} and call plan.init.`;
}

function planFolder({ cwd, planDir }: Project): string {
  return planDir ?? join(cwd, "plan");
}

function hasPlanPlugin(project: Project): boolean {
  return !takesFromDisk(project) || installedPackage(project, PLAN_PACKAGE) !== undefined;
}
