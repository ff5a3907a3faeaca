/** Merges contributions into one toolset; of entries with the same name, the first one stays. */

import { quotedName } from "../plain_text.ts";
import { canStartPlan, planStep } from "../npm/new_plan.ts";
import { pluginCommand, type ShellCommand, siteCommands } from "../npm/shell_commands.ts";
import { RefraktError } from "../errors.ts";
import { configError } from "../project/config.ts";
import { planMissing } from "../project/plan.ts";
import type { Project, Warning } from "../project/project.ts";
import { needsRepair } from "../project/repair.ts";
import { type SiteFacts, siteMissing } from "../project/sites.ts";
import { asObject, textOf } from "../io/json.ts";
import { isToolName, nameKey } from "./tool_names.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import { type Skill, skillResource } from "./skill.ts";
import type { Table } from "./tables.ts";
import { type ListedTool, type Requirement, type Tool, TOOL_GROUPS } from "./tool.ts";

/** Tools, resources and prompts from one source. */
export interface Contribution {
  /** In any order; the registry sorts them. */
  readonly tools?: readonly Tool[];
  /** Resources and resource templates. */
  readonly resources?: readonly Resource[];
  /** Prompts. */
  readonly prompts?: readonly Prompt[];
  /** Skills. */
  readonly skills?: readonly Skill[];
  /** Tables for `refrakt_query`. */
  readonly tables?: readonly Table[];
  /** Commands to run in a shell, such as `plan serve`. */
  readonly shellOnly?: readonly string[];
  /** Tools that it no longer has, by name, each with a hint that says what does their job. */
  readonly withdrawn?: Readonly<Record<string, string>>;
  /** Problems to report, such as a plugin that did not load. */
  readonly warnings?: readonly Warning[];
}

export interface Toolset {
  readonly project: Project;
  /** Sorted by name, including tools that are not listed. */
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly tables: readonly Table[];
  readonly shellOnly: readonly ShellCommand[];
  /** The hints for withdrawn tools, by {@linkcode nameKey}. */
  readonly withdrawn: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
  findTool(name: string): Tool | undefined;
  /** Those that a client sees; `views` if it shows views. */
  listedTools(views?: boolean): Tool[];
  /** Those that work in this project and are not listed to clients without views. */
  unlistedTools(): Tool[];
  listedResources(): Resource[];
  listedPrompts(): Prompt[];
  listedSkills(): Skill[];
}

export function buildToolset(
  project: Project,
  contributions: readonly Contribution[],
): Toolset {
  const warnings: Warning[] = [...project.warnings];
  const tools = new Map<string, Tool>();
  const resources = new Map<string, Resource>();
  const prompts = new Map<string, Prompt>();
  const skills: Skill[] = [];
  const shellOnly = new Map<string, ShellCommand>();
  const withdrawn = new Map<string, string>();
  const add = <Value>(entries: Map<string, Value>, key: string, value: Value, what: string) => {
    if (!entries.has(key)) entries.set(key, value);
    else {
      warnings.push({
        code: "NAME_CLASH",
        message: `A second ${what} is skipped; the first one stays`,
        hint: "Rename one of them, or remove one of the plugins.",
      });
    }
  };
  const addResource = (resource: Resource) =>
    add(resources, resource.uri, resource, `resource ${resource.uri}`);
  for (const contribution of contributions) {
    for (const tool of contribution.tools ?? []) {
      const { name, input } = tool;
      const problem = problemOf(tool);
      if (problem !== undefined) warnings.push(problem);
      const isUsable = isToolName(name) && input.problem === undefined;
      if (isUsable) add(tools, name, tool, `tool ${name}`);
    }
    contribution.resources?.forEach(addResource);
    for (const prompt of contribution.prompts ?? []) {
      add(prompts, nameKey(prompt.name), prompt, `prompt ${prompt.name}`);
    }
    for (const skill of contribution.skills ?? []) {
      skills.push(skill);
      addResource(skillResource(skill));
    }
    for (const line of contribution.shellOnly ?? []) {
      const command = pluginCommand(project, line);
      shellOnly.set(command.name, command);
    }
    for (const [name, hint] of Object.entries(contribution.withdrawn ?? {})) {
      withdrawn.set(nameKey(name), hint);
    }
    warnings.push(...contribution.warnings ?? []);
  }
  for (const name of project.tools ?? []) {
    if (name === "all" || tools.values().some((tool) => isMeant(tool, name))) continue;
    warnings.push({
      code: "TOOL_UNKNOWN",
      message: `--tools names ${quotedName(name)}, which is no tool and no group here`,
      hint: `The groups are ${TOOL_GROUPS.join(", ")}.`,
    });
  }
  if (project.site !== null) {
    for (const command of siteCommands(project)) shellOnly.set(command.name, command);
  }
  const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
  const applies = ({ requires = [] }: Pick<Resource, "requires">) => hasAll(project, requires);
  const sortedTools = [...tools.values()].sort(byName);
  const sortedResources = [...resources.values()].sort((a, b) => compare(a.uri, b.uri));
  const sortedPrompts = [...prompts.values()].sort(byName);
  return {
    project,
    tools: sortedTools,
    resources: sortedResources,
    prompts: sortedPrompts,
    tables: contributions.flatMap(({ tables = [] }) => tables),
    shellOnly: [...shellOnly.values()].sort(byName),
    withdrawn,
    warnings,
    findTool: (name) => tools.get(nameKey(name)),
    listedTools: (views = false) => sortedTools.filter((tool) => isListed(project, tool, views)),
    unlistedTools: () =>
      sortedTools.filter((tool) =>
        applies(tool) && !isWithheld(project, tool) && !isListed(project, tool, false)
      ),
    listedResources: () => sortedResources.filter(applies),
    listedPrompts: () => sortedPrompts.filter(applies),
    listedSkills: () => skills.filter(applies),
  };
}

