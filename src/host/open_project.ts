/** Detects what a directory contains, and the projects below it, without MCP, tools or npm packages. */

import { join, resolve } from "node:path";
import { BUNDLED } from "../bundled.ts";
import { messageOf, orElse, RefraktError } from "../errors.ts";
import { foldersBelow } from "../io/files.ts";
import { asObject, isObject, parseJsonc, unlessEmpty } from "../io/json.ts";
import { createMemo, type Memo } from "../io/memo.ts";
import { exists, serveAs } from "../io/paths.ts";
import { mayWriteTo } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { newReads, record } from "../io/reads.ts";
import { countAndLimit, quotedName, word } from "../plain_text.ts";
import { CONFIG_NAME, MOST_PLUGINS, pluginsIn } from "../plugin/config.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { CodePolicy, ConfigFile, Project, RemoteChoice, Warning } from "../plugin/project.ts";
import { launchFor, shellLines } from "./serve_command.ts";
import { lineIn } from "./shell.ts";

/** Options for detection. */
export interface DetectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string | undefined;
  /** Bundled plugins to enable, such as `ralph`. */
  readonly plugins?: readonly string[];
  /** Whether writing tools are neither listed nor run. */
  readonly readOnly?: boolean;
  /** Which third-party code of the project is loaded; by default none. */
  readonly code?: Partial<CodePolicy>;
}

/** The start options that affect detection. */
export interface ProjectOptions extends DetectOptions {
  /** The names or groups of the only tools to list. */
  readonly tools?: readonly string[] | undefined;
  /** The git remote that confirms claims and ids. */
  readonly remote?: RemoteChoice | undefined;
}

/**
 * The project's directory, by the name under which Deno may read it; throws `NOT_FOUND` if there is
 * no such directory.
 */
export function projectRoot(cwd: string): string {
  // `resolve` alone would load `node:process` for the current folder.
  const path = resolve(Deno.cwd(), cwd);
  let problem = "Not a directory";
  try {
    if (Deno.statSync(path).isDirectory) {
      serveAs(path, Deno.realPathSync(path));
      return path;
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      const isNetworkPath = path.startsWith("\\\\");
      const start = isNetworkPath
        ? "Deno cannot be allowed to read a network path"
        : "No permission to read the directory";
      throw new RefraktError("PERMISSION_DENIED", `${start}: ${quotedName(path)}`, {
        hint: isNetworkPath
          ? "Give the share a drive letter (net use Z: …) and start the server there. For a folder " +
            "of WSL, run the server in WSL."
          : `Start the server with ${word(`--allow-read=${path}`)}.`,
      });
    }
    problem = "No such directory";
  }
  throw new RefraktError("NOT_FOUND", `${problem}: ${quotedName(path)}`, {
    hint: "Pass an existing directory with --cwd.",
  });
}

/** The requirements that the server itself knows. */
const PROJECT_NEEDS: Project["needs"] = {
  nothing: { has: ({ plan, site }) => plan === null && site === null },
};

/** Detects a project by its path from {@linkcode projectRoot}. */
export function openProject(
  cwd: string,
  options: ProjectOptions = {},
  plugins: readonly Plugin[] = BUNDLED,
  memo: Memo = createMemo(),
): Project {
  const reads = newReads();
  return record(reads, () => {
    const { config, warnings: [...warnings] } = memo("config", () => readConfig(cwd, plugins));
    const project: Detecting = {
      cwd,
      config,
      configProblem: warnings[0]?.message,
      planDir: null,
      plan: null,
      renamedPlan: undefined,
      site: null,
      own: null,
      active: [],
      needs: Object.assign({}, PROJECT_NEEDS, ...plugins.map(({ needs }) => needs)),
      folders: {},
      grants: {},
      packages: [],
      namespaces: {},
      tools: options.tools,
      requestedPlugins: options.plugins ?? [],
      code: { trust: false, timeoutMs: 60_000, ...options.code },
      remote: options.remote,
      readOnly: options.readOnly === true ? "requested" : null,
      warnings,
      shell: shellLines(() => project),
      reads,
      memo,
    };
    addFacts(project, plugins, warnings);
    return project;
  });
}

