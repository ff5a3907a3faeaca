/** The plan of a one-shot command that reads it. */

import { PLAN_PACKAGE } from "../../../src/npm/names.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import { loadPlan } from "../store/loaded.ts";
import { placeAt, type PlanPlace } from "../store/place.ts";

/** Opens the plan without the plugin's commands; `undefined` if the project has none. */
export async function commandPlan(context: CallContext): Promise<PlanPlace | undefined> {
  const { project } = context;
  if (project.plan === null) return undefined;
  const loaded = await loadPlan(packageVersion(project, PLAN_PACKAGE));
  const original = () => {
    throw new TypeError("Only the plan is read, without the plugin's commands");
  };
  return placeAt({ ...loaded, original }, context, project.plan.path);
}
