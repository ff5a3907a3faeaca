/** Finds projects and packages in the folders below one, such as members of a monorepo. */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { exists } from "../io/paths.ts";
import { noteRead } from "../io/reads.ts";
import { CONFIG_NAME } from "./config.ts";
import { PLAN_FOLDERS } from "./plan.ts";

/** The depth and the number of folders of the search, and how many places it names. */
const [MOST_LEVELS, MOST_FOLDERS, MOST_PLACES] = [3, 2000, 5];

/**
 * The paths of the folders below one, relative to it with `/`, the nearest first; links are not
 * followed.
 *
 * @param isWanted Whether a folder is searched, by its name.
 */
export function* foldersBelow(
  cwd: string,
  isWanted: (name: string) => boolean = () => true,
): Generator<string> {
  let level = [""];
  let seen = 0;
  for (let depth = 0; depth < MOST_LEVELS; depth++) {
    const next: string[] = [];
    for (const parent of level) {
      for (const name of foldersIn(join(cwd, parent)).filter(isWanted)) {
        if (++seen > MOST_FOLDERS) return;
        const path = parent === "" ? name : `${parent}/${name}`;
        yield path;
        next.push(path);
      }
    }
    level = next;
  }
}

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

/** The names of the folders in one, but those that are hidden or hold packages. */
export function foldersIn(folder: string): string[] {
  noteRead(`${folder}/`);
  return orElse(() => [...Deno.readDirSync(folder)], [])
    .filter(({ isDirectory, name }) =>
      isDirectory && name !== "node_modules" && !name.startsWith(".")
    )
    .map(({ name }) => name).sort();
}
