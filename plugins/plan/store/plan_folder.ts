/** Finds the plan and its files. */

import type { ConfigFile, PlanFacts, Warning } from "../../../src/plugin/project.ts";
import { quotedName, word } from "../../../src/plain_text.ts";
import { basename, dirname, join } from "node:path";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { asObject, textOf } from "../../../src/io/json.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { readVariable } from "../../../src/io/permissions.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { grantedFolder } from "../../../src/io/granted.ts";
import { readInside } from "../../../src/io/read.ts";
import { CONFIG_NAME } from "../../../src/plugin/config.ts";
import { hasEntity } from "../entity/types.ts";

/** An environment variable of the plan plugin. */
const DIR_VARIABLE = "REFRAKT_PLAN_DIR";

const OUTSIDE_HINT =
  `Set plan.dir in ${CONFIG_NAME}, or ${DIR_VARIABLE}, to a folder inside the project.`;

/**
 * The plan's directory: `REFRAKT_PLAN_DIR` if the environment is readable, else the configured one,
 * else `plan`; `null` if it is outside the project.
 */
export function planDirOf(
  cwd: string,
  config: ConfigFile | null,
  warnings: Warning[],
): string | null {
  const configured = asObject(config?.raw["plan"])["dir"];
  const dir = readVariable(DIR_VARIABLE) ?? (textOf(configured) || "plan");
  try {
    return grantedFolder(cwd, dir, "The plan directory");
  } catch (error) {
    warnings.push({ code: "CONFIG_INVALID", message: messageOf(error), hint: OUTSIDE_HINT });
    return null;
  }
}

/** Returns the plan if its directory exists; an unreadable one causes a warning. */
export function findPlan(cwd: string, path: string, warnings: Warning[]): PlanFacts | null {
  try {
    if (!statIfExists(path)?.isDirectory) return null;
  } catch (error) {
    warnings.push({
      code: "FOLDER_UNREADABLE",
      message: `The plan directory cannot be read: ${messageOf(error)}`,
      hint: "Allow reading it (--allow-read=.), or check its owner and mode.",
    });
    return null;
  }
  return { dir: shownPath(cwd, path), path };
}

/** The folders of a plan. */
export const PLAN_FOLDERS = ["work", "specs", "decisions", "milestones", "bugs"];

/** How many files of a folder are read. */
const MOST_FILES = 20;

/** The plan that contains a directory: itself, or its parent if it is one of the folders. */
export function planAround(cwd: string): string | undefined {
  if (holdsPlan(cwd, cwd)) return cwd;
  if (!holdsEntity(cwd, cwd)) return undefined;
  return PLAN_FOLDERS.includes(basename(cwd)) ? dirname(cwd) : cwd;
}

/** Whether the folders of a plan are in a folder, with entities. */
export function holdsPlan(root: string, path: string): boolean {
  return PLAN_FOLDERS.some((folder) => holdsEntity(root, join(path, folder)));
}

/** Whether a file directly in a folder contains an entity. */
function holdsEntity(root: string, folder: string): boolean {
  let looked = 0;
  try {
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      if (!isFile || !name.endsWith(".md")) continue;
      const text = readInside(root, join(folder, name), "plan");
      if (hasEntity(text)) return true;
      if (++looked >= MOST_FILES) return false;
    }
  } catch {
    // The folder is missing or unreadable.
  }
  return false;
}

/**
 * The error for a missing plan.
 *
 * @param dir Where it was expected; `null` if that is outside the project.
 * @param step How the project gets a plan.
 */
export function planMissing(
  cwd: string,
  dir: string | null,
  step = "Call plan_init to create it.",
): RefraktError {
  const around = planAround(cwd);
  const [message, hint] = around !== undefined
    ? [
      `No plan at ${quotedName(dir ?? cwd)}: the working directory is inside the plan ${
        quotedName(around)
      }`,
      `Start the server in the project of that plan: ${word(`--cwd=${dirname(around)}`)}`,
    ]
    : dir === null
    ? [`The configured plan directory is outside the project ${quotedName(cwd)}`, OUTSIDE_HINT]
    : [
      `No plan directory at ${quotedName(dir)}`,
      `${step} If the project is elsewhere, start the server with ` +
      `--cwd=<its directory>; if the plan is, set plan.dir in ${CONFIG_NAME}.`,
    ];
  return new RefraktError("PLAN_DIR_MISSING", message, { hint });
}
