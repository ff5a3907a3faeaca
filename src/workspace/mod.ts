/** Opens a project with its plugins, and keeps the toolset up to date. */

import {
  openProject,
  type Project,
  type ProjectOptions,
  projectRoot,
  projectStamp,
} from "../project/project.ts";
import { planStamp } from "../project/plan_walk.ts";
import { QuerySession } from "../query/query_session.ts";
import { siteEngine } from "../site/engine/lazy.ts";
import type { BundledPlugin } from "../tools/adapter.ts";
import type { Contributor } from "../tools/registry.ts";
import { createResultStore } from "../tools/stored_results.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";
import type { Built } from "./contributions.ts";
import { detection, versionsOf } from "./detect.ts";
import { instructionsFor } from "./instructions.ts";
import { siteReports } from "./site_reports.ts";
import { createToolsets } from "./toolsets.ts";

/** Delay between the first message and preparing calls, in milliseconds. */
const WARM_UP_DELAY_MS = 300;

/** How long a report waits for plugins and sites, in milliseconds. */
const REPORT_MS = 5000;

export interface WorkspaceOptions extends ProjectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
  /** Contributors of an embedding program. */
  readonly contributors?: readonly Contributor[];
  /** The maximum size of a result, in characters. */
  readonly budget?: number;
  /** Whether lists wait for every package, for callers without notifications. */
  readonly patient?: boolean;
  /** Serves only this plugin. */
  readonly only?: OnlyPlugin;
}

/** A program that serves one bundled plugin. */
export interface OnlyPlugin {
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly plugin: BundledPlugin;
}

/** A toolset, and until when a report waits, by `performance.now()`. */
interface Snapshot extends Built {
  readonly deadline: number;
}

/**
 * Opens a workspace. Plugins load, and the sandbox starts, with the first toolset.
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
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
  const current = (): Project => {
    if (projectStamp(cwd, project.planDir) !== project.stamp) project = open();
    return project;
  };
  const snapshot = async (deadline: number): Promise<Snapshot> => {
    const built = deadline === Infinity ? toolsets.whole() : toolsets.until(deadline);
    return { ...await built, deadline };
  };
  const reported = () => snapshot(options.patient ? Infinity : performance.now() + REPORT_MS);
  const base = {
    detection: async () => await detectionOf(await reported()),
    versions: async () => versionsOf((await reported()).discovery.plugins),
    plugins: async () => (await reported()).discovery.plugins,
    results,
    query: new QuerySession(async () => (await toolsets.whole()).toolset.tables),
  };
  const toolsets = createToolsets({
    base,
    contributors: options.contributors ?? [],
    only: only?.plugin,
    project: current,
  });
  const detectionOf = async ({ toolset, discovery, deadline }: Snapshot) => {
    const report = await siteReports(toolset.project, deadline, discovery.warnings);
    return detection(toolset, discovery.plugins, report);
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
      // The client's first lists go first.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { toolset, discovery } = await toolsets.whole();
      const { warmAll } = await import("./contributions.ts");
      await warmAll(toolset.project, discovery);
      const { project } = toolset;
      if (project.site !== null) await (await siteEngine()).warm({ project });
    },
    detection: async () => await detectionOf(await snapshot(Infinity)),
    plugins: async () => (await toolsets.whole()).discovery.plugins,
  };
}
