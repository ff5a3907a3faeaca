/**
 * The facts about a directory: what is configured, what is there. No MCP, no
 * tools, no npm packages: everything that follows is decided from these facts.
 *
 * @module
 */

import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { statIfExists } from "../io/files.ts";
import { mayWrite } from "../io/permissions.ts";
import { fileStamp } from "../io/stamp.ts";
import { type CodePolicy, DEFAULT_POLICY, leftOutWarnings } from "./code_policy.ts";
import { type ConfigFile, configuredPlugins, readConfig } from "./config.ts";
import { findPlan, planDirOf, type PlanFacts } from "./plan.ts";
import { findSites, type SiteFacts } from "./sites.ts";
import type { Warning } from "./warning.ts";

export { plainWarning, type Warning } from "./warning.ts";

/** How the server was started, as far as it matters to detection. */
export interface ProjectOptions {
  /** Whether what writes is neither listed nor run. */
  readonly readOnly?: boolean;
  /** Bundled plugins asked for by hand, such as `ralph`. */
  readonly plugins?: readonly string[];
  /** How code of the project may run; by default refrakt's own packages alone. */
  readonly code?: Partial<CodePolicy>;
}

/** A snapshot of what is on disk. It never changes; a newer state is a new snapshot. */
export interface Project {
  /** The project's directory: real, absolute. */
  readonly cwd: string;
  /** `refrakt.config.json`, where it is there and is a JSON object. */
  readonly config: ConfigFile | null;
  /** Whether a config file decides what applies, or what was found. */
  readonly configSource: "config-file" | "autodetect";
  /** Where the plan is or would be: real, absolute; `null` where the config leads out of the project. */
  readonly planDir: string | null;
  /** The plan, where its directory exists. */
  readonly plan: PlanFacts | null;
  /** The sites, where the config declares at least one. */
  readonly site: SiteFacts | null;
  /** Whether the Ralph workflow applies: it has specs here, is configured, or was asked for. */
  readonly ralph: boolean;
  /** Bundled plugins asked for by hand. */
  readonly requestedPlugins: readonly string[];
  /** How code of the project may run. */
  readonly code: CodePolicy;
  /** Why tools that write are not listed: it was asked for, or nothing may be written. */
  readonly readOnly: "requested" | "not granted" | null;
  /** What is wrong but does not stop the server. */
  readonly warnings: readonly Warning[];
  /** Changes whenever something that detection reads has changed. */
  readonly stamp: string;
}

/** What detection looks at to see whether it has to look again. */
const WATCHED = [
  "refrakt.config.json",
  "package.json",
  "package-lock.json",
  "pnpm-workspace.yaml",
  "node_modules",
  "node_modules/@refrakt-md",
  "specs",
];

/** The real path of a directory to work in; throws `NOT_FOUND` where it is missing or no directory. */
export function projectRoot(cwd: string): string {
  const path = resolve(cwd);
  let problem = "Not a directory";
  try {
    if (Deno.statSync(path).isDirectory) return Deno.realPathSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new RefraktError("PERMISSION_DENIED", `No permission to read the directory: ${path}`, {
        hint: `Start the server with --allow-read=${path}.`,
      });
    }
    problem = "No such directory";
  }
  throw new RefraktError("NOT_FOUND", `${problem}: ${path}`, {
    hint: "Give an existing directory with --cwd.",
  });
}

/** Looks at a directory, by its real path from {@linkcode projectRoot}. */
export function openProject(cwd: string, options: ProjectOptions = {}): Project {
  const warnings: Warning[] = [];
  const config = readConfig(cwd, warnings);
  const planDir = planDirOf(cwd, config, warnings);
  const site = findSites(config, warnings);
  const code = { ...DEFAULT_POLICY, ...options.code };
  warnings.push(...leftOutWarnings(site, code));
  return {
    cwd,
    config,
    configSource: config === null ? "autodetect" : "config-file",
    planDir,
    plan: planDir === null ? null : findPlan(cwd, planDir, warnings),
    site,
    ralph: options.plugins?.includes("ralph") || configuredPlugins(config).includes("ralph") ||
      hasRalphSpecs(cwd),
    requestedPlugins: options.plugins ?? [],
    code,
    readOnly: options.readOnly === true
      ? "requested"
      : [cwd, planDir ?? resolve(cwd, "plan"), resolve(cwd, "specs")].some(mayWrite)
      ? null
      : "not granted",
    warnings,
    stamp: projectStamp(cwd, planDir),
  };
}

/**
 * A string that differs when something that detection reads has changed. It
 * costs a dozen `stat` calls.
 */
export function projectStamp(cwd: string, planDir: string | null): string {
  const parts = WATCHED.map((name) => fileStamp(resolve(cwd, name)));
  // The files of the plan have a stamp of their own; here only their folder counts.
  parts.push(planDir !== null && isDirectory(planDir) ? "plan" : "-");
  return parts.join(" ");
}

function isDirectory(path: string): boolean {
  try {
    return statIfExists(path)?.isDirectory === true;
  } catch {
    // An unreadable folder counts as missing here; the code that needs it says that it cannot be
    // read.
    return false;
  }
}

/** Whether `specs/` has the pointer file, or a folder with a state file. */
function hasRalphSpecs(cwd: string): boolean {
  const specs = resolve(cwd, "specs");
  try {
    if (statIfExists(resolve(specs, ".current-spec"))?.isFile) return true;
    for (const entry of Deno.readDirSync(specs)) {
      if (!entry.isDirectory || entry.name.startsWith(".")) continue;
      if (statIfExists(resolve(specs, entry.name, ".ralph-state.json")) !== null) return true;
    }
  } catch {
    // No specs, or none that may be read.
  }
  return false;
}
