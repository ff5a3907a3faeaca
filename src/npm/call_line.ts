/** The command line that calls a tool in a shell, for clients that do not list it. */

import type { Project } from "../project/project.ts";
import { installationOf } from "./launch.ts";
import { type LaunchOptions, printableLaunch } from "./serve_command.ts";
import { shellLine } from "./shell.ts";

/** @param args The arguments, if they are known. */
export async function callLine(project: Project, tool: string, args?: unknown): Promise<string> {
  return lineFor(project, tool, { installation: await installationOf(project) }, args);
}

export function lineFor(
  project: Project,
  tool: string,
  options: LaunchOptions,
  args?: unknown,
): string {
  const json = args === undefined ? [] : [JSON.stringify(args)];
  const { launch } = printableLaunch(project, { ...options, plan: /^plan_/.test(tool) });
  const { command, args: words } = launch;
  return shellLine({ command, args: [...words, "call", tool, ...json] });
}
