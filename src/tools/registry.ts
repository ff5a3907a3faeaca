/**
 * Merges what the contributors bring into one toolset: sorted, looked up by any
 * spelling, first come first served.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { planMissing } from "../project/missing_plan.ts";
import { plainWarning, type Project, type Warning } from "../project/project.ts";
import { siteMissing } from "../project/sites.ts";
import type { Contribution } from "./contribution.ts";
import { isToolName, nameKey } from "./tool_names.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import { type Skill, skillResource } from "./skill.ts";
import type { Requirement, Tool } from "./tool.ts";

/** Everything that the server can do in a project. */
export interface Toolset {
  readonly project: Project;
  /** Every tool, sorted by name, also those that are not listed here. */
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly shellOnly: readonly string[];
  readonly warnings: readonly Warning[];
  findTool(name: string): Tool | undefined;
  listedTools(views?: boolean): Tool[];
  listedResources(): Resource[];
  listedPrompts(): Prompt[];
  listedSkills(): Skill[];
}

/** Builds the toolset of a project. */
export function buildToolset(
  project: Project,
  contributions: readonly Contribution[],
): Toolset {
  const warnings: Warning[] = [...project.warnings];
  const tools = new Map<string, Tool>();
  const resources = new Map<string, Resource>();
  const prompts = new Map<string, Prompt>();
  const skills: Skill[] = [];
  const shellOnly = new Set<string>();
  for (const contribution of contributions) {
    for (const tool of contribution.tools ?? []) addTool(tools, tool, warnings);
    for (const resource of contribution.resources ?? []) {
      addOnce(resources, resource.uri, resource, `resource ${resource.uri}`, warnings);
    }
    for (const prompt of contribution.prompts ?? []) {
      addOnce(prompts, prompt.name, prompt, `prompt ${prompt.name}`, warnings);
    }
    for (const skill of contribution.skills ?? []) {
      const resource = skillResource(skill);
      skills.push(skill);
      addOnce(resources, resource.uri, resource, `resource ${resource.uri}`, warnings);
    }
    for (const command of contribution.shellOnly ?? []) shellOnly.add(command);
    warnings.push(...contribution.warnings ?? []);
  }
  const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
  const sortedTools = [...tools.values()].sort(byName);
  const sortedResources = [...resources.values()].sort((a, b) => compare(a.uri, b.uri));
  const sortedPrompts = [...prompts.values()].sort(byName);
  return {
    project,
    tools: sortedTools,
    resources: sortedResources,
    prompts: sortedPrompts,
    shellOnly: [...shellOnly].sort(compare),
    warnings: warnings.map(plainWarning),
    findTool: (name) => tools.get(nameKey(name)),
    listedTools: (views = false) => sortedTools.filter((tool) => isListed(project, tool, views)),
    listedResources: () => sortedResources.filter((entry) => hasAll(project, entry.requires ?? [])),
    listedPrompts: () => sortedPrompts.filter((entry) => hasAll(project, entry.requires ?? [])),
    listedSkills: () => skills.filter((entry) => hasAll(project, entry.requires ?? [])),
  };
}

/** Throws `PLAN_DIR_MISSING` or `SITE_CONFIG_MISSING` where a project lacks what something needs. */
export function checkRequirements(project: Project, requires: readonly Requirement[]): void {
  for (const requirement of requires) {
    if (has(project, requirement)) continue;
    if (requirement === "plan") {
      const broken = project.warnings.find((warning) => warning.code === "CONFIG_INVALID");
      const missing = planMissing({ cwd: project.cwd, dir: project.planDir });
      if (project.planDir !== null || broken === undefined) throw missing;
      throw new RefraktError(missing.code, missing.message, {
        hint: `${broken.message}. ${broken.hint ?? ""}`.trim(),
      });
    }
    if (requirement === "site") throw siteMissing(project);
  }
}

/** Whether a project has what something needs. */
export function hasAll(project: Project, requires: readonly Requirement[]): boolean {
  return requires.every((requirement) => has(project, requirement));
}

function isListed(project: Project, tool: Tool, views = false): boolean {
  const isHidden = tool.unlisted === true && !(views && tool._meta?.["ui"] !== undefined);
  return !isHidden && hasAll(project, [...tool.requires, ...tool.listedWith]) &&
    !(project.readOnly !== null && writes(tool, project)) &&
    !tool.listedWithout.some((requirement) => has(project, requirement));
}

/** Throws `PERMISSION_DENIED` for a tool that writes, in a project that was opened to read alone. */
export function checkReadOnly(project: Project, tool: Tool): void {
  // Without a grant the tool says itself which one it needs.
  if (project.readOnly !== "requested" || !writes(tool, project)) return;
  throw new RefraktError("PERMISSION_DENIED", `${tool.name} writes, and this server only reads`, {
    hint: "The server was started with --read-only; start it without to change anything.",
  });
}

/** Whether a tool writes; one that does not say is trusted where nothing can be written. */
function writes({ annotations, writes: declared }: Tool, { readOnly }: Project): boolean {
  if (declared !== undefined) return declared;
  return readOnly === "requested"
    ? annotations.readOnlyHint !== true
    : annotations.readOnlyHint === false;
}

/** Whether packages may write in a call of a tool: not where it says that it only reads. */
export function packagesMayWrite({ readOnly }: Project, { annotations, writes }: Tool): boolean {
  return readOnly !== "requested" && (writes ?? annotations.readOnlyHint !== true);
}

function has(project: Project, requirement: Requirement): boolean {
  if (requirement === "plan") return project.plan !== null;
  if (requirement === "site") return project.site !== null;
  return project.ralph;
}

function addTool(tools: Map<string, Tool>, tool: Tool, warnings: Warning[]): void {
  if (!isToolName(tool.name)) {
    warnings.push({
      code: "TOOL_NAME_INVALID",
      message: `Tool ${JSON.stringify(tool.name)} is left out: clients cannot say its name`,
      hint: "A name has letters, digits, dots, underscores and hyphens, 64 at the most.",
    });
    return;
  }
  if (tool.input.problem !== undefined) {
    warnings.push({
      code: "SCHEMA_INVALID",
      message: `Tool ${tool.name} is left out: its input schema cannot be checked: ` +
        tool.input.problem,
      hint: "Mend the inputSchema of the command; it is JSON Schema 2020-12 or draft-07.",
    });
    return;
  }
  if (tool.outputProblem !== undefined) {
    warnings.push({
      code: "SCHEMA_INVALID",
      message: `The output schema of ${tool.name} is not listed: ${tool.outputProblem}`,
      hint: "Mend the outputSchema of the command; it is JSON Schema 2020-12 or draft-07.",
    });
  }
  addOnce(tools, nameKey(tool.name), tool, `tool ${tool.name}`, warnings);
}

function addOnce<Value>(
  entries: Map<string, Value>,
  key: string,
  value: Value,
  what: string,
  warnings: Warning[],
): void {
  if (!entries.has(key)) {
    entries.set(key, value);
    return;
  }
  warnings.push({
    code: "NAME_CLASH",
    message: `A second ${what} is left out; the first one stays`,
    hint: "Rename one of them, or remove one of the plugins.",
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
