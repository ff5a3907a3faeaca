/**
 * Puts a project and its contributors together, and keeps the toolset current.
 *
 * @module
 */

import { siteViews } from "../../plugins/board/mod.ts";
import type { Discovery, RunningDiscovery } from "../plugin_host/discover.ts";
import { preparePackageFacts } from "../npm/facts.ts";
import { takesFromDisk } from "../npm/disk.ts";
import { launchWarnings } from "../npm/launch.ts";
import { carriedWarnings } from "../npm/versions.ts";
import {
  openProject,
  type Project,
  type ProjectOptions,
  projectRoot,
  projectStamp,
  type Warning,
} from "../project/project.ts";
import { planStamp } from "../project/plan.ts";
import type { PluginWorkers } from "../plugin_host/isolated.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import { engineFor } from "../site/engine/isolated.ts";
import type { Contribution, Contributor } from "../tools/contribution.ts";
import { createResultStore } from "../tools/stored_results.ts";
import { buildToolset, type Toolset } from "../tools/registry.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";
import { detection } from "./detect.ts";
import { diagnoseSites, noteFolders } from "./diagnosis.ts";
import { instructionsFor } from "./instructions.ts";
import { soon } from "./soon.ts";

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
}

/** Without a site its tools have nothing to list, and are not loaded before somebody asks for it. */
const NO_SITE: { siteContributor(engine: SiteEngine): Contributor } = {
  siteContributor: () => () => ({}),
};

/** A toolset, and the plugins that it was made with. */
interface Built {
  readonly toolset: Toolset;
  readonly discovery: Discovery;
}

/** A build that goes on. */
interface Build {
  readonly project: Project;
  /** When it began, by `performance.now()`. */
  readonly started: number;
  /** With every plugin. */
  readonly whole: Promise<Built>;
  /** With those that have arrived; `undefined` as long as nothing can be said. */
  soFar(): Promise<Built> | undefined;
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
  let workers: PluginWorkers | undefined;
  let project = openProject(cwd, options);
  const engine = engineFor(project.code);
  const builds = new Map<boolean, Build>();

  const current = (): Project => {
    if (projectStamp(cwd, project.planDir) !== project.stamp) project = openProject(cwd, options);
    return project;
  };
  const baseSource = {
    detection: async () => {
      const asked = performance.now();
      const built = await builtSoFar();
      // What held the plugins up holds the sites up as well: it is not waited for twice.
      const isSlow = isUnfinished(built.toolset);
      return await detectionOf(built, isSlow ? asked : performance.now());
    },
    versions: async () => {
      const { toolset, discovery } = await builtSoFar();
      return detection(toolset, discovery.plugins).versions;
    },
    plugins: async () => (await builtSoFar()).discovery.plugins,
    results,
  };
  const build = (now: Project, everything: boolean): Build => {
    let running: RunningDiscovery | undefined;
    let assemble: ((discovery: Discovery) => Promise<Built>) | undefined;
    const start = async () => {
      ({ running, assemble } = await begin(now, everything));
      return { running, assemble };
    };
    const whole = start().then(async ({ running, assemble }) => await assemble(await running.done));
    return {
      project: now,
      started: performance.now(),
      whole,
      soFar: () => running && assemble?.(running.soFar()),
    };
  };
  const begin = async (now: Project, everything: boolean) => {
    // Before the first plugin is imported, and not before the client has its first answer.
    const { enterSandbox } = await import("../sandbox/mod.ts");
    enterSandbox(cwd);
    const [
      { baseContribution },
      { siteContributor },
      { contributionBeside, discoverAll },
      { offers },
    ] = await Promise.all([
      import("./base.ts"),
      everything || now.site !== null ? import("../site/mod.ts") : NO_SITE,
      import("./plugins.ts"),
      import("./offers.ts"),
    ]);
    await preparePackageFacts(now);
    if (now.code.isolate) {
      workers ??= (await import("../plugin_host/isolated.ts")).createPluginWorkers();
      // Another thread: it takes nothing from the first answers. Its failures are told when it is asked.
      if (now.site !== null && !everything) engine.warm(now).catch(() => {});
    }
    const offered = everything ? [] : await offers(now, async () => (await built(true)).toolset);
    const fixed: Contribution[] = [
      baseContribution(baseSource),
      await siteContributor(engine)(now),
      { resources: siteViews },
      ...offered,
    ];
    const launch = [...await carriedWarnings(now), ...launchWarnings(now)];
    for (const contributor of options.contributors ?? []) fixed.push(await contributor(now));
    // As long as a package is being downloaded, the runtime imports nothing else, not even a
    // module of this server: what the lists need has to be there before.
    const running = discoverAll(now, everything, workers);
    const assemble = (discovery: Discovery): Promise<Built> => {
      const pending = running.pending();
      const plugins = discovery.plugins.map((found) => contributionBeside(found, offered));
      const warnings = [...discovery.warnings, ...launch, ...loadingWarning(pending)];
      const [base, site, ...rest] = fixed;
      const contributions = [base!, site!, ...plugins, { warnings }, ...rest];
      return Promise.resolve({ toolset: buildToolset(now, contributions), discovery });
    };
    return { running, assemble };
  };
  /** The build for the project as it is now: of what applies, or of everything. */
  const buildOf = (everything: boolean): Build => {
    const now = current();
    const known = builds.get(everything);
    if (known?.project.stamp === now.stamp) return known;
    const entry = build(now, everything);
    builds.set(everything, entry);
    entry.whole.catch(() => {
      if (builds.get(everything) === entry) builds.delete(everything);
    });
    return entry;
  };
  const built = (everything = false): Promise<Built> => buildOf(everything).whole;
  /** The build as it is within a second: what a slow registry holds up joins it later. */
  const builtSoFar = async (): Promise<Built> => {
    const entry = buildOf(false);
    for (;;) {
      const mayStall = () => !takesFromDisk(entry.project);
      const built = await soon(entry.whole, entry.started, mayStall) ?? await entry.soFar();
      if (built !== undefined) return built;
    }
  };
  const detectionOf = async ({ toolset, discovery }: Built, asked: number) => {
    noteFolders(discovery.plugins);
    const checked = await Promise.all(
      discovery.plugins.map(async (found) => await found.check?.()),
    );
    const { sites, warnings } = await diagnoseSites(engine, toolset.project, asked);
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
    toolset: async () => (await builtSoFar()).toolset,
    wholeToolset: async () => (await built(true)).toolset,
    warm: async () => {
      const { toolset, discovery } = await built();
      // The lists that a client asks for first are not held up.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { warmAll } = await import("./plugins.ts");
      await warmAll(toolset.project, discovery.plugins);
      if (toolset.project.site !== null) await engine.warm(toolset.project);
    },
    detection: async () => await detectionOf(await built(), performance.now()),
    plugins: async () => (await built()).discovery.plugins,
  };
}

function isUnfinished({ warnings }: Toolset): boolean {
  return warnings.some(({ code }) => code === "PLUGINS_LOADING");
}

function loadingWarning(pending: readonly string[]): Warning[] {
  if (pending.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still being loaded: ${pending.join(", ")}`,
    hint: "The list changes when they are there; a call of one of their tools waits for them.",
  }];
}
