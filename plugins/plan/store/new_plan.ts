/** Whether and how a project without a plan gets one. */

import { quotedName } from "../../../src/plain_text.ts";
import { join } from "node:path";
import { mayWrite } from "../../../src/io/permissions.ts";
import type { Project } from "../../../src/plugin/project.ts";
import { renamedHint } from "./renamed_plan.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { installedCopy, takesFromDisk } from "../../../src/packages/installed.ts";
import { PLAN_PACKAGE } from "../../../src/packages/names.ts";

/** Whether `plan_init` works in this process: the plugin is available, and the folder writable. */
export function canStartPlan(project: Project): boolean {
  return project.plan === null && project.configProblem === undefined &&
    project.readOnly !== "requested" &&
    project.renamedPlan === undefined && hasPlanPlugin(project) &&
    mayWrite(planFolder(project));
}

/** How the project gets a plan; `undefined` if it has one. */
export function planStep(project: Project): string | undefined {
  if (project.plan !== null) return undefined;
  const { cwd, configProblem, renamedPlan } = project;
  if (configProblem !== undefined) return `It may have one: ${configProblem}.`;
  if (renamedPlan !== undefined) {
    const hint = renamedHint(renamedPlan, shownPath(cwd, planFolder(project)));
    return `The folder ${quotedName(renamedPlan)} holds one: ${hint}`;
  }
  if (canStartPlan(project)) return "plan_init creates one.";
  return `To have one, run in a shell: \`${project.shell.call("plan_init")}\`.`;
}

export function planFolder({ cwd, planDir }: Project): string {
  return planDir ?? join(cwd, "plan");
}

function hasPlanPlugin(project: Project): boolean {
  return !takesFromDisk(project) || installedCopy(project, PLAN_PACKAGE) !== undefined;
}
