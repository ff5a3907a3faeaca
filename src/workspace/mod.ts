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
import { engineFor } from "../site/engine/isolated.ts";
import type { Contributor } from "../tools/contribution.ts";
import { createResultStore } from "../tools/stored_results.ts";
import type { Toolset } from "../tools/registry.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";
import { type Built, createBuilds } from "./builds.ts";
import { detection } from "./detect.ts";
import { diagnoseSites, noteFolders } from "./diagnosis.ts";
import { instructionsFor } from "./instructions.ts";

/** How long after the plugins are there the work in advance begins, in milliseconds. */
const WARM_UP_DELAY_MS = 300;

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
  let project = openProject(cwd, options);
  const engine = engineFor(project.code);
  const current = (): Project => {
    if (projectStamp(cwd, project.planDir) !== project.stamp) project = openProject(cwd, options);
    return project;
  };
  const soFar = () => options.patient ? builds.whole() : builds.soFar();
  const wholeDetection = async () => await detectionOf(await builds.whole(), undefined);
  const base = {
    detection: async () => {
      if (options.patient) return await wholeDetection();
      const asked = performance.now();
      const built = await builds.soFar();
      // What held the plugins up holds the sites up as well: it is not waited for twice.
      const isSlow = isUnfinished(built.toolset);
      return await detectionOf(built, isSlow ? asked : performance.now());
    },
    versions: async () => {
      const { toolset, discovery } = await soFar();
      return detection(toolset, discovery.plugins).versions;
    },
    plugins: async () => (await soFar()).discovery.plugins,
    results,
  };
  const builds = createBuilds({
    engine,
    base,
    contributors: options.contributors ?? [],
    project: current,
  });
  const detectionOf = async ({ toolset, discovery }: Built, asked: number | undefined) => {
    noteFolders(discovery.plugins);
    const checked = await Promise.all(
      discovery.plugins.map(async (found) => await found.check?.()),
    );
    const told = discovery.warnings;
    const { sites, warnings } = await diagnoseSites(engine, toolset.project, asked, told);
    return detection(toolset, discovery.plugins, {
      sites,
      warnings: [...checked.flatMap((found) => found ?? []), ...warnings],
    });
  };

  return {
    info: { name: "refrakt", title: "refrakt", version: VERSION },
    results,
    budget,
    project: current,
    instructions: () => instructionsFor(current()),
    contentStamp: () => {
      const { plan } = current();
      return plan === null ? "" : planStamp(cwd, plan.path);
    },
    toolset: async () => (await soFar()).toolset,
    wholeToolset: async () => (await builds.whole(true)).toolset,
    warm: async () => {
      const { toolset, discovery } = await builds.whole();
      // The lists that a client asks for first are not held up.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { warmAll } = await import("./plugins.ts");
      await warmAll(toolset.project, discovery.plugins);
      if (toolset.project.site !== null) await engine.warm(toolset.project);
    },
    detection: wholeDetection,
    plugins: async () => (await builds.whole()).discovery.plugins,
  };
}

function isUnfinished({ warnings }: Toolset): boolean {
  return warnings.some(({ code }) => code === "PLUGINS_LOADING");
}
