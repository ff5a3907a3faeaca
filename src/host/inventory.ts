/** Merges what there is into one inventory; of entries with the same name, the first one stays. */

import type { Contribution } from "../plugin/contribution.ts";
import { join } from "node:path";
import { quotedName } from "../plain_text.ts";
import { canStartPlan, planStep } from "../../plugins/plan/store/new_plan.ts";
import type { ShellCommand } from "../plugin/detection.ts";
import { pluginCommand, siteCommands } from "./shell_commands.ts";
import { RefraktError } from "../errors.ts";
import { configError } from "../plugin/config.ts";
import { planMissing } from "../../plugins/plan/store/plan_folder.ts";
import type { Project, Warning } from "../plugin/project.ts";
import { needsRepair } from "../../plugins/plan/store/needs_repair.ts";
import { contentFolders, siteMissing } from "../../plugins/site/sites.ts";
import { mayWrite } from "../io/permissions.ts";
import { isToolName, nameKey } from "../plugin/tool_names.ts";
import type { Prompt } from "../plugin/prompt.ts";
import type { Resource } from "../plugin/resource.ts";
import { type Skill, skillResource } from "../plugin/skill.ts";
import type { Table } from "../plugin/tables.ts";
import type { DiscoveredPlugin, PluginSummary } from "../plugin/detection.ts";
import {
  type ListedTool,
  type Requirement,
  type Tool,
  TOOL_GROUPS,
  type WriteTarget,
} from "../plugin/tool.ts";

/** A plugin with what reports say of its package, and what it adds to the server. */
export interface LoadedPlugin
  extends Omit<PluginSummary, "commands">, Pick<DiscoveredPlugin, "commands"> {
  readonly contribution: Contribution;
  /** Prepares in small steps what the first call would have to wait for. */
  warm?(project: Project): Promise<void>;
}

/** A contribution, and what has to be loaded before its entries can be used. */
export interface Part extends Omit<Contribution, "tools"> {
  readonly tools?: readonly ListedTool[];
  readonly waitsFor?: string;
}

/** Which tools, resources and prompts there are, which of them are listed, and why others are not. */
export interface Inventory {
  readonly project: Project;
  /** Sorted by name, including tools that are not listed. */
  readonly tools: readonly ListedTool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly tables: readonly Table[];
  readonly plugins: readonly LoadedPlugin[];
  readonly shellOnly: readonly ShellCommand[];
  /** The hints for withdrawn tools, by {@linkcode nameKey}. */
  readonly withdrawn: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
  findTool(name: string): ListedTool | undefined;
  /** What has to be loaded before an entry can be used. */
  waitsFor(entry: object): string | undefined;
  /** Those that a client sees; `views` if it shows views. */
  listedTools(views?: boolean): ListedTool[];
  /** Those that work in this project and are not listed to clients without views. */
  unlistedTools(): ListedTool[];
  /** Those about what the project has that lack a permission only, each with the reason. */
  withheldTools(): { readonly name: string; readonly reason: string }[];
  listedResources(): Resource[];
  listedPrompts(): Prompt[];
  listedSkills(): Skill[];
}

