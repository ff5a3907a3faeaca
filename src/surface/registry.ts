/**
 * Merges what the contributors bring into one surface: sorted, looked up by any
 * spelling, first come first served.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { Project, Warning } from "../project/project.ts";
import type { Contribution } from "./contribution.ts";
import { isToolName, nameKey } from "./names.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Need, Tool } from "./tool.ts";

/** Everything that the server can do in a project. */
export interface Surface {
  /** The project that it is for. */
  readonly project: Project;
  /** Every tool, sorted by name, also those that are not listed here. */
  readonly tools: readonly Tool[];
  /** Every resource, sorted by URI. */
  readonly resources: readonly Resource[];
  /** Every prompt, sorted by name. */
  readonly prompts: readonly Prompt[];
  /** Commands that are better run in a shell. */
  readonly shellOnly: readonly string[];
  /** The project's warnings and the contributors'. */
  readonly warnings: readonly Warning[];
  /** Finds a tool by any spelling of its name. */
  findTool(name: string): Tool | undefined;
  /** The tools that apply to the project. */
  listedTools(): Tool[];
  /** The resources that apply to the project. */
  listedResources(): Resource[];
  /** The prompts that apply to the project. */
  listedPrompts(): Prompt[];
}

/** Builds the surface of a project. */
export function buildSurface(
  project: Project,
  contributions: readonly Contribution[],
): Surface {
  const warnings: Warning[] = [...project.warnings];
  const tools = new Map<string, Tool>();
  const resources = new Map<string, Resource>();
  const prompts = new Map<string, Prompt>();
  const shellOnly = new Set<string>();
  for (const contribution of contributions) {
    for (const tool of contribution.tools ?? []) addTool(tools, tool, warnings);
    for (const resource of contribution.resources ?? []) {
      addOnce(resources, resource.uri, resource, `resource ${resource.uri}`, warnings);
    }
    for (const prompt of contribution.prompts ?? []) {
      addOnce(prompts, prompt.name, prompt, `prompt ${prompt.name}`, warnings);
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
    warnings,
    findTool: (name) => tools.get(nameKey(name)),
    listedTools: () =>
      sortedTools.filter((tool) => hasAll(project, [...tool.needs, ...tool.listedWith])),
    listedResources: () => sortedResources.filter((entry) => hasAll(project, entry.needs ?? [])),
    listedPrompts: () => sortedPrompts.filter((entry) => hasAll(project, entry.needs ?? [])),
  };
}

/**
 * Makes sure that a project has what something needs.
 *
 * @throws {RefraktError} `PLAN_DIR_MISSING` or `SITE_CONFIG_MISSING`, with what to do.
 */
export function requireNeeds(project: Project, needs: readonly Need[]): void {
  for (const need of needs) {
    if (has(project, need)) continue;
    const broken = project.warnings.find((warning) => warning.code === "CONFIG_INVALID");
    if (need === "plan") {
      throw new RefraktError("PLAN_DIR_MISSING", "The project has no plan directory", {
        hint: project.planDir === null && broken !== undefined
          ? `${broken.message}. ${broken.hint ?? ""}`.trim()
          : "Call plan.init to create it, or set plan.dir in refrakt.config.json.",
      });
    }
    if (need === "site") {
      throw new RefraktError("SITE_CONFIG_MISSING", "No site is declared in refrakt.config.json", {
        hint: broken !== undefined
          ? `${broken.message}. ${broken.hint ?? ""}`.trim()
          : 'Add "site": { "contentDir": "content", "theme": "…" } to refrakt.config.json.',
      });
    }
  }
}

/** Whether a project has what something needs. */
export function hasAll(project: Project, needs: readonly Need[]): boolean {
  return needs.every((need) => has(project, need));
}

function has(project: Project, need: Need): boolean {
  if (need === "plan") return project.plan !== null;
  if (need === "site") return project.site !== null;
  return project.ralph;
}

/** Cursor leaves out what is not under 60 characters together with the server's name, `refrakt`. */
const LONGEST_NAME = 59 - "refrakt".length;

function addTool(tools: Map<string, Tool>, tool: Tool, warnings: Warning[]): void {
  if (!isToolName(tool.name)) {
    warnings.push({
      code: "TOOL_NAME_INVALID",
      message: `Tool ${JSON.stringify(tool.name)} is left out: clients cannot say its name`,
      hint: "A name has letters, digits, dots, underscores and hyphens, 64 at the most.",
    });
    return;
  }
  if (tool.name.length > LONGEST_NAME) {
    warnings.push({
      code: "TOOL_NAME_LONG",
      message: `Tool ${tool.name} has a name that some clients do not show`,
      hint: `Keep it to ${LONGEST_NAME} characters: they count the server's name as well.`,
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
