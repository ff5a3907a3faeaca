/** Detects what a directory contains, without MCP, tools or npm packages. */

import { resolve } from "node:path";
import { BUNDLED } from "../bundled.ts";
import { RefraktError } from "../errors.ts";
import { serveAs } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import { createMemo, type Memo } from "../io/memo.ts";
import { newReads, record } from "../io/reads.ts";
import { DEFAULT_POLICY } from "../packages/package.ts";
import { quotedName, word } from "../plain_text.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { CodePolicy, Grants, Project, RemoteChoice, Warning } from "../plugin/project.ts";
import { shellLines } from "./serve_command.ts";
import { readConfig } from "./read_config.ts";

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
  // Node would load `process` for the current folder.
  const path = resolve(Deno.cwd(), cwd);
  let problem = "Not a directory";
  try {
    if (Deno.statSync(path).isDirectory) {
      serveAs(path, Deno.realPathSync(path));
      return path;
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      if (path.startsWith("\\\\")) throw networkPath(path);
      throw new RefraktError(
        "PERMISSION_DENIED",
        `No permission to read the directory: ${quotedName(path)}`,
        {
          hint: `Start the server with ${word(`--allow-read=${path}`)}.`,
        },
      );
    }
    problem = "No such directory";
  }
  throw new RefraktError("NOT_FOUND", `${problem}: ${quotedName(path)}`, {
    hint: "Pass an existing directory with --cwd.",
  });
}

function networkPath(path: string): RefraktError {
  const message = `Deno cannot be allowed to read a network path: ${quotedName(path)}`;
  return new RefraktError("PERMISSION_DENIED", message, {
    hint: "Give the share a drive letter (net use Z: …) and start the server there. For a folder " +
      "of WSL, run the server in WSL.",
  });
}

/** Detects a project by its path from {@linkcode projectRoot}. */
export function openProject(
  cwd: string,
  options: ProjectOptions = {},
  plugins: readonly Plugin[] = BUNDLED,
  memo: Memo = createMemo(),
): Project {
  const reads = newReads();
  const facts = record(reads, () => detect(cwd, options, plugins, memo));
  const project: Project = { ...facts, reads, memo, shell: shellLines(() => project) };
  return project;
}

/** What the server itself lists by. */
const NEEDS: Project["needs"] = {
  nothing: { has: ({ plan, site }) => plan === null && site === null },
};

function detect(
  cwd: string,
  options: ProjectOptions,
  plugins: readonly Plugin[],
  memo: Memo,
): Project {
  const { config, warnings: [...warnings] } = memo("config", () => configOf(cwd, plugins));
  let project: Project = {
    cwd,
    config,
    configProblem: warnings[0]?.message,
    planDir: null,
    plan: null,
    renamedPlan: undefined,
    site: null,
    own: null,
    active: [],
    needs: Object.assign({}, NEEDS, ...plugins.map(({ needs }) => needs)),
    folders: {},
    grants: {},
    packages: [],
    namespaces: {},
    tools: options.tools,
    requestedPlugins: options.plugins ?? [],
    code: { ...DEFAULT_POLICY, ...options.code },
    remote: options.remote,
    readOnly: options.readOnly === true ? "requested" : null,
    warnings,
    shell: shellLines(() => project),
    reads: newReads(),
    memo,
  };
  for (const plugin of plugins) {
    const { isActive, ...facts } = plugin.detect?.(project, warnings) ?? { isActive: true };
    const active = isActive ? [...project.active, plugin.name] : project.active;
    project = { ...project, ...facts, active };
  }
  return withPermissions(project, plugins);
}

/** The config, and what is wrong with it. */
function configOf(cwd: string, plugins: readonly Plugin[]) {
  const warnings: Warning[] = [];
  const bundled = plugins.filter(({ enable }) => enable !== undefined).map(({ name }) => name);
  return { config: readConfig(cwd, warnings, bundled), warnings };
}

/** Adds what plugins need in the project that they have found. */
function withPermissions(project: Project, plugins: readonly Plugin[]): Project {
  const folders: Record<string, readonly string[]> = {};
  const grants: Record<string, Grants> = {};
  const namespaces: Record<string, string> = {};
  const packages: string[] = [];
  for (const plugin of plugins) {
    const { name, package: worked } = plugin;
    Object.assign(folders, plugin.folders?.(project));
    if (plugin.grants !== undefined) grants[name] = plugin.grants(project);
    namespaces[name] = worked?.name ?? name;
    if (worked !== undefined && project.active.includes(name)) packages.push(worked.name);
    packages.push(...plugin.packages?.(project) ?? []);
  }
  const isWritable = [project.cwd, ...Object.values(folders).flat()].some(mayWrite);
  const readOnly = project.readOnly ?? (isWritable ? null : "not granted");
  return { ...project, folders, grants, namespaces, packages, readOnly };
}
