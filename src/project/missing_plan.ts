/**
 * What to say where no plan is: where it was looked for, and whether the directory
 * is itself a part of a plan.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { RefraktError } from "../errors.ts";
import { readInside } from "../io/read.ts";
import { CONFIG_NAME } from "./config.ts";
import { entityTypeIn } from "./entities.ts";

/** The folders of a plan, by the types of what is in them. */
const FOLDERS = ["work", "specs", "decisions", "milestones", "bugs"];

/** At most this many files of a folder are read. */
const MOST_FILES = 20;

/**
 * The plan that a directory belongs to: itself, where its folders hold entities, or the
 * one above, where entities lie right in it.
 */
export function planAround(cwd: string): string | undefined {
  if (FOLDERS.some((folder) => holdsEntity(cwd, join(cwd, folder)))) return cwd;
  if (!holdsEntity(cwd, cwd)) return undefined;
  return FOLDERS.includes(basename(cwd)) ? dirname(cwd) : cwd;
}

/** Whether a file right in a folder holds an entity. */
function holdsEntity(root: string, folder: string): boolean {
  let looked = 0;
  try {
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      if (!isFile || !name.endsWith(".md")) continue;
      const text = readInside(root, join(folder, name), "plan");
      if (entityTypeIn(text) !== undefined) return true;
      if (++looked >= MOST_FILES) return false;
    }
  } catch {
    // Not there, or not to be read.
  }
  return false;
}

/** What is known of a plan that is missing. */
export interface MissingPlan {
  /** The project's directory, absolute. */
  readonly cwd: string;
  /** Where the plan was looked for, absolute; `null` where the config leads out of the project. */
  readonly dir: string | null | undefined;
  readonly cause?: unknown;
}

/** The error for a plan that is not there. */
export function planMissing({ cwd, dir, cause }: MissingPlan): RefraktError {
  const around = planAround(cwd);
  const options = cause === undefined ? {} : { cause };
  if (around !== undefined) {
    return new RefraktError(
      "PLAN_DIR_MISSING",
      `No plan at ${dir ?? cwd}: the working directory itself lies inside the plan ${around}`,
      {
        hint: `Start the server in the project of that plan: --cwd=${dirname(around)}`,
        ...options,
      },
    );
  }
  if (dir === null || dir === undefined) {
    return new RefraktError(
      "PLAN_DIR_MISSING",
      `The configured plan directory leads out of the project ${cwd}`,
      { hint: `Set plan.dir in ${CONFIG_NAME} to a folder inside the project.`, ...options },
    );
  }
  return new RefraktError("PLAN_DIR_MISSING", `No plan directory at ${dir}`, {
    hint: `Call plan.init to create it. If the project is elsewhere, start the server with ` +
      `--cwd=<its directory>; if the plan is, set plan.dir in ${CONFIG_NAME}.`,
    ...options,
  });
}
