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

/** The error for a plan that is not there; `dir` is `null` where the config leads out of the project. */
export function planMissing(
  { cwd, dir, cause }: { cwd: string; dir?: string | null | undefined; cause?: unknown },
): RefraktError {
  const around = planAround(cwd);
  const [message, hint] = around !== undefined
    ? [
      `No plan at ${dir ?? cwd}: the working directory itself lies inside the plan ${around}`,
      `Start the server in the project of that plan: --cwd=${dirname(around)}`,
    ]
    : dir === null || dir === undefined
    ? [
      `The configured plan directory leads out of the project ${cwd}`,
      `Set plan.dir in ${CONFIG_NAME} to a folder inside the project.`,
    ]
    : [
      `No plan directory at ${dir}`,
      "Call plan.init to create it. If the project is elsewhere, start the server with " +
      `--cwd=<its directory>; if the plan is, set plan.dir in ${CONFIG_NAME}.`,
    ];
  return new RefraktError("PLAN_DIR_MISSING", message, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
