/**
 * A workspace of one plugin alone: nothing is detected, nothing else is loaded.
 *
 * @module
 */

import { pluginContribution } from "../bridge/tools.ts";
import { openProject, type Project, projectRoot, projectStamp } from "../project/project.ts";
import { createOverflow, type Overflow } from "../surface/overflow.ts";
import type { CliPlugin } from "../surface/plugin.ts";
import { buildSurface, type Surface } from "../surface/registry.ts";
import { DEFAULT_BUDGET } from "../surface/shape.ts";
import type { Workspace } from "../surface/workspace.ts";
import { VERSION } from "../version.ts";

/** How a workspace of one plugin is made. */
export interface SingleOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
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
export function openSingleWorkspace(
  options: SingleOptions,
): Workspace & { readonly overflow: Overflow; readonly budget: number } {
  const cwd = projectRoot(options.cwd ?? ".");
  const overflow = createOverflow(DEFAULT_BUDGET);
  const project = { ...openProject(cwd, { plugins: [options.plugin] }), warnings: [] };
  let built: Promise<Surface> | undefined;
  // The plugin alone decides what is served; nothing in the project changes that.
  const surface = () => built ??= build(options, project, overflow);
  return {
    info: { name: options.name, title: options.title, version: VERSION },
    overflow,
    budget: DEFAULT_BUDGET,
    project: () => project,
    instructions: () => options.instructions,
    surface,
    wholeSurface: surface,
    warm: async () => {
      await surface();
    },
    contentStamp: () => projectStamp(cwd, project.planDir),
  };
}

async function build(
  { plugin: name, load }: SingleOptions,
  project: Project,
  overflow: Overflow,
): Promise<Surface> {
  (await import("../sandbox/mod.ts")).enterSandbox(project.cwd);
  const plugin = await load();
  return buildSurface(project, [
    pluginContribution({
      namespace: plugin.namespace,
      packageName: name,
      packageVersion: VERSION,
      versionFrom: "bundled",
      source: "bundled",
      plugin,
      declared: plugin.commands,
    }),
    { resources: [overflow.resource] },
  ]);
}
