/**
 * The grants that a project needs, and the command that gives them.
 *
 * @module
 */

import host from "node:path";
import type { Project } from "../project/project.ts";
import { type PathFlavour, shownPath } from "../sandbox/paths.ts";

/** The specifier that the server is run by. */
export const SPECIFIER = "jsr:@refrakt/mcp";

/** Folders to read and write, and programs to run. */
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

/** What a compiled binary may do, as the compile script bakes it in: the grants of the card. */
export const BINARY_GRANTS: NeededGrants = { read: ["."], write: ["plan"], run: ["git"] };

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
 * @param standalone Whether this process is a binary, for tests of both.
 */
export function launchFor(
  project: Project,
  base = "",
  standalone: boolean = Deno.build.standalone,
): Launch {
  const needed = neededGrants(project);
  const flags = base === "" ? [] : ["--cwd", base];
  if (project.requestedPlugins.includes("ralph")) flags.push("--plugin", "ralph");
  if (standalone && binarySuffices(needed, base)) return { command: Deno.execPath(), args: flags };
  // A comma in a path is doubled, because commas divide the list.
  const list = (paths: readonly string[]) =>
    paths.map((path) => placed(base, path).replaceAll(",", ",,")).join(",");
  return {
    command: "deno",
    args: [
      "run",
      "--no-config",
      "--no-prompt",
      `--allow-read=${list(needed.read)}`,
      ...(needed.write.length === 0 ? [] : [`--allow-write=${list(needed.write)}`]),
      ...(needed.run.length === 0 ? [] : [`--allow-run=${needed.run.join(",")}`]),
      SPECIFIER,
      ...flags,
    ],
  };
}

/** A binary's grants are fixed, and count from the folder that it is started in. */
function binarySuffices({ write, run }: NeededGrants, base: string): boolean {
  return base === "" && write.every((path) => BINARY_GRANTS.write.includes(path)) &&
    run.every((program) => BINARY_GRANTS.run.includes(program));
}

/**
 * A path of the project as it is granted to a server that is started elsewhere.
 *
 * @param api The path flavour, for tests of both; the host's by default.
 */
export function placed(base: string, path: string, api: PathFlavour = host): string {
  if (base === "") return path;
  if (path === ".") return base;
  return api.isAbsolute(base) ? api.join(base, path) : `${base}/${path}`;
}
