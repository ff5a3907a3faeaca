/**
 * Which plan a call works on, and one writer of it at a time.
 *
 * @module
 */

import { statIfExists } from "../../src/io/files.ts";
import { withFolderLock } from "../../src/io/lock.ts";
import { resolveInside } from "../../src/io/paths.ts";
import { planMissing } from "../../src/project/plan.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";

/** What of a call's context says where the plan is. */
export type PlaceContext = Pick<McpHandlerContext, "cwd" | "planDir">;

/** The plan's directory by the call's `dir`, else the project's: real, absolute, inside the project. */
export function planPlace({ cwd, planDir }: PlaceContext, dir: string | undefined): string {
  if (dir !== undefined && dir !== "") return resolveInside(cwd, dir, "The plan directory");
  if (planDir === null || planDir === undefined) throw planMissing({ cwd, dir: planDir });
  return planDir;
}

/**
 * The same, for calls that need the plan to be there.
 *
 * @throws {RefraktError} `PLAN_DIR_MISSING` where it is not.
 */
export function existingPlan(context: PlaceContext, dir: string | undefined): string {
  const place = planPlace(context, dir);
  if (statIfExists(place)?.isDirectory) return place;
  throw planMissing({ cwd: context.cwd, dir: place });
}

/**
 * Runs work while no other call of any process writes the plan: two calls that create an entity at
 * the same moment must not choose the same id.
 *
 * @param dir The plan's directory; if it does not exist yet, nothing is locked.
 * @param work What to do; it is told whether the plan is locked, which some file systems cannot.
 * @throws {RefraktError} `TIMEOUT` if another process holds the plan for too long.
 */
export async function withPlanLock<Value>(
  dir: string,
  signal: AbortSignal,
  work: (isHeld: boolean) => Value | Promise<Value>,
): Promise<Value> {
  const hint = "See whether another server hangs, then call again; nothing was written.";
  return await withFolderLock(dir, { what: "the plan", hint, signal }, work);
}