export function buildInventory(
  project: Project,
  parts: readonly Part[],
  plugins: readonly LoadedPlugin[] = [],
): Inventory {
  const warnings: Warning[] = [...project.warnings];
  const tools = new Map<string, ListedTool>();
  const resources = new Map<string, Resource>();
  const prompts = new Map<string, Prompt>();
  const skills: Skill[] = [];
  const shellOnly = new Map<string, ShellCommand>();
  const withdrawn = new Map<string, string>();
  const sources = new Map<object, string | undefined>();
  for (const part of parts) {
    const add = <Value extends object>(
      entries: Map<string, Value>,
      key: string,
      value: Value,
      kind: string,
    ) => {
      if (!entries.has(key)) {
        entries.set(key, value);
        sources.set(value, part.waitsFor);
        return;
      }
      warnings.push({
        code: "NAME_CLASH",
        message: `A second ${kind} ${key} is skipped; the first one stays`,
        hint: "Rename one of them, or remove one of the plugins.",
      });
    };
    for (const tool of part.tools ?? []) {
      const { name, input } = tool;
      const problem = problemOf(tool);
      if (problem !== undefined) warnings.push(problem);
      if (!isToolName(name) || input.problem !== undefined) continue;
      add(tools, name, describedFor(project, tool), "tool");
    }
    for (const resource of part.resources ?? []) add(resources, resource.uri, resource, "resource");
    for (const prompt of part.prompts ?? []) add(prompts, nameKey(prompt.name), prompt, "prompt");
    for (const skill of part.skills ?? []) {
      skills.push(skill);
      const resource = skillResource(skill);
      add(resources, resource.uri, resource, "resource");
    }
    for (const line of part.shellOnly ?? []) {
      const command = pluginCommand(project, line);
      shellOnly.set(command.name, command);
    }
    for (const [name, hint] of Object.entries(part.withdrawn ?? {})) {
      withdrawn.set(nameKey(name), hint);
    }
    for (const table of part.tables ?? []) sources.set(table, part.waitsFor);
    warnings.push(...part.warnings ?? []);
  }
  if (project.site !== null) {
    for (const command of siteCommands(project)) shellOnly.set(command.name, command);
  }
  const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
  const applies = ({ requires = [] }: Pick<Resource, "requires">) => hasAll(project, requires);
  const sortedTools = [...tools.values()].sort(byName);
  const sortedResources = [...resources.values()].sort((a, b) => compare(a.uri, b.uri));
  const sortedPrompts = [...prompts.values()].sort(byName);
  const isListed = (tool: ListedTool, views = false) =>
    whyNotListed(project, tool, views) === undefined;
  return {
    project,
    tools: sortedTools,
    resources: sortedResources,
    prompts: sortedPrompts,
    tables: parts.flatMap(({ tables = [] }) => tables),
    plugins,
    shellOnly: [...shellOnly.values()].sort(byName),
    withdrawn,
    warnings,
    findTool: (name) => tools.get(nameKey(name)),
    waitsFor: (entry) => sources.get(entry),
    listedTools: (views) => sortedTools.filter((tool) => isListed(tool, views)),
    unlistedTools: () =>
      sortedTools.filter((tool) =>
        applies(tool) && whyWithheld(project, tool) === undefined && !isListed(tool)
      ),
    withheldTools: () =>
      sortedTools.flatMap((tool) => {
        const { name, requires, listed } = tool;
        const reason = whyWithheld(project, tool);
        const isAbout = requires.length > 0 || listed.with !== undefined;
        const isOnly = reason !== undefined && whyNotListed(project, tool) === reason;
        return isAbout && isOnly ? [{ name, reason }] : [];
      }),
    listedResources: () => sortedResources.filter(applies),
    listedPrompts: () => sortedPrompts.filter(applies),
    listedSkills: () => skills.filter(applies),
  };
}

/** The tool, with its description for a project that has only one of what it is for. */
function describedFor(project: Project, tool: ListedTool): ListedTool {
  const { with: kinds = [], alone } = tool.listed;
  if (alone === undefined) return tool;
  const [kind, ...others] = kinds.filter((each) => has(project, each));
  const description = kind === undefined || others.length > 0 ? undefined : alone[kind];
  return description === undefined ? tool : { ...tool, description };
}

