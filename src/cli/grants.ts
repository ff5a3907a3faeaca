/**
 * The grants that a project needs, and the command that gives them.
 *
 * @module
 */

import { isAbsolute, join } from "node:path";
import type { Project } from "../project/project.ts";
import { shownPath } from "../sandbox/paths.ts";

/** The specifier that the server is run by. */
export const SPECIFIER = "jsr:@refrakt/mcp";

/** The folders and programs that a project's tools need. */
export interface NeededGrants {
  /** What is read. */
  readonly read: readonly string[];
  /** What is written. */
  readonly write: readonly string[];
  /** What is run. */
  readonly run: readonly string[];
}

/** Finds out what a project needs: a plan is written and has history, Ralph writes its specs. */
export function neededGrants(project: Project): NeededGrants {
  const plan = project.planDir === null ? "plan" : shownPath(project.cwd, project.planDir);
  const usesPlan = project.plan !== null || project.site === null;
  return {
    read: ["."],
    write: [...(usesPlan ? [plan] : []), ...(project.ralph ? ["specs", ".gitignore"] : [])],
    run: usesPlan ? ["git"] : [],
  };
}

/** How a client is to start the server. */
export interface Launch {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/**
 * The command for a project.
 *
 * @param project The project.
 * @param base Where the client starts programs: `""` for the project itself, else a path or a
 * variable of the client's that stands for the project's folder.
 */
export function launchFor(project: Project, base = ""): Launch {
  const { read, write, run } = neededGrants(project);
  const args = base === "" ? [] : ["--cwd", base];
  if (project.requestedPlugins.includes("ralph")) args.push("--plugin", "ralph");
  if (Deno.build.standalone) return { command: Deno.execPath(), args };
  const placed = (path: string) =>
    base === ""
      ? path
      : path === "."
      ? base
      : isAbsolute(base)
      ? join(base, path)
      : `${base}/${path}`;
  return {
    command: "deno",
    args: [
      "run",
      "--no-config",
      "--no-prompt",
      `--allow-read=${read.map(placed).join(",")}`,
      ...(write.length === 0 ? [] : [`--allow-write=${write.map(placed).join(",")}`]),
      ...(run.length === 0 ? [] : [`--allow-run=${run.join(",")}`]),
      SPECIFIER,
      ...args,
    ],
  };
}
