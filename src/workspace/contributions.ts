/** The plugins that this server knows, and what is listed before they are loaded. */

import { join } from "node:path";
import { planAdapter } from "../../plugins/plan/mod.ts";
import { RALPH } from "../../plugins/ralph/bundled.ts";
import { RefraktError } from "../errors.ts";
import { mayWrite } from "../io/permissions.ts";
import { type Discovery, type RunningDiscovery, startDiscovery } from "../plugin_host/discover.ts";
import type { Project } from "../project/project.ts";
import type { CallContext } from "../tools/context.ts";
import type { Contribution, Toolset } from "../tools/registry.ts";
import type { Prompt } from "../tools/prompt.ts";
import type { Resource } from "../tools/resource.ts";
import type { Table } from "../tools/tables.ts";
import type { Tool } from "../tools/tool.ts";

export function discoverAll(project: Project, everything: boolean): RunningDiscovery {
  return startDiscovery(project, {
    adapters: [planAdapter],
    bundled: [RALPH],
    everything,
  });
}

/** The tools of Ralph in projects that do not use it, if their `specs` is writable: one starts it. */
export async function ralphTools(project: Project): Promise<Contribution[]> {
  if (project.ralph || !mayWrite(join(project.cwd, "specs"))) return [];
  const { tools = [] } = await RALPH.load();
  return [{ tools }];
}

interface Loaded {
  readonly toolset: Toolset;
  readonly discovery: Discovery;
}

/** The plan's tools, prompts and resources until its plugin is loaded: a call loads it by `whole`. */
export function notLoadedYet(
  { plan }: Project,
  discovery: Discovery,
  whole: () => Promise<Loaded>,
): Contribution[] {
  if (discovery.plugins.some(({ packageName }) => packageName === planAdapter.packageName)) {
    return [];
  }
  const { tools = [], prompts = [], resources = [], skills = [], tables = [] } = planAdapter
    .listed();
  /** Waits for the plugin and finds the same entry in it. */
  const loaded =
    <Entry>(name: string, find: (toolset: Toolset) => Entry | undefined) =>
    async (context?: CallContext): Promise<Entry> => {
      context?.progress({ progress: 0, message: `Loading ${planAdapter.packageName}` });
      const { toolset, discovery } = await whole();
      if (discovery.plugins.some(({ packageName }) => packageName === planAdapter.packageName)) {
        const entry = find(toolset);
        if (entry !== undefined) return entry;
        throw new RefraktError("NOT_FOUND", `This version of the plan plugin has no ${name}`);
      }
      const failed = toolset.warnings.find((warning) =>
        warning.package === planAdapter.packageName
      );
      throw new RefraktError(
        failed?.code === "CODE_NOT_TRUSTED" ? failed.code : "PLUGIN_LOAD_FAILED",
        failed?.message ?? `${planAdapter.packageName} is not available`,
        { hint: failed?.hint ?? "Call refrakt.detect to see why." },
      );
    };
  const toolOf = (tool: Tool): Tool => {
    const found = loaded(tool.name, (toolset) => toolset.findTool(tool.name));
    return { ...tool, run: async (input, context) => (await found(context)).run(input, context) };
  };
  if (plan === null) return [{ tools: tools.map(toolOf) }];
  const promptOf = (prompt: Prompt): Prompt => {
    const { name } = prompt;
    const found = loaded(name, ({ prompts }) => prompts.find((entry) => entry.name === name));
    return {
      ...prompt,
      render: async (args, context) => (await found(context)).render(args, context),
      complete: async (...typed) => await (await found()).complete?.(...typed) ?? [],
    };
  };
  const resourceOf = (resource: Resource): Resource => {
    const { uri, fileOf } = resource;
    const found = loaded(uri, ({ resources }) => resources.find((entry) => entry.uri === uri));
    return {
      ...resource,
      read: async (params, context) => (await found(context)).read(params, context),
      complete: async (...typed) => await (await found()).complete?.(...typed) ?? [],
      ...(fileOf && {
        fileOf: async (params, context) => await (await found()).fileOf?.(params, context) ?? null,
      }),
    };
  };
  const tableOf = (table: Table): Table => {
    const { name } = table;
    const found = loaded(name, ({ tables }) => tables.find((entry) => entry.name === name));
    return {
      ...table,
      read: async (columns, context) => (await found(context)).read(columns, context),
    };
  };
  return [{
    tools: tools.map(toolOf),
    prompts: prompts.map(promptOf),
    resources: resources.map(resourceOf),
    tables: tables.map(tableOf),
    skills,
  }];
}

export async function warmAll(project: Project, { plugins }: Discovery): Promise<void> {
  for (const plugin of plugins) await plugin.warm?.(project);
}