/** A project that plugins are still looking at. */
type Detecting = { -readonly [Field in keyof Project]: Project[Field] };

/** Adds what plugins detect, then the folders, permissions and packages that they need. */
function addFacts(project: Detecting, plugins: readonly Plugin[], warnings: Warning[]): void {
  for (const plugin of plugins) {
    const { isActive, ...facts } = plugin.detect?.(project, warnings) ?? { isActive: true };
    Object.assign(project, facts);
    if (isActive) project.active = [...project.active, plugin.name];
  }
  for (const plugin of plugins) {
    const { name, package: worked } = plugin;
    project.folders = { ...project.folders, ...plugin.folders?.(project) };
    const grants = plugin.grants?.(project);
    if (grants !== undefined) project.grants = { ...project.grants, [name]: grants };
    project.namespaces = { ...project.namespaces, [name]: worked?.name ?? name };
    const isUsed = worked !== undefined && project.active.includes(name);
    const packages = [isUsed ? worked.name : [], plugin.packages?.(project) ?? []].flat();
    project.packages = [...project.packages, ...packages];
  }
  const isWritable = [project.cwd, ...Object.values(project.folders).flat()].some(mayWriteTo);
  if (!isWritable) project.readOnly ??= "not granted";
}

/** Reads `refrakt.config.json`; an invalid one causes a warning. */
export function readConfig(cwd: string, plugins: readonly Plugin[] = BUNDLED) {
  const path = join(cwd, CONFIG_NAME);
  const warnings: Warning[] = [];
  const invalid = (problem: string, hint?: string) => {
    warnings.push({ code: "CONFIG_INVALID", message: `${CONFIG_NAME} ${problem}`, hint });
    return { config: null, warnings };
  };
  let text: string | null;
  try {
    text = readIfExists(cwd, path, "config");
  } catch (error) {
    return invalid(`cannot be read: ${messageOf(error)}`);
  }
  if (text === null) return { config: null, warnings };
  let raw: unknown;
  try {
    raw = parseJsonc(text);
  } catch (error) {
    const hint = `Fix the syntax of ${CONFIG_NAME}; until then it is ignored.`;
    return invalid(`is not valid JSON: ${messageOf(error)}`, hint);
  }
  if (!isObject(raw)) {
    return invalid("must be a JSON object", 'Start from { "plan": { "dir": "plan" } }.');
  }
  const sites = [raw["site"], ...Object.values(asObject(raw["sites"]))].map(asObject);
  const pluginNames = [...new Set([raw, ...sites].flatMap(pluginsIn))];
  if (pluginNames.length > MOST_PLUGINS) {
    const count = countAndLimit(pluginNames.length, "plugins", MOST_PLUGINS);
    invalid(`names ${count}`, "The others are ignored: name those that the project uses.");
  }
  const used = pluginNames.slice(0, MOST_PLUGINS);
  const isBundled = (name: string) =>
    plugins.some((plugin) => plugin.enable !== undefined && plugin.name === name);
  const packages = used.filter((name) => !isBundled(name));
  const config: ConfigFile = { path, text, raw, plugins: used, packages };
  return { config, warnings };
}

/** How many projects below a folder are named. */
const MOST_PLACES = 5;

/**
 * The paths of projects below a folder, such as members of a monorepo, relative to it with `/`. Only
 * names that need no quotes in a shell are searched.
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
export function nestedProjects(cwd: string) {
  const places = projectsBelow(cwd).flatMap((path) => {
    const inside = openProject(join(cwd, path));
    // Its configuration may ask for a permission that is not printed.
    const command = orElse(() => lineIn(path, launchFor(inside)), undefined);
    return command === undefined ? [] : { path, command };
  });
  return unlessEmpty(places);
}
