/** Lists the folders below one. */

import { join } from "node:path";
import { listFolder } from "./files.ts";

/** The depth and the number of folders of the search. */
const [MOST_LEVELS, MOST_FOLDERS] = [3, 2000];

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

/** The names of the folders in one, but those that are hidden or hold packages. */
export function foldersIn(folder: string): string[] {
  return listFolder(folder)
    .filter(({ isDirectory, name }) =>
      isDirectory && name !== "node_modules" && !name.startsWith(".")
    )
    .map(({ name }) => name).sort();
}
