/** Commands of refrakt's CLI, as they are typed in a shell. */

import { installedCopy } from "../packages/installed.ts";
import type { Project } from "../plugin/project.ts";

/** The package with the command `refrakt`. */
const CLI_PACKAGE = "@refrakt-md/cli";

/** @param words Those after `refrakt`, such as `plan serve`. */
export function shellCommand(project: Project, words: string): string {
  // npm has a `refrakt` that is somebody else's.
  const isInstalled = installedCopy(project, CLI_PACKAGE) !== undefined;
  return `npx ${isInstalled ? "" : `--package=${CLI_PACKAGE} `}refrakt ${words}`;
}
