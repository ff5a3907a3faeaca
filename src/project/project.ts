/** Detects what a directory contains, without MCP, tools or npm packages. */

import { quotedName, word } from "../plain_text.ts";
import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { statIfExists } from "../io/files.ts";
import { serveAs } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import { noteRead, recordInto } from "../io/reads.ts";
import { type CodePolicy, DEFAULT_POLICY } from "./code_policy.ts";
import { type ConfigFile, configuredPlugins, readConfig } from "./config.ts";
import { type OwnPackage, ownPackageOf } from "./own_package.ts";
import { planWarnings, renamedPlan, siteWarnings } from "./missing.ts";
import { findPlan, planDirOf, type PlanFacts } from "./plan.ts";
import type { RemoteChoice } from "./remote.ts";
import { findSites, type SiteFacts, siteOfTheme } from "./sites.ts";
import type { Warning } from "./warning.ts";

export type { Warning } from "./warning.ts";

/** The start options that affect detection. */
export interface ProjectOptions {
  /** Whether writing tools are neither listed nor run. */
  readonly readOnly?: boolean;
  /** The names or groups of the only tools to list. */
  readonly tools?: readonly string[] | undefined;
  /** Bundled plugins to enable, such as `ralph`. */
  readonly plugins?: readonly string[];
  /** Whether the project's code runs; by default it does not. */
  readonly code?: Partial<CodePolicy>;
  /** The git remote that confirms claims and ids. */
  readonly remote?: RemoteChoice | undefined;
}

/** A snapshot of the project; a change results in a new snapshot. */
export interface Project {
  /** The absolute path of the project, under the name that it is served by. */
  readonly cwd: string;
  /** `refrakt.config.json`, if it exists and contains a JSON object. */
  readonly config: ConfigFile | null;
  /** Why the config is ignored, if it exists and is invalid: a plan and sites may be elsewhere. */
  readonly configProblem: string | undefined;
  /** The plan's path, existing or not; `null` if configured outside the project. */
  readonly planDir: string | null;
  /** The plan, if its directory exists. */
  readonly plan: PlanFacts | null;
  /** The folder that holds a plan under another name, if the plan does not exist. */
  readonly renamedPlan: string | undefined;
  /** The sites, if the config declares any. */
  readonly site: SiteFacts | null;
  /** The package for others that the project is, if it is one. */
  readonly own: OwnPackage | null;
  /** Whether the Ralph workflow applies: there are specs, or it is configured or enabled. */
  readonly ralph: boolean;
  /** The names or groups of the only tools to list, if they were chosen. */
  readonly tools: readonly string[] | undefined;
  /** Bundled plugins enabled at the start. */
  readonly requestedPlugins: readonly string[];
  /** Whether the project's code runs. */
  readonly code: CodePolicy;
  /** The git remote that confirms claims and ids, if one was chosen. */
  readonly remote: RemoteChoice | undefined;
  /** Why writing tools are not listed: on request, or because nothing is writable. */
  readonly readOnly: "requested" | "not granted" | null;
  /** Problems that do not stop the server. */
  readonly warnings: readonly Warning[];
  /** What detection has read of it so far: where that has changed, the snapshot is out of date. */
  readonly reads: Map<string, string>;
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
export function openProject(cwd: string, options: ProjectOptions = {}): Project {
  const reads = new Map<string, string>();
  return { ...recordInto(reads, () => detect(cwd, options)), reads };
}

function detect(cwd: string, options: ProjectOptions): Omit<Project, "reads"> {
  const warnings: Warning[] = [];
  const config = readConfig(cwd, warnings);
  const configProblem = warnings[0]?.message;
  const planDir = planDirOf(cwd, config, warnings);
  const own = ownPackageOf(cwd);
  const site = findSites(config, warnings) ?? (own?.kind === "theme" ? siteOfTheme(cwd) : null);
  const code = { ...DEFAULT_POLICY, ...options.code };
  const plan = planDir === null ? null : findPlan(cwd, planDir, warnings);
  const isLost = plan === null && configProblem === undefined;
  const renamed = isLost ? renamedPlan(cwd, config) : undefined;
  warnings.push(
    ...(plan === null && planDir !== null ? planWarnings(cwd, config, planDir, renamed) : []),
    ...siteWarnings(cwd, site, plan?.path ?? (renamed && resolve(cwd, renamed))),
  );
  return {
    cwd,
    config,
    configProblem,
    planDir,
    plan,
    renamedPlan: renamed,
    site,
    own,
    ralph: options.plugins?.includes("ralph") || configuredPlugins(config).includes("ralph") ||
      hasRalphSpecs(cwd),
    tools: options.tools,
    requestedPlugins: options.plugins ?? [],
    code,
    remote: options.remote,
    readOnly: options.readOnly === true
      ? "requested"
      : [cwd, planDir ?? resolve(cwd, "plan"), resolve(cwd, "specs")].some(mayWrite)
      ? null
      : "not granted",
    warnings,
  };
}

/** Whether `specs/` has the pointer file, or a folder with a state file. */
function hasRalphSpecs(cwd: string): boolean {
  const specs = resolve(cwd, "specs");
  try {
    if (statIfExists(resolve(specs, ".current-spec"))?.isFile) return true;
    noteRead(`${specs}/`);
    for (const entry of Deno.readDirSync(specs)) {
      if (!entry.isDirectory || entry.name.startsWith(".")) continue;
      if (statIfExists(resolve(specs, entry.name, ".ralph-state.json")) !== null) return true;
    }
  } catch {
    // No specs, or unreadable.
  }
  return false;
}
