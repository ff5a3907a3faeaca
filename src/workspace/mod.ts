/**
 * Puts a project and its contributors together, and keeps the surface current.
 *
 * @module
 */

import type { DiscoveredPlugin } from "../bridge/contract.ts";
import type { Discovery } from "../bridge/discover.ts";
import { carriedWarnings } from "../packages/versions.ts";
import {
  openProject,
  type Project,
  type ProjectOptions,
  projectRoot,
  projectStamp,
} from "../project/project.ts";
import { planStamp } from "../project/plan.ts";
import type { Contribution, Contributor } from "../surface/contribution.ts";
import { createOverflow, type Overflow } from "../surface/overflow.ts";
import { buildSurface, type Surface } from "../surface/registry.ts";
import { DEFAULT_BUDGET } from "../surface/shape.ts";
import type { Workspace } from "../surface/workspace.ts";
import { VERSION } from "../version.ts";
import { type Detection, detection } from "./detect.ts";
import { instructionsFor } from "./instructions.ts";

/** How long listing waits for plugins before it goes on without them, in milliseconds. */
const PATIENCE = 25_000;

/** How long after the plugins are there the work in advance begins, in milliseconds. */
const QUIET = 300;

/** How a workspace is made. */
export interface WorkspaceOptions extends ProjectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
  /** Contributors of an embedding program, after the server's own. */
  readonly contributors?: readonly Contributor[];
  /** The most characters of a result. */
  readonly budget?: number;
}

/** A workspace with what the server's own commands need beside it. */
export interface RefraktWorkspace extends Workspace {
  /** The detection report. */
  detection(): Promise<Detection>;
  /** The plugins of the project. */
  plugins(): Promise<readonly DiscoveredPlugin[]>;
  /** Where long results are kept. */
  readonly overflow: Overflow;
  /** The most characters of a result. */
  readonly budget: number;
}

/** Without a site the core has nothing to list, and is not loaded before somebody asks for it. */
const NO_CORE: { core: Contributor } = { core: () => ({}) };

/** A surface, and the plugins that it was made with. */
interface Built {
  readonly stamp: string;
  readonly surface: Surface;
  readonly discovery: Discovery;
}

/**
 * Opens a workspace: looks at the directory. No plugin is loaded, and the sandbox
 * not entered, before the surface is asked for.
 *
 * @throws {RefraktError} `NOT_FOUND` where the directory does not exist.
 */
export function openWorkspace(options: WorkspaceOptions = {}): RefraktWorkspace {
  const cwd = projectRoot(options.cwd ?? ".");
  const budget = options.budget ?? DEFAULT_BUDGET;
  const overflow = createOverflow(budget);
  let project = openProject(cwd, options);
  const builds = new Map<boolean, { stamp: string; built: Promise<Built> }>();

  const current = (): Project => {
    if (projectStamp(cwd, project.planDir) !== project.stamp) project = openProject(cwd, options);
    return project;
  };
  const baseSource = {
    detection: async () => detectionOf(await built()),
    plugins: async () => (await built()).discovery.plugins,
    overflow,
  };
  const build = async (now: Project, everything: boolean): Promise<Built> => {
    // Before the first plugin is imported, and not before the client has its first answer.
    const { enterSandbox } = await import("../sandbox/mod.ts");
    enterSandbox(cwd);
    const [{ baseContribution }, { core }, { contributionOf, discoverAll }] = await Promise.all([
      import("./base.ts"),
      everything || now.site !== null ? import("../core/mod.ts") : NO_CORE,
      import("./plugins.ts"),
    ]);
    const discovery = await discoverAll(now, everything);
    const contributions: Contribution[] = [baseContribution(baseSource), await core(now)];
    contributions.push(...discovery.plugins.map(contributionOf));
    contributions.push({ warnings: [...discovery.warnings, ...carriedWarnings(now)] });
    for (const contributor of options.contributors ?? []) {
      contributions.push(await contributor(now));
    }
    return { stamp: now.stamp, surface: buildSurface(now, contributions), discovery };
  };
  /** The build for the project as it is now: of what applies, or of everything. */
  const built = (everything = false): Promise<Built> => {
    const now = current();
    const known = builds.get(everything);
    if (known?.stamp === now.stamp) return known.built;
    const entry = { stamp: now.stamp, built: build(now, everything) };
    builds.set(everything, entry);
    entry.built.catch(() => {
      if (builds.get(everything) === entry) builds.delete(everything);
    });
    return entry.built;
  };
  const detectionOf = ({ surface, discovery }: Built) => detection(surface, discovery.plugins);

  return {
    info: { name: "refrakt", title: "refrakt", version: VERSION },
    overflow,
    budget,
    project: current,
    instructions: () => instructionsFor(current()),
    contentStamp: () => {
      const { plan } = current();
      return plan === null ? "" : planStamp(cwd, plan.path);
    },
    surface: async () => {
      const pending = built();
      const patient = await withPatience(pending, PATIENCE);
      return patient?.surface ?? await surfaceWithoutPlugins(current(), baseSource);
    },
    wholeSurface: async () => (await built(true)).surface,
    warm: async () => {
      const { surface, discovery } = await built();
      // The lists that a client asks for first are not held up.
      await new Promise((resolve) => Deno.unrefTimer(Number(setTimeout(resolve, QUIET))));
      const { warmAll } = await import("./plugins.ts");
      await warmAll(surface.project, discovery.plugins);
    },
    detection: baseSource.detection,
    plugins: baseSource.plugins,
  };
}

async function surfaceWithoutPlugins(
  project: Project,
  source: Parameters<typeof import("./base.ts").baseContribution>[0],
): Promise<Surface> {
  const [{ baseContribution }, { core }] = await Promise.all([
    import("./base.ts"),
    import("../core/mod.ts"),
  ]);
  return buildSurface(project, [baseContribution(source), await core(project), {
    warnings: [{
      code: "PLUGINS_LOADING",
      message: "The plugins are still being downloaded",
      hint: "The list changes when they are there; a call waits for them.",
    }],
  }]);
}

/** The value, or `undefined` where it takes longer than one wants to wait. */
async function withPatience<Value>(
  pending: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      pending,
      new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
