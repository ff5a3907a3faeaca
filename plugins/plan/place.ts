/**
 * Which plan a call works on.
 *
 * @module
 */

import { statIfExists } from "../../src/io/files.ts";
import { resolveInside } from "../../src/io/paths.ts";
import { planMissing } from "../../src/project/missing_plan.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";

/** What of a call's context says where the plan is. */
export type PlaceContext = Pick<McpHandlerContext, "cwd" | "planDir">;

/** The plan's directory by the call's `dir`, else the project's: real, absolute, inside the project. */
export function planPlace({ cwd, planDir }: PlaceContext, dir: string | undefined): string {
  if (dir !== undefined && dir !== "") return resolveInside(cwd, dir, "The plan directory");
  if (planDir === null || planDir === undefined) {
    throw planMissing({ cwd, dir: planDir });
  }
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
