/** Finds projects and packages in the folders below one, such as members of a monorepo. */

import type { Detection } from "../plugin/detection.ts";
import type { Project } from "../plugin/project.ts";
import { launchFor } from "./serve_command.ts";
import { lineIn } from "./shell.ts";
import { openProject } from "./open_project.ts";
import { orElse } from "../errors.ts";
import { foldersBelow } from "../io/folders_below.ts";
import { join } from "node:path";
import { exists } from "../io/paths.ts";
import { CONFIG_NAME } from "../plugin/config.ts";
import { BUNDLED } from "../bundled.ts";

/** How many projects are named. */
const MOST_PLACES = 5;

/**
 * The paths of projects below a folder, relative to it with `/`. Only names that need no quotes in a
 * shell are searched.
 */
export function projectsBelow(cwd: string): string[] {
  const projects: string[] = [];
  for (const path of foldersBelow(cwd, (name) => /^[\w@+][\w@+.-]*$/.test(name))) {
    const isInner = projects.some((outer) => path.startsWith(`${outer}/`));
    if (!isInner && isProject(join(cwd, path))) projects.push(path);
    if (projects.length === MOST_PLACES) break;
  }
  return projects;
}

function isProject(folder: string): boolean {
  const marks = BUNDLED.flatMap(({ marks = [] }) => marks);
  return [CONFIG_NAME, ...marks].some((path) => exists(join(folder, path)));
}

/** Projects in folders below this one, with the command for each. */
export function below({ cwd }: Project): Detection["below"] {
  const places = projectsBelow(cwd).flatMap((path) => {
    const inside = openProject(join(cwd, path));
    // Its configuration may ask for a permission that is not printed.
    const command = orElse(() => lineIn(path, launchFor(inside)), undefined);
    return command === undefined ? [] : { path, command };
  });
  return places.length === 0 ? undefined : places;
}
