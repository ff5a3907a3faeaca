/** Finds the plan, also one whose folder was renamed, and says how a project gets one. */

import type { PlanFacts, Project, Warning } from "../../../src/plugin/project.ts";
import { quotedName, word } from "../../../src/plain_text.ts";
import { basename, dirname, join } from "node:path";
import { messageOf, orElse, RefraktError } from "../../../src/errors.ts";
import { asObject, textOf } from "../../../src/io/json.ts";
import { foldersBelow, foldersIn, statIfExists } from "../../../src/io/files.ts";
import { mayWriteTo, readVariable } from "../../../src/io/permissions.ts";
import { exists, isInside, shownPath } from "../../../src/io/paths.ts";
import { grantedFolder } from "../../../src/io/write_folder.ts";
import { readInside } from "../../../src/io/read.ts";
import { installedCopy, takesFromDisk } from "../../../src/packages/manifests.ts";
import { PLAN_PACKAGE } from "../../../src/packages/names.ts";
import { CONFIG_NAME } from "../../../src/plugin/config.ts";
import { hasEntity } from "../entity/types.ts";

/** An environment variable of the plan plugin. */
const DIR_VARIABLE = "REFRAKT_PLAN_DIR";

const OUTSIDE_HINT =
  `Set plan.dir in ${CONFIG_NAME}, or ${DIR_VARIABLE}, to a folder inside the project.`;

/**
 * Finds the plan of a project: in `REFRAKT_PLAN_DIR` if the environment is readable, else in the
 * configured folder, else in `plan`; what is not where it should be causes a warning.
 */
export function detectPlan(
  { cwd, config, configProblem }: Pick<Project, "cwd" | "config" | "configProblem">,
  warnings: Warning[],
): Pick<Project, "planDir" | "plan" | "renamedPlan"> {
  const configured = textOf(asObject(config?.raw["plan"])["dir"]);
  const isConfigured = configured !== undefined;
  let planDir: string | null = null;
  try {
    const dir = readVariable(DIR_VARIABLE) ?? (configured || "plan");
    planDir = grantedFolder(cwd, dir, "The plan directory");
  } catch (error) {
    warnings.push({ code: "CONFIG_INVALID", message: messageOf(error), hint: OUTSIDE_HINT });
  }
  const plan = planDir === null ? null : findPlan(cwd, planDir, warnings);
  const isLost = plan === null && configProblem === undefined;
  const renamed = isLost ? renamedFolder(cwd, isConfigured) : undefined;
  if (plan !== null || planDir === null || !isConfigured && renamed === undefined) {
    return { planDir, plan, renamedPlan: renamed };
  }
  const dir = shownPath(cwd, planDir);
  const state = exists(planDir) ? "is not a folder" : "does not exist";
  warnings.push({
    code: "PATH_MISSING",
    message: `The plan's folder ${quotedName(dir)} ${state}`,
    hint: renamed === undefined
      ? `Create it, or correct ${CONFIG_NAME}.`
      : `${quotedName(renamed)} holds a plan: ${renamedHint(renamed, dir)}`,
  });
  return { planDir, plan, renamedPlan: renamed };
}

/** Returns the plan if its directory exists; an unreadable one causes a warning. */
function findPlan(cwd: string, path: string, warnings: Warning[]): PlanFacts | null {
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
const SAMPLED_FILES = 20;

/** The plan that contains a directory: itself, or its parent if it is one of the folders. */
function planAround(cwd: string): string | undefined {
  if (holdsPlan(cwd, cwd)) return cwd;
  if (!holdsEntity(cwd, cwd)) return undefined;
  return PLAN_FOLDERS.includes(basename(cwd)) ? dirname(cwd) : cwd;
}

/**
 * The folder that holds a plan although it does not have the plan's name, relative to the project;
 * `undefined` if there is none.
 */
function renamedFolder(cwd: string, isConfigured: boolean): string | undefined {
  // Where none is configured, a plan further below is that of a member, and named as such.
  const folders = isConfigured ? [...foldersBelow(cwd)] : foldersIn(cwd);
  return folders.find((path) =>
    // A project of its own below this one has its own plan.
    !exists(join(cwd, path, CONFIG_NAME)) && holdsPlan(cwd, join(cwd, path))
  );
}

/** Says how to use a renamed plan again. */
export function renamedHint(renamed: string, dir: string): string {
  return `rename it to ${quotedName(dir)}, or set plan.dir in ${CONFIG_NAME} to ` +
    `${quotedName(renamed)}. For a second plan, create the folder ${quotedName(dir)} first.`;
}

/** Whether the folders of a plan are in a folder, with entities. */
function holdsPlan(root: string, path: string): boolean {
  return PLAN_FOLDERS.some((folder) => holdsEntity(root, join(path, folder)));
}

/** Whether a file directly in a folder, which may be missing or unreadable, contains an entity. */
function holdsEntity(root: string, folder: string): boolean {
  const holds = () =>
    Deno.readDirSync(folder).filter(({ name, isFile }) => isFile && name.endsWith(".md"))
      .take(SAMPLED_FILES)
      .some(({ name }) => hasEntity(readInside(root, join(folder, name), "plan")));
  return orElse(holds, false);
}

/** Whether `plan_init` works in this process: the plugin is available, and the folder writable. */
export function canStartPlan(project: Project): boolean {
  return project.plan === null && project.configProblem === undefined &&
    project.readOnly !== "requested" &&
    project.renamedPlan === undefined && mayWriteTo(planFolder(project)) &&
    (!takesFromDisk(project) || installedCopy(project, PLAN_PACKAGE) !== undefined);
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
  const missing = (message: string, hint: string) =>
    new RefraktError("PLAN_DIR_MISSING", message, { hint });
  if (around !== undefined) {
    const message = `No plan at ${
      quotedName(dir ?? cwd)
    }: the working directory is inside the plan`;
    return missing(`${message} ${quotedName(around)}`, startIn(around));
  }
  if (dir === null) {
    const message = `The configured plan directory is outside the project ${quotedName(cwd)}`;
    return missing(message, OUTSIDE_HINT);
  }
  return missing(
    `No plan directory at ${quotedName(dir)}`,
    `${step} If the project is elsewhere, start the server with ` +
      `--cwd=<its directory>; if the plan is, set plan.dir in ${CONFIG_NAME}.`,
  );
}

/**
 * Requires that a folder is in no other plan, which would read it as a part.
 *
 * @throws {RefraktError} `VALIDATION_ERROR`
 */
export function requireNoPlanAround(cwd: string, dir: string): void {
  const above = [cwd];
  for (let each = dirname(dir); each !== cwd && isInside(cwd, each); each = dirname(each)) {
    above.push(each);
  }
  const around = above.map(planAround).find((plan) => plan !== undefined);
  if (around === undefined || around === dir) return;
  const message = `${quotedName(dir)} lies inside the plan ${quotedName(around)}`;
  throw new RefraktError("VALIDATION_ERROR", message, {
    hint: `Plans cannot be nested. ${startIn(around)}`,
  });
}

const startIn = (plan: string) =>
  `Start the server in the project of that plan: ${word(`--cwd=${dirname(plan)}`)}`;
