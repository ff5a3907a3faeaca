/**
 * Which tools, resources and prompts there are, which of them are listed, and why others are not. Of
 * entries with the same name, the first one stays.
 */

import { mayWriteTo } from "../io/permissions.ts";
import { installedCopy } from "../packages/manifests.ts";
import { quotedName } from "../plain_text.ts";
import type { Table } from "../plugin/context.ts";
import type { DiscoveredPlugin, PluginSummary } from "../plugin/detection.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Project, Warning } from "../plugin/project.ts";
import type { Prompt } from "../plugin/prompt.ts";
import type { Resource } from "../plugin/resource.ts";
import { type Skill, skillResource } from "../plugin/skill.ts";
import { isToolName, nameKey, type Tool, type ToolDeclaration } from "../plugin/tool.ts";
import { chooseDeno } from "./serve_command.ts";
import { shellLine } from "./shell.ts";

/** A plugin of npm, and what reports say of its package. */
export interface NpmPlugin {
  readonly summary: PluginSummary;
  readonly commands: DiscoveredPlugin["commands"];
  readonly plugin: Plugin;
}

/** The entries of a plugin: what lists show of its tools, and the rest as far as it is imported. */
export interface PluginEntries {
  readonly plugin: Plugin;
  readonly tools: readonly ToolDeclaration[];
  readonly resources?: readonly Resource[];
  readonly prompts?: readonly Prompt[];
  readonly skills?: readonly Skill[];
  readonly tables?: readonly Table[];
}

export type Inventory = ReturnType<typeof buildInventory>;

const CLI_PACKAGE = "@refrakt-md/cli";

export function buildInventory(
  project: Project,
  entries: readonly PluginEntries[],
  npm: readonly NpmPlugin[] = [],
  problems: readonly Warning[] = [],
) {
  const warnings: Warning[] = [...project.warnings, ...problems];
  const tools = new Map<string, ToolDeclaration>();
  const resources = new Map<string, Resource>();
  const prompts = new Map<string, Prompt>();
  const owners = new Map<object, Plugin>();
  for (const { plugin, skills = [], ...declared } of entries) {
    const add = <Value extends object>(
      kind: string,
      values: Map<string, Value>,
      key: string,
      value: Value,
    ) => {
      const first = values.get(key);
      if (first === undefined) {
        values.set(key, value);
        owners.set(value, plugin);
        return;
      }
      // A bundled plugin's tools replace the commands of the package that it adapts.
      const worked = owners.get(first)!.package?.name;
      if (npm.some((each) => each.plugin === plugin && each.summary.packageName === worked)) return;
      warnings.push({
        code: "NAME_CLASH",
        message: `A second ${kind} ${key} is skipped; the first one stays`,
        hint: "Rename one of them, or remove one of the plugins.",
      });
    };
    for (const tool of declared.tools) {
      const problem = problemOf(tool);
      if (problem !== undefined) warnings.push(problem);
      if (!isToolName(tool.name) || tool.input.problem !== undefined) continue;
      add("tool", tools, tool.name, describedFor(project, tool));
    }
    const deno = () => shellLine(chooseDeno());
    const skillResources = skills.map((skill) => skillResource(skill, deno));
    for (const resource of [...declared.resources ?? [], ...skillResources]) {
      add("resource", resources, resource.uri, resource);
    }
    for (const prompt of declared.prompts ?? []) {
      add("prompt", prompts, nameKey(prompt.name), prompt);
    }
  }
  const inShell = new Map(entries.flatMap(({ plugin }) => plugin.inShell?.(project) ?? []));
  // On npm, `refrakt` is a package of somebody else.
  const isInstalled = inShell.size > 0 && installedCopy(project, CLI_PACKAGE) !== undefined;
  const cli = `npx ${isInstalled ? "" : `--package=${CLI_PACKAGE} `}refrakt`;
  const shellOnly = Array.from(inShell, ([name, words]) => ({ name, command: `${cli} ${words}` }));
  const applies = ({ requires = [] }: Pick<Resource, "requires">) =>
    requires.every((requirement) => has(project, requirement));
  const sortedTools = sorted(tools.values(), ({ name }) => name);
  const sortedResources = sorted(resources.values(), ({ uri }) => uri);
  const sortedPrompts = sorted(prompts.values(), ({ name }) => name);
  const isListed = (tool: ToolDeclaration, views = false) =>
    whyNotListed(project, tool, views) === undefined;
  return {
    project,
    /** Sorted by name, including tools that are not listed. */
    tools: sortedTools,
    resources: sortedResources,
    prompts: sortedPrompts,
    /** The tables of active plugins. */
    tables: entries.flatMap(({ plugin, tables = [] }) => isActive(project, plugin) ? tables : []),
    plugins: npm,
    shellOnly: sorted(shellOnly, ({ name }) => name),
    warnings,
    findTool: (name: string) => tools.get(nameKey(name)),
    ownerOf: (tool: ToolDeclaration) => owners.get(tool)!,
    /** The arguments of a tool that mean nothing in this project, and are not listed. */
    omittedOf: (tool: ToolDeclaration) => owners.get(tool)!.omitted?.(project) ?? [],
    /** The tools in a client's list; `views` if it shows views. */
    listedTools: (views?: boolean) => sortedTools.filter((tool) => isListed(tool, views)),
    /** Tools that work in this project, and are not in the list of a client without views. */
    unlistedTools: () =>
      sortedTools.filter((tool) =>
        applies(tool) && whyWithheld(project, tool) === undefined && !isListed(tool)
      ),
    /** Tools that only lack a permission, each with the reason. */
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
    listedSkills: () => entries.flatMap(({ skills = [] }) => skills.filter(applies)),
  };
}

