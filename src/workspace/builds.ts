/**
 * Builds the toolset of a project as it is now: once for each state of the project, with
 * the plugins that have arrived, and in the end with all of them.
 *
 * @module
 */

import { siteViews } from "../../plugins/board/mod.ts";
import { anyWaits, importsAreHeld } from "../io/imports.ts";
import { within } from "../io/within.ts";
import { takesFromDisk } from "../npm/installed.ts";
import { launchWarnings } from "../npm/launch.ts";
import { carriedWarnings } from "../npm/versions.ts";
import type { Discovery, RunningDiscovery } from "../plugin_host/discover.ts";
import type { PluginWorkers } from "../plugin_host/isolated.ts";
import type { Project, Warning } from "../project/project.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import type { Contribution, Contributor } from "../tools/contribution.ts";
import { buildToolset, type Toolset } from "../tools/registry.ts";
import type { BaseSource } from "./base.ts";
import { soon } from "./soon.ts";

/** A toolset, and the plugins that it was made with. */
export interface Built {
  readonly toolset: Toolset;
  readonly discovery: Discovery;
}

/** What toolsets are made of. */
export interface BuildSource {
  /** What the tools of the sites ask. */
  readonly engine: SiteEngine;
  /** What the tools ask that every project has. */
  readonly base: BaseSource;
  /** Contributors of an embedding program. */
  readonly contributors: readonly Contributor[];
  /** The project as it is now. */
  project(): Project;
}

/** The toolsets of a project. */
export interface Builds {
  /** The one with every plugin; `everything` also with what does not apply to the project. */
  whole(everything?: boolean): Promise<Built>;
  /** The one that can be had within a second: what a slow registry holds up joins it later. */
  soFar(): Promise<Built>;
}

/** A build that goes on. */
interface Build {
  readonly project: Project;
  /** When it began, by `performance.now()`. */
  readonly started: number;
  /** With every plugin. */
  readonly whole: Promise<Built>;
  /** The same; `undefined` where that does not come soon. Whoever asks waits for the one answer. */
  soon?: Promise<Built | undefined>;
  /** Asks whether what it loads has to be downloaded. */
  isDownloading(): Promise<boolean>;
  /** How long what could not be had is left alone, in milliseconds. */
  readonly restMs: number;
  /** When it is tried again, by `performance.now()`. */
  retryAt: number;
  /** The build that tries it again, as long as it goes on. */
  again?: Promise<unknown>;
  /** With those that have arrived; `undefined` as long as nothing can be said. */
  soFar(): Built | undefined;
}

/** A build whose plugins are being loaded. */
interface Begun {
  readonly running: RunningDiscovery;
  /** Where plugins of other publishers are loaded. */
  readonly workers: PluginWorkers | undefined;
  /** Puts the plugins that were found together with the rest. */
  assemble(discovery: Discovery): Built;
}

/** How long a build that was not waited for is looked at again, in milliseconds. */
const LOOK_MS = 50;

/** How long what could not be had for want of a network is left alone at first, in milliseconds. */
const REST_MS = 2000;

/** How long at the most. Each time in vain doubles it. */
const MOST_REST_MS = 300_000;

/** How long a call of a tool that is missing waits for its plugin to be tried again, in milliseconds. */
const AGAIN_MS = 3000;

/** Without a site its tools have nothing to list, and are not loaded before somebody asks for it. */
const NO_SITE: { siteContributor(engine: SiteEngine): Contributor } = {
  siteContributor: () => () => ({}),
};

