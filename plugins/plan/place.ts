/**
 * Which plan a call works on.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { readConfig } from "../../src/project/config.ts";
import { planDirOf } from "../../src/project/plan.ts";
import type { Warning } from "../../src/project/project.ts";
import { statIfExists } from "../../src/sandbox/files.ts";
import { resolveInside, shownPath } from "../../src/sandbox/paths.ts";

/** The plan's directory by the call's `dir`, else by the config: real, absolute, inside the project. */
export function planPlace(cwd: string, dir: unknown): string {
  if (typeof dir === "string" && dir !== "") return resolveInside(cwd, dir, "The plan directory");
  const warnings: Warning[] = [];
  const found = planDirOf(cwd, readConfig(cwd, warnings), warnings);
  if (found !== null) return found;
  throw new RefraktError("PLAN_DIR_MISSING", warnings.at(-1)?.message ?? "No plan directory", {
    hint: warnings.at(-1)?.hint ?? "Set plan.dir in refrakt.config.json.",
  });
}

/**
 * The same, for calls that need the plan to be there.
 *
 * @throws {RefraktError} `PLAN_DIR_MISSING` where it is not.
 */
export function existingPlan(cwd: string, dir: unknown): string {
  const place = planPlace(cwd, dir);
  if (statIfExists(place)?.isDirectory) return place;
  throw new RefraktError(
    "PLAN_DIR_MISSING",
    `Plan directory not found at ./${shownPath(cwd, place)}`,
    { hint: "Call plan.init to create it, or set plan.dir in refrakt.config.json." },
  );
}