/** Whether a plugin serves something in the project, as plugins of npm always do. */
export function isActive({ active, namespaces }: Project, { name }: Plugin): boolean {
  return active.includes(name) || namespaces[name] === undefined;
}

/** The tool with its description for a project that has only one of the things it is for. */
function describedFor(project: Project, tool: ToolDeclaration): ToolDeclaration {
  const { with: kinds = [], alone } = tool.listed;
  const [kind, ...others] = kinds.filter((each) => has(project, each));
  const description = kind === undefined || others.length > 0 ? undefined : alone?.[kind];
  return description === undefined ? tool : { ...tool, description };
}

/** The names in `--tools` that are neither a tool nor a group. */
export function unknownNames({ project, tools }: Inventory): string[] {
  return (project.tools ?? []).filter((name) => !tools.some((tool) => namesTool(tool, name)));
}

/** Why a client does not see a tool in its list, as a sentence; `views` if it shows views. */
export function whyNotListed(project: Project, tool: ToolDeclaration, views = false) {
  const { with: kinds = [], without = [], to, group } = tool.listed;
  const isMissing = (requirement: string) => !has(project, requirement);
  const missing = tool.requires.filter(isMissing);
  if (missing.length > 0) return `this project has no ${missing.join(", no ")}`;
  if (to === "views" && !views) return "it is for clients that show views";
  if (project.tools !== undefined) {
    if (!project.tools.some((name) => namesTool(tool, name))) return "--tools does not name it";
    return whyWithheld(project, tool);
  }
  if (to === "none") return "only --tools lists it";
  if (group !== undefined && isMissing(group)) return "there is nothing to repair";
  if (kinds.length > 0 && kinds.every(isMissing)) {
    return `this project has no ${kinds.join(", no ")}`;
  }
  if (!without.every(isMissing)) return "another tool does its job here";
  return whyWithheld(project, tool);
}

/** Whether instructions may name a tool; they check themselves what it requires. */
export function mayList(project: Project, name: string, target: string | false = false): boolean {
  if (whyWithheld(project, { annotations: {}, writes: target }) !== undefined) return false;
  return project.tools?.some((chosen) => namesTool({ name, listed: {} }, chosen)) ?? true;
}

/** Why a tool that writes cannot work with the permissions of the server. */
function whyWithheld(project: Project, tool: Writing): string | undefined {
  if (!writes(tool, project)) return undefined;
  if (project.readOnly === "requested") return "this server is read-only";
  const { writes: target } = tool;
  const isGranted = typeof target === "string"
    ? project.folders[target]?.some(mayWriteTo) === true
    : project.readOnly === null;
  return isGranted ? undefined : "the server has no permission to write what it writes";
}

/** Whether a name or group that the user chose means a tool. */
function namesTool(tool: Pick<ToolDeclaration, "name" | "listed">, chosen: string): boolean {
  return chosen === "all" || [tool.name, groupOf(tool)].map(nameKey).includes(nameKey(chosen));
}

function groupOf({ name, listed }: Pick<ToolDeclaration, "name" | "listed">): string {
  const namespace = listed.namespace ?? name.split("_")[0]!;
  return listed.group ?? (namespace === "refrakt" ? "site" : namespace);
}

type Writing = Pick<Tool, "annotations" | "writes">;

/** Whether a tool writes. Tools without a hint count as writing only with `--read-only`. */
export function writes({ annotations, writes: declared }: Writing, { readOnly }: Project): boolean {
  if (declared !== undefined) return declared !== false;
  return readOnly === "requested"
    ? annotations.readOnlyHint !== true
    : annotations.readOnlyHint === false;
}

export function has(project: Project, requirement: string): boolean {
  return project.needs[requirement]?.has(project) === true;
}

/** What is wrong with a tool; without a valid name and input it is skipped. */
function problemOf({ name, input, output }: ToolDeclaration): Warning | undefined {
  if (!isToolName(name)) {
    return {
      code: "TOOL_NAME_INVALID",
      message: `Tool ${quotedName(name)} is skipped: its name is not valid`,
      hint: "A name has letters, digits and underscores, at most 64.",
    };
  }
  const code = "SCHEMA_INVALID";
  const { problem, omitted = [] } = input;
  const step = "of the command; it must be JSON Schema 2020-12 or draft-07.";
  if (problem !== undefined) {
    const message = `Tool ${name} is skipped: its input schema is invalid: ${problem}`;
    return { code, message, hint: `Fix the inputSchema ${step}` };
  }
  if (output?.problem !== undefined) {
    const message = `The output schema of ${name} is not listed: ${output.problem}`;
    return { code, message, hint: `Fix the outputSchema ${step}` };
  }
  if (omitted.length === 0) return undefined;
  const hint = "Declare them in the inputSchema without references and unions; calls accept them.";
  return { code, message: `Some arguments of ${name} are not listed: ${omitted.join(", ")}`, hint };
}

function sorted<Value>(values: Iterable<Value>, key: (value: Value) => string): readonly Value[] {
  return [...values].sort((a, b) => key(a) < key(b) ? -1 : 1);
}