/** Prepares the toolsets of a project. Nothing is loaded before one is asked for. */
export function createBuilds(source: BuildSource): Builds {
  const builds = new Map<boolean, Build>();
  let workers: Promise<PluginWorkers> | undefined;
  const tools: Tools = {
    workers: () => workers ??= newWorkers(),
    wholeToolset: async () => (await buildOf(true).whole).toolset,
  };
  const buildOf = (everything: boolean): Build => {
    const project = source.project();
    const known = builds.get(everything);
    if (known?.project.stamp === project.stamp) {
      if (performance.now() >= known.retryAt) retry(known, everything);
      return known;
    }
    const build = start(source, project, everything, tools);
    builds.set(everything, build);
    build.whole.catch(() => {
      if (builds.get(everything) === build) builds.delete(everything);
    });
    return build;
  };
  /** Builds again in the background; answers are those of the build before until it is there. */
  const retry = (known: Build, everything: boolean) => {
    known.retryAt = Infinity;
    const restMs = Math.min(known.restMs * 2, MOST_REST_MS);
    const build = start(source, known.project, everything, tools, restMs);
    known.again = build.whole.then(() => {
      if (builds.get(everything) === known) builds.set(everything, build);
    }, () => known.retryAt = performance.now() + restMs);
  };
  return {
    whole: async (everything = false) => {
      const { again } = buildOf(everything);
      if (again !== undefined) await within(again, AGAIN_MS);
      return await buildOf(everything).whole;
    },
    soFar: async () => {
      const build = buildOf(false);
      await (build.soon ??= soon(build.whole, build.started, {
        mayStall: () => !takesFromDisk(build.project),
        isDownloading: build.isDownloading,
      }));
      for (;;) {
        const whole = (await within(build.whole, LOOK_MS))?.value;
        const built = whole ?? build.soFar();
        if (built !== undefined) return built;
      }
    },
  };
}

/** What the builds of one project share. */
interface Tools {
  /** The Workers of its plugins. */
  workers(): Promise<PluginWorkers>;
  /** The toolset with everything that could be had. */
  wholeToolset(): Promise<Toolset>;
}

async function newWorkers(): Promise<PluginWorkers> {
  return (await import("../plugin_host/isolated.ts")).createPluginWorkers();
}

function start(
  source: BuildSource,
  project: Project,
  everything: boolean,
  tools: Tools,
  restMs = REST_MS,
): Build {
  let begun: Begun | undefined;
  const run = async () => {
    begun = await begin(source, project, everything, tools);
    const built = begun.assemble(await begun.running.done);
    const mayComeBack = built.discovery.warnings.some(({ retry }) => retry === true);
    if (mayComeBack) build.retryAt = performance.now() + restMs;
    return built;
  };
  const build: Build = {
    project,
    started: performance.now(),
    whole: run(),
    restMs,
    retryAt: Infinity,
    isDownloading: () =>
      anyWaits([importsAreHeld(), begun?.workers?.isDownloading() ?? Promise.resolve(false)]),
    soFar: () => begun?.assemble(begun.running.soFar()),
  };
  return build;
}

/** Loads what the lists need, and begins to load the plugins. */
async function begin(
  { engine, base, contributors }: BuildSource,
  project: Project,
  everything: boolean,
  tools: Tools,
): Promise<Begun> {
  // Before the first plugin is imported, and not before the client has its first answer.
  const { enterSandbox } = await import("../sandbox/mod.ts");
  enterSandbox(project.cwd);
  const [
    { baseContribution },
    { siteContributor },
    { contributionBeside, discoverAll },
    { offers },
  ] = await Promise.all([
    import("./base.ts"),
    everything || project.site !== null ? import("../site/mod.ts") : NO_SITE,
    import("./plugins.ts"),
    import("./offers.ts"),
  ]);
  let workers: PluginWorkers | undefined;
  if (project.code.isolate) {
    workers = await tools.workers();
    // It runs in another thread, and does not delay the first answers. Its failures are reported
    // when it is asked.
    if (project.site !== null && !everything) engine.warm(project).catch(() => {});
  }
  const offered = everything ? [] : await offers(project, tools.wholeToolset);
  const first = [baseContribution(base), await siteContributor(engine)(project)];
  const last: Contribution[] = [{ resources: siteViews }, ...offered];
  const launch = [...await carriedWarnings(project), ...await launchWarnings(project)];
  for (const contributor of contributors) last.push(await contributor(project));
  // As long as a package is being downloaded, the runtime imports nothing else, not even a
  // module of this server: what the lists need has to be there before.
  const running = discoverAll(project, everything, workers);
  return {
    running,
    workers,
    assemble: (discovery) => {
      const plugins = discovery.plugins.map((found) => contributionBeside(found, offered));
      const warnings = [...discovery.warnings, ...launch, ...loadingWarning(running.pending())];
      const toolset = buildToolset(project, [...first, ...plugins, { warnings }, ...last]);
      return { toolset, discovery };
    },
  };
}

function loadingWarning(pending: readonly string[]): Warning[] {
  if (pending.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still being loaded: ${pending.join(", ")}`,
    hint: "The list changes when they are there; a call of one of their tools waits for them.",
  }];
}
