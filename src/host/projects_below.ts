/** Finds projects and packages in the folders below one, such as members of a monorepo. */

import { join } from "node:path";
import { BUNDLED } from "../bundled.ts";
import { orElse } from "../errors.ts";
import { foldersBelow } from "../io/files.ts";
import { exists } from "../io/paths.ts";
import { unlessEmpty } from "../io/json.ts";
import { CONFIG_NAME } from "../plugin/config.ts";
import { openProject } from "./open_project.ts";
import { launchFor } from "./serve_command.ts";
import { lineIn } from "./shell.ts";

/** How many projects are named. */
const MOST_PLACES = 5;

/**
 * The paths of projects below a folder, relative to it with `/`. Only names that need no quotes in a
 * shell are searched.
 */
export function projectsBelow(cwd: string): string[] {
  const marks = [CONFIG_NAME, ...BUNDLED.flatMap(({ marks = [] }) => marks)];
  const projects: string[] = [];
  for (const path of foldersBelow(cwd, (name) => /^[\w@+][\w@+.-]*$/.test(name))) {
    const isInner = projects.some((outer) => path.startsWith(`${outer}/`));
    if (!isInner && marks.some((mark) => exists(join(cwd, path, mark)))) projects.push(path);
    if (projects.length === MOST_PLACES) break;
  }
  return projects;
}

/** Projects in folders below this one, with the command for each. */
export function below(cwd: string) {
  const places = projectsBelow(cwd).flatMap((path) => {
    const inside = openProject(join(cwd, path));
    // Its configuration may ask for a permission that is not printed.
    const command = orElse(() => lineIn(path, launchFor(inside)), undefined);
    return command === undefined ? [] : { path, command };
  });
  return unlessEmpty(places);
}