/** What the config names the place of. */
const CONFIGURED: readonly Requirement[] = ["plan", "new plan", "site", "pages"];

/** Throws `CONFIG_INVALID`, `PLAN_DIR_MISSING` or `SITE_CONFIG_MISSING` if the project lacks a requirement. */
export function checkRequirements(project: Project, requires: readonly Requirement[]): void {
  for (const requirement of requires) {
    if (has(project, requirement)) continue;
    const { configProblem } = project;
    if (configProblem !== undefined && CONFIGURED.includes(requirement)) {
      throw configError(configProblem);
    }
    if (requirement === "plan") {
      throw planMissing(project.cwd, project.planDir, planStep(project));
    }
    if (requirement === "site" || requirement === "pages") throw siteMissing(project);
  }
}

function hasAll(project: Project, requires: readonly Requirement[]): boolean {
  return requires.every((requirement) => has(project, requirement));
}

/** Whether a client sees a tool in its list; `views` if it shows views. */
export function isListed(project: Project, tool: ListedTool, views: boolean): boolean {
  const { with: needed, to, group } = tool.listed;
  if (to === "none" || to === "views" && !views || !hasAll(project, tool.requires)) return false;
  if (isWithheld(project, tool)) return false;
  if (project.tools !== undefined) return project.tools.some((name) => isMeant(tool, name));
  return (group === undefined || has(project, group)) &&
    (needed === undefined || needed.some((requirement) => has(project, requirement)));
}

/** Whether instructions may name a tool: what the project needs for it is checked by them. */
export function mayList(project: Project, name: string, writes = false): boolean {
  return !(writes && project.readOnly !== null) &&
    (project.tools?.some((chosen) => isMeant({ name, listed: {} }, chosen)) ?? true);
}

/** Whether a tool writes, and the server may not. */
function isWithheld(project: Project, tool: Writing): boolean {
  return project.readOnly !== null && writes(tool, project);
}

/** Whether a name or group that the user chose means a tool. */
function isMeant(
  { name, listed }: Pick<Tool, "name" | "listed">,
  chosen: string,
): boolean {
  const namespace = listed.namespace ?? name.split("_")[0]!;
  const group = listed.group ?? (namespace === "refrakt" ? "site" : namespace);
  return chosen === "all" || [name, group].map(nameKey).includes(nameKey(chosen));
}

/** Throws `PERMISSION_DENIED` for a writing tool if the server was started with `--read-only`. */
export function checkReadOnly(project: Project, tool: Tool): void {
  // Without a permission, the tool itself reports which one it requires.
  if (project.readOnly !== "requested" || !writes(tool, project)) return;
  throw new RefraktError("PERMISSION_DENIED", `${tool.name} writes, but this server is read-only`, {
    hint: "Start the server without --read-only.",
  });
}

type Writing = Pick<Tool, "annotations" | "writes">;

/** Whether a tool writes. Tools without a hint count as writing only with `--read-only`. */
function writes({ annotations, writes: declared }: Writing, { readOnly }: Project): boolean {
  if (declared !== undefined) return declared;
  return readOnly === "requested"
    ? annotations.readOnlyHint !== true
    : annotations.readOnlyHint === false;
}

/** Whether packages may write during a call; not in tools with a read-only hint. */
export function packagesMayWrite({ readOnly }: Project, { annotations, writes }: Tool): boolean {
  return readOnly !== "requested" && (writes ?? annotations.readOnlyHint !== true);
}

/** Whether a project has what a tool requires. */
export function has(project: Project, requirement: Requirement): boolean {
  const { plan, site, own, ralph } = project;
  if (requirement === "plan") return plan !== null;
  if (requirement === "new plan") return canStartPlan(project);
  if (requirement === "site") return site !== null;
  if (requirement === "pages") return site !== null && site.isTheme !== true;
  if (requirement === "plugin") return own?.kind === "plugin";
  if (requirement === "theme") return own !== null || site !== null && makesTheme(site);
  if (requirement === "repair") return needsRepair(project);
  return ralph;
}

/** Whether the project is a theme, or a site has one in the project. */
function makesTheme({ isTheme, sites }: SiteFacts): boolean {
  return isTheme === true || sites.values().some(({ raw: { theme } }) => {
    const path = typeof theme === "string" ? theme : textOf(asObject(theme)["package"]);
    return path?.startsWith(".") === true;
  });
}

/** What is wrong with a tool; without a valid name and input it is skipped. */
function problemOf({ name, input, output }: Tool): Warning | undefined {
  if (!isToolName(name)) {
    return {
      code: "TOOL_NAME_INVALID",
      message: `Tool ${quotedName(name)} is skipped: its name is not valid`,
      hint: "A name has letters, digits and underscores, at most 64.",
    };
  }
  const { problem, omitted } = input;
  const [field, text] = problem !== undefined
    ? ["inputSchema", `Tool ${name} is skipped: its input schema is invalid: ${problem}`]
    : output?.problem !== undefined
    ? ["outputSchema", `The output schema of ${name} is not listed: ${output.problem}`]
    : omitted.length > 0
    ? ["inputSchema", `Some arguments of ${name} are not listed: ${omitted.join(", ")}`]
    : [];
  return text === undefined ? undefined : {
    code: "SCHEMA_INVALID",
    message: text,
    hint: omitted.length > 0
      ? `Declare them in the ${field} without references and unions; calls accept them.`
      : `Fix the ${field} of the command; it must be JSON Schema 2020-12 or draft-07.`,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
