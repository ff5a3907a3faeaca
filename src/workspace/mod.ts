/**
 * Puts a project and its contributors together, and keeps the toolset current.
 *
 * @module
 */

import {
  openProject,
  type Project,
  type ProjectOptions,
  projectRoot,
  projectStamp,
} from "../project/project.ts";
import { planStamp } from "../project/plan.ts";
import type { BundledPlugin } from "../plugin_host/plugin_loading.ts";
import { engineFor } from "../site/engine/client.ts";
import type { Contributor } from "../tools/contribution.ts";
import { createResultStore } from "../tools/stored_results.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";
import { detection } from "./detect.ts";
import { instructionsFor } from "./instructions.ts";
import { siteReports } from "./site_reports.ts";
import { type Built, createToolsets } from "./toolsets.ts";

/** How long after the first message the work in advance begins, in milliseconds. */
const WARM_UP_DELAY_MS = 300;

/** How long a report waits for plugins and sites, in milliseconds. */
const REPORT_MS = 5000;

/** How a workspace is made. */
export interface WorkspaceOptions extends ProjectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
  /** Contributors of an embedding program, after the server's own. */
  readonly contributors?: readonly Contributor[];
  /** The most characters of a result. */
  readonly budget?: number;
  /** Whether answers wait for every package, for callers that ask once and get no notifications. */
  readonly patient?: boolean;
  /** Serves this plugin alone, and looks for no other. */
  readonly only?: OnlyPlugin;
}

/** A program that serves one bundled plugin and nothing else. */
export interface OnlyPlugin {
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly plugin: BundledPlugin;
}

/** What a report is made of, and until when it waits for the rest, by `performance.now()`. */
interface Snapshot extends Built {
  readonly deadline: number;
}

/**
 * Opens a workspace: looks at the directory. No plugin is loaded, and the sandbox
 * not entered, before the toolset is asked for.
 *
 * @throws {RefraktError} `NOT_FOUND` where the directory does not exist.
 */
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  const cwd = projectRoot(options.cwd ?? ".");
  const budget = options.budget ?? DEFAULT_BUDGET;
  const results = createResultStore(budget);
  const { only } = options;
  const open = (): Project => {
    const found = openProject(cwd, options);
    return only === undefined ? found : { ...found, site: null, warnings: [] };
  };
  let project = open();
  const engine = engineFor(project.code);
  const current = (): Project => {
    if (projectStamp(cwd, project.planDir) !== project.stamp) project = open();
    return project;
  };
  const snapshot = async (deadline: number): Promise<Snapshot> => {
    const built = deadline === Infinity ? toolsets.whole() : toolsets.until(deadline);
    return { ...await built, deadline };
  };
  const inTime = () => snapshot(options.patient ? Infinity : performance.now() + REPORT_MS);
  const base = {
    detection: async () => await detectionOf(await inTime()),
    versions: async () => {
      const { toolset, discovery } = await inTime();
      return detection(toolset, discovery.plugins).versions;
    },
    plugins: async () => (await inTime()).discovery.plugins,
    results,
  };
  const toolsets = createToolsets({
    engine,
    base,
    contributors: options.contributors ?? [],
    only: only?.plugin,
    project: current,
  });
  const detectionOf = async ({ toolset, discovery, deadline }: Snapshot) => {
    const told = discovery.warnings;
    const { sites, warnings } = await siteReports(engine, toolset.project, deadline, told);
    return detection(toolset, discovery.plugins, { sites, warnings });
  };

  return {
    info: { name: only?.name ?? "refrakt", title: only?.title ?? "refrakt", version: VERSION },
    results,
    budget,
    project: current,
    instructions: (spell) => only?.instructions ?? instructionsFor(current(), spell),
    contentStamp: () => {
      const { plan } = current();
      return plan === null ? "" : planStamp(cwd, plan.path);
    },
    toolset: async () => (await (options.patient ? toolsets.whole() : toolsets.listed())).toolset,
    wholeToolset: async () => (await toolsets.whole(true)).toolset,
    warm: async () => {
      // The lists that a client asks for first are not held up.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { toolset, discovery } = await toolsets.whole();
      const { warmAll } = await import("./contributions.ts");
      await warmAll(toolset.project, discovery);
      if (toolset.project.site !== null) await engine.warm(toolset.project);
    },
    detection: async () => await detectionOf(await snapshot(Infinity)),
    plugins: async () => (await toolsets.whole()).discovery.plugins,
  };
}
