/** Finds refrakt projects in the folders below one that is none, such as members of a monorepo. */

import { join } from "node:path";
import { exists } from "../io/paths.ts";
import { CONFIG_NAME } from "./config.ts";

/** The depth and the number of folders of the search, and how many places it names. */
const [MOST_LEVELS, MOST_FOLDERS, MOST_PLACES] = [3, 2000, 5];

/** The folders of a plan, of which one is enough. */
const PLAN_FOLDERS = ["work", "specs", "milestones", "decisions", "bugs"];

/**
 * The paths of projects below a folder, relative to it with `/`. Only names that need no quotes in a
 * shell are searched; links are not followed.
 */
export function projectsBelow(cwd: string): string[] {
  const found: string[] = [];
  let level = [""];
  let seen = 0;
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const name of foldersIn(join(cwd, folder))) {
        if (++seen > MOST_FOLDERS || found.length === MOST_PLACES) return found;
        const path = folder === "" ? name : `${folder}/${name}`;
        if (isProject(join(cwd, path))) found.push(path);
        else next.push(path);
      }
    }
    level = next;
  }
  return found;
}

function isProject(folder: string): boolean {
  return exists(join(folder, CONFIG_NAME)) ||
    PLAN_FOLDERS.some((name) => exists(join(folder, "plan", name)));
}

function foldersIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)]
      .filter(({ isDirectory, name }) =>
        isDirectory && /^[\w@+][\w@+.-]*$/.test(name) && name !== "node_modules"
      )
      .map(({ name }) => name).sort();
  } catch {
    return [];
  }
}