/** The names in `--tools` that are no tool and no group of an inventory. */
export function unknownNames({ project, tools }: Inventory): string[] {
  return (project.tools ?? []).filter((name) =>
    !TOOL_GROUPS.some((group) => group === nameKey(name)) &&
    !tools.some((tool) => isMeant(tool, name))
  );
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

/** Why a client does not see a tool in its list, as a sentence; `views` if it shows views. */
export function whyNotListed(
  project: Project,
  tool: ListedTool,
  views = false,
): string | undefined {
  const { with: kinds = [], to, group } = tool.listed;
  const isMissing = (requirement: Requirement) => !has(project, requirement);
  const missing = tool.requires.filter(isMissing);
  if (missing.length > 0) return `this project has no ${missing.join(", no ")}`;
  if (to === "views" && !views) return "it is for clients that show views";
  if (project.tools !== undefined) {
    if (!project.tools.some((name) => isMeant(tool, name))) return "--tools does not name it";
    return whyWithheld(project, tool);
  }
  if (to === "none") return "only --tools lists it";
  if (group !== undefined && isMissing(group)) return "there is nothing to repair";
  if (kinds.length > 0 && kinds.every(isMissing)) {
    return `this project has no ${kinds.join(", no ")}`;
  }
  return whyWithheld(project, tool);
}

/** Whether instructions may name a tool: what the project needs for it is checked by them. */
export function mayList(project: Project, name: string, target?: WriteTarget): boolean {
  const isWithheld = target !== undefined &&
    whyWithheld(project, { annotations: {}, writes: target }) !== undefined;
  return !isWithheld &&
    (project.tools?.some((chosen) => isMeant({ name, listed: {} }, chosen)) ?? true);
}

/** Why a tool that writes cannot work with the permissions of the server. */
function whyWithheld(project: Project, tool: Writing): string | undefined {
  if (!writes(tool, project)) return undefined;
  if (project.readOnly === "requested") return "this server is read-only";
  const { cwd, planDir } = project;
  const folders = {
    plan: [planDir ?? join(cwd, "plan")],
    specs: [join(cwd, "specs")],
    pages: contentFolders(project),
  };
  const { writes: target } = tool;
  const isGranted = typeof target === "string"
    ? folders[target].some(mayWrite)
    : project.readOnly === null;
  return isGranted ? undefined : "the server has no permission to write what it writes";
}

/** Whether a name or group that the user chose means a tool. */
function isMeant(
  { name, listed }: Pick<ListedTool, "name" | "listed">,
  chosen: string,
): boolean {
  const namespace = listed.namespace ?? name.split("_")[0]!;
  const group = listed.group ?? (namespace === "refrakt" ? "site" : namespace);
  return chosen === "all" || [name, group].map(nameKey).includes(nameKey(chosen));
}

/** Throws `PERMISSION_DENIED` for a writing tool if the server was started with `--read-only`. */
export function checkReadOnly(project: Project, tool: Writing & Pick<Tool, "name">): void {
  // Without a permission, the tool itself reports which one it requires.
  if (project.readOnly !== "requested" || !writes(tool, project)) return;
  throw new RefraktError("PERMISSION_DENIED", `${tool.name} writes, but this server is read-only`, {
    hint: "Start the server without --read-only.",
  });
}

type Writing = Pick<Tool, "annotations" | "writes">;

/** Whether a tool writes. Tools without a hint count as writing only with `--read-only`. */
function writes({ annotations, writes: declared }: Writing, { readOnly }: Project): boolean {
  if (declared !== undefined) return declared !== false;
  return readOnly === "requested"
    ? annotations.readOnlyHint !== true
    : annotations.readOnlyHint === false;
}

/** Whether packages may write during a call; not in tools with a read-only hint. */
export function packagesMayWrite({ readOnly }: Project, { annotations, writes }: Tool): boolean {
  if (readOnly === "requested" || writes === false) return false;
  return writes !== undefined || annotations.readOnlyHint !== true;
}

/** Whether a project has what a tool requires. */
export function has(project: Project, requirement: Requirement): boolean {
  const { plan, site, own, ralph } = project;
  if (requirement === "plan") return plan !== null;
  if (requirement === "new plan") return canStartPlan(project);
  if (requirement === "site") return site !== null;
  if (requirement === "pages") return site !== null && site.isTheme !== true;
  if (requirement === "plugin") return own?.kind === "plugin";
  if (requirement === "nothing") return plan === null && site === null;
  if (requirement === "repair") return needsRepair(project);
  return ralph;
}

/** What is wrong with a tool; without a valid name and input it is skipped. */
function problemOf({ name, input, output }: ListedTool): Warning | undefined {
  if (!isToolName(name)) {
    return {
      code: "TOOL_NAME_INVALID",
      message: `Tool ${quotedName(name)} is skipped: its name is not valid`,
      hint: "A name has letters, digits and underscores, at most 64.",
    };
  }
  const { problem, omitted = [] } = input;
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
