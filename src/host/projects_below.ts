/** Finds projects and packages in the folders below one, such as members of a monorepo. */

import { foldersBelow } from "../io/folders_below.ts";
import { join } from "node:path";
import { exists } from "../io/paths.ts";
import { CONFIG_NAME } from "../plugin/config.ts";
import { PLAN_FOLDERS } from "../../plugins/plan/store/plan_folder.ts";

/** How many projects are named. */
const MOST_PLACES = 5;

/**
 * The paths of projects below a folder, relative to it with `/`. Only names that need no quotes in a
 * shell are searched.
 */
export function projectsBelow(cwd: string): string[] {
  const found: string[] = [];
  for (const path of foldersBelow(cwd, (name) => /^[\w@+][\w@+.-]*$/.test(name))) {
    const isInner = found.some((outer) => path.startsWith(`${outer}/`));
    if (!isInner && isProject(join(cwd, path))) found.push(path);
    if (found.length === MOST_PLACES) break;
  }
  return found;
}

function isProject(folder: string): boolean {
  return exists(join(folder, CONFIG_NAME)) ||
    PLAN_FOLDERS.some((name) => exists(join(folder, "plan", name)));
}
