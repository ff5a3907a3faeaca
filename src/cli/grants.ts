/**
 * The grants that a project needs, and the command that gives them.
 *
 * @module
 */

import host from "node:path";
import { RefraktError } from "../errors.ts";
import { type Installation, launchMode } from "../npm/launch.ts";
import { FIRST_PARTY_SCOPE } from "../npm/names.ts";
import { BUNDLED_PLUGINS, configuredPlugins } from "../project/config.ts";
import type { Project } from "../project/project.ts";
import { type PathFlavour, shownPath } from "../io/paths.ts";

/** The specifier that the server is run by. */
export const SPECIFIER = "jsr:@refrakt/mcp";

/** The permissions that a project needs: to write its plan and read its history, and to write specs. */
export function neededGrants(project: Project) {
  const plan = project.planDir === null ? "plan" : shownPath(project.cwd, project.planDir);
  const usesPlan = project.plan !== null || project.site === null;
  return {
    write: [...(usesPlan ? [plan] : []), ...(project.ralph ? ["specs", ".gitignore"] : [])],
    run: usesPlan ? ["git"] : [],
  };
}

/** The command with which a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

interface LaunchOptions {
  /**
   * Where the client starts programs: `""` (the default) for the project itself,
   * else a path or a variable of the client's that stands for the project's folder.
   */
  readonly base?: string;
  /** What the project has installed; nothing by default, which gives the plain command. */
  readonly installation?: Installation;
  /** What starts Deno; `deno` itself by default. */
  readonly deno?: Launch;
}

/** Flags of `deno run` that `--isolate` needs: Workers with fewer permissions, imports from JSR only. */
const ISOLATION: readonly string[] = ["--unstable-worker-options", "--allow-import=jsr.io:443"];

/**
 * The command that starts the server for a project.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a path that no permission flag can name.
 */
export function launchFor(
  project: Project,
  { base = "", deno = { command: "deno", args: [] }, installation = { kind: "none" } }:
    LaunchOptions = {},
): Launch {
  const needed = neededGrants(project);
  for (const path of needed.write) requireGrantable(path);
  // Runes and themes of a site, and plugins, may be third-party code.
  const isolated = project.site !== null ||
    configuredPlugins(project.config).some((name) =>
      !name.startsWith(FIRST_PARTY_SCOPE) && !BUNDLED_PLUGINS.includes(name)
    );
  const flags = base === "" ? [] : ["--cwd", base];
  if (isolated) flags.push("--isolate");
  if (project.requestedPlugins.includes("ralph")) flags.push("--plugin", "ralph");
  const list = (paths: readonly string[]) => listed(paths.map((path) => placed(base, path)));
  return {
    command: deno.command,
    args: [
      ...deno.args,
      "run",
      ...launchMode(installation, base === "").flags,
      "--no-prompt",
      ...(isolated ? ISOLATION : []),
      `--allow-read=${list(["."])}`,
      ...(needed.write.length === 0 ? [] : [`--allow-write=${list(needed.write)}`]),
      ...(needed.run.length === 0 ? [] : [`--allow-run=${needed.run.join(",")}`]),
      SPECIFIER,
      ...flags,
    ],
  };
}

/**
 * Which folder is written stands in the repository's config. A launch grants a folder of
 * the project under its plain name: not all of it, not what git, editors and other
 * programs run by themselves, and nothing that a client or a shell would replace.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for any other.
 */
function requireGrantable(path: string): void {
  const [top = ""] = path.split("/");
  const isPlain = /^[\p{L}\p{N}._@+ ,-]+(?:\/[\p{L}\p{N}._@+ ,-]+)*$/u.test(path) &&
    !path.startsWith("-");
  const isHidden = top.startsWith(".") && path !== ".gitignore";
  if (isPlain && !isHidden && top !== "node_modules") return;
  throw new RefraktError(
    "VALIDATION_ERROR",
    `refrakt.config.json asks to write ${JSON.stringify(path)}, which is granted by hand alone`,
    {
      hint: 'Set plan.dir to a folder of its own, such as "plan"; or write the grant yourself, ' +
        "after a look at who wrote that config.",
    },
  );
}

/** Paths as the value of a permission, which commas divide; nothing escapes them. */
function listed(paths: readonly string[]): string {
  const divided = paths.find((path) => path.includes(","));
  if (divided === undefined) return paths.join(",");
  throw new RefraktError(
    "VALIDATION_ERROR",
    `The path has a comma, which divides the paths of a Deno permission: ${divided}`,
    { hint: "Rename the folder, or start the client in the project, where the paths are short." },
  );
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
