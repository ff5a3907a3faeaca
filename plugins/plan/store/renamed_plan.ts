/** Finds a plan whose folder was renamed. */

import { join } from "node:path";
import { asObject, textOf } from "../../../src/io/json.ts";
import { foldersBelow, foldersIn } from "../../../src/io/folders_below.ts";
import { exists, shownPath } from "../../../src/io/paths.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { CONFIG_NAME } from "../../../src/plugin/config.ts";
import type { ConfigFile, Warning } from "../../../src/plugin/project.ts";
import { holdsPlan } from "./plan_folder.ts";

/**
 * The folder that holds a plan although it does not have the plan's name, relative to the project;
 * `undefined` if there is none.
 */
export function renamedPlan(cwd: string, config: ConfigFile | null): string | undefined {
  // Where none is configured, a plan further below is that of a member, and named as such.
  const folders = isConfigured(config) ? [...foldersBelow(cwd)] : foldersIn(cwd);
  return folders.find((path) =>
    // A project of its own below this one has its own plan.
    !exists(join(cwd, path, CONFIG_NAME)) && holdsPlan(cwd, join(cwd, path))
  );
}

/** Warns of a plan that is configured, or renamed, and not where it should be. */
export function planWarnings(
  cwd: string,
  config: ConfigFile | null,
  dir: string,
  renamed: string | undefined,
): Warning[] {
  if (!isConfigured(config) && renamed === undefined) return [];
  const shown = shownPath(cwd, dir);
  return [{
    code: "PATH_MISSING",
    message: `The plan's folder ${quotedName(shown)} ${
      exists(dir) ? "is not a folder" : "does not exist"
    }`,
    hint: renamed === undefined
      ? `Create it, or correct ${CONFIG_NAME}.`
      : `${quotedName(renamed)} holds a plan: ${renamedHint(renamed, shown)}`,
  }];
}

function isConfigured(config: ConfigFile | null): boolean {
  return textOf(asObject(config?.raw["plan"])["dir"]) !== undefined;
}

/** What to do about a renamed plan. */
export function renamedHint(renamed: string, dir: string): string {
  return `rename it to ${quotedName(dir)}, or set plan.dir in ${CONFIG_NAME} to ${
    quotedName(renamed)
  }. For a second ` +
    `plan, create the folder ${quotedName(dir)} first.`;
}
