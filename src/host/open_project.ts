/** Detects what a directory contains, without MCP, tools or npm packages. */

import type { CodePolicy, Project, RemoteChoice, Warning } from "../plugin/project.ts";
import { quotedName, word } from "../plain_text.ts";
import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { statIfExists } from "../io/files.ts";
import { serveAs } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import { createMemo, type Memo } from "../io/memo.ts";
import { newReads, noteRead, record } from "../io/reads.ts";
import { DEFAULT_POLICY } from "../plugin/code_policy.ts";
import { configuredPlugins } from "../plugin/config.ts";
import { shellLines } from "./serve_command.ts";
import { readConfig } from "./read_config.ts";
import { ownPackageOf } from "../../plugins/site/own_package.ts";
import { siteWarnings } from "../../plugins/site/missing.ts";
import { planWarnings, renamedPlan } from "../../plugins/plan/store/renamed_plan.ts";
import { findPlan, planDirOf } from "../../plugins/plan/store/plan_folder.ts";
import { findSites, siteOfTheme } from "../../plugins/site/sites.ts";

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
  memo: Memo = createMemo(),
): Project {
  const reads = newReads();
  const facts = record(reads, () => detect(cwd, options, memo));
  const project: Project = { ...facts, reads, memo, shell: shellLines(() => project) };
  return project;
}

type Facts = Omit<Project, "reads" | "memo" | "shell">;

function detect(cwd: string, options: ProjectOptions, memo: Memo): Facts {
  const { config, warnings: [...warnings] } = memo("config", () => configOf(cwd));
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

/** The config, and what is wrong with it. */
function configOf(cwd: string) {
  const warnings: Warning[] = [];
  return { config: readConfig(cwd, warnings), warnings };
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
