/**
 * A workspace of one plugin alone: nothing is detected, nothing else is loaded.
 *
 * @module
 */

import { declaredOf } from "../plugin_host/contract.ts";
import { pluginContribution } from "../plugin_host/tools.ts";
import { openProject, type Project, projectRoot, projectStamp } from "../project/project.ts";
import { createResultStore, type ResultStore } from "../tools/stored_results.ts";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import { buildToolset, type Toolset } from "../tools/registry.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";

/** How a workspace of one plugin is made. */
export interface SingleOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
  /** Whether what writes is neither listed nor run. */
  readonly readOnly?: boolean;
  /** The name that the server gives. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** What it tells a client about itself. */
  readonly instructions: string;
  /** The plugin's name among the bundled ones. */
  readonly plugin: string;
  /** Loads the plugin. */
  load(): Promise<CliPlugin>;
}

/** Opens a workspace of one plugin. */
export function openSingleWorkspace(options: SingleOptions): Workspace {
  const cwd = projectRoot(options.cwd ?? ".");
  const results = createResultStore(DEFAULT_BUDGET);
  const project = {
    ...openProject(cwd, {
      plugins: [options.plugin],
      readOnly: options.readOnly === true,
    }),
    warnings: [],
  };
  let built: Promise<Built> | undefined;
  // The plugin alone decides what is served; nothing in the project changes that.
  const build = () => built ??= buildSingle(options, project, results);
  const toolset = async () => (await build()).toolset;
  return {
    info: { name: options.name, title: options.title, version: VERSION },
    results,
    budget: DEFAULT_BUDGET,
    project: () => project,
    instructions: () => options.instructions,
    toolset,
    wholeToolset: toolset,
    warm: async () => {
      await toolset();
    },
    contentStamp: () => projectStamp(cwd, project.planDir),
    detection: async () => {
      const { toolset, found } = await build();
      return (await import("./detect.ts")).detection(toolset, [found]);
    },
    plugins: async () => [(await build()).found],
  };
}

/** The toolset, and the plugin that it was made of. */
interface Built {
  readonly toolset: Toolset;
  readonly found: DiscoveredPlugin;
}

async function buildSingle(
  { plugin: name, load }: SingleOptions,
  project: Project,
  results: ResultStore,
): Promise<Built> {
  (await import("../sandbox/mod.ts")).enterSandbox(project.cwd);
  const plugin = await load();
  const found: DiscoveredPlugin = {
    namespace: plugin.namespace,
    packageName: name,
    packageVersion: VERSION,
    versionFrom: "bundled",
    source: "bundled",
    plugin,
    declared: declaredOf(plugin.commands),
  };
  const toolset = buildToolset(project, [
    pluginContribution(found),
    // The plugin keeps its answers short; what an odd project makes long is read as a resource.
    { resources: [results.resource] },
  ]);
  return { toolset, found };
}
