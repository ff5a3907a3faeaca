/** Finds the plan of a call, and locks it for writing. */

import { statIfExists } from "../../../src/io/files.ts";
import { withFolderLock } from "../../../src/io/lock.ts";
import { grantedFolder } from "../../../src/io/granted.ts";
import { planStep } from "../../../src/npm/new_plan.ts";
import { planMissing } from "../../../src/project/plan.ts";
import type { CallContext } from "../../../src/tools/context.ts";

export type PlaceContext = Pick<CallContext, "project">;

/** Resolves the call's `dir`, else the project's plan: an absolute path inside the project. */
export function planPlace({ project }: PlaceContext, dir: string | undefined): string {
  const { cwd, planDir } = project;
  if (dir !== undefined && dir !== "") return grantedFolder(cwd, dir, "The plan directory");
  if (planDir === null) throw planMissing({ cwd, dir: planDir });
  return planDir;
}

/**
 * Like {@linkcode planPlace}, but requires the plan to exist.
 *
 * @throws {RefraktError} `PLAN_DIR_MISSING` if it does not exist.
 */
export function existingPlan(context: PlaceContext, dir: string | undefined): string {
  const place = planPlace(context, dir);
  if (statIfExists(place)?.isDirectory) return place;
  const { project } = context;
  throw planMissing({ cwd: project.cwd, dir: place, step: planStep(project) });
}

/**
 * Runs work while no other call of any process writes the plan, so that, for example, two calls
 * cannot assign the same id.
 *
 * @param dir The plan's directory; if it does not exist yet, nothing is locked.
 * @throws {RefraktError} `TIMEOUT` if another process holds the lock for too long.
 */
export async function withPlanLock<Value>(
  dir: string,
  signal: AbortSignal,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const hint = "Nothing was written. Check whether another server hangs, then call again.";
  return await withFolderLock(dir, { what: "the plan", hint, signal }, work);
}
