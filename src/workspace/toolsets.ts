/**
 * Builds the toolset of a project as it is now: once for each state of the project, with
 * the plugins that have arrived, and in the end with all of them.
 *
 * @module
 */

import { siteViews } from "../../plugins/board/mod.ts";
import { within } from "../io/within.ts";
import { launchWarnings } from "../npm/launch.ts";
import { type Discovery, INSTALLED_MS, type RunningDiscovery } from "../plugin_host/discover.ts";
import type { PluginWorkers } from "../plugin_host/isolated.ts";
import { type BundledPlugin, loadBundled } from "../plugin_host/plugin_loading.ts";
import { pluginContribution } from "../plugin_host/tools.ts";
import type { Project, Warning } from "../project/project.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import type { Contribution, Contributor } from "../tools/contribution.ts";
import { buildToolset, type Toolset } from "../tools/registry.ts";
import type { BaseSource } from "./base_tools.ts";

/** A toolset, and the plugins that it was made with. */
export interface Built {
  readonly toolset: Toolset;
  readonly discovery: Discovery;
}

/** What toolsets are made of. */
export interface ToolsetSource {
  readonly engine: SiteEngine;
  readonly base: BaseSource;
  readonly contributors: readonly Contributor[];
  /** The bundled plugin that is served alone. */
  readonly only: BundledPlugin | undefined;
  project(): Project;
}

/** The toolsets of a project. */
export interface Toolsets {
  /** The one with every plugin; `everything` also with what does not apply to the project. */
  whole(everything?: boolean): Promise<Built>;
  /** The one for lists: plugins that are not installed, or listed without being loaded, join later. */
  listed(): Promise<Built>;
  until(deadline: number): Promise<Built>;
}

/** The toolset of one state of the project, while its plugins load and afterwards. */
interface Build extends Pick<Toolsets, "listed"> {
  readonly project: Project;
  /** Rejects where it cannot be built. */
  readonly begun: Promise<unknown>;
  whole(): Promise<Built>;
  soFar(): Promise<Built>;
  /** When a plugin failed that may load later, by `performance.now()`. */
  failedAt: number;
  /** How long after that a list tries again, in milliseconds. */
  readonly retryAfterMs: number;
}

/** What builds need beside their project. */
interface Shared extends ToolsetSource {
  workers(): Promise<PluginWorkers>;
  /** The toolset that has the plan plugin, once it is loaded. */
  whole(): Promise<Built>;
}

/** How long after a list the other plugins are loaded, in milliseconds: a client asks for several. */
const LOAD_DELAY_MS = 50;

/** How long after a failed download a call tries again, in milliseconds. */
const RETRY_AFTER_MS = 5000;

/** How long at most after it the next list tries again, in milliseconds: each failure doubles it. */
const MOST_RETRY_MS = 300_000;

/** Prepares the toolsets of a project. Nothing is loaded before one is asked for. */
export function createToolsets(source: ToolsetSource): Toolsets {
  const builds = new Map<boolean, Build>();
  let workers: Promise<PluginWorkers> | undefined;
  const shared: Shared = {
    ...source,
    workers: () =>
      workers ??= import("../plugin_host/isolated.ts").then((module) =>
        module.createPluginWorkers()
      ),
    // Without a plan, its plugin is loaded only among everything.
    whole: () => whole(source.project().plan === null),
  };
  const buildOf = (everything: boolean, isCall: boolean): Build => {
    const project = source.project();
    const known = builds.get(everything);
    let retryAfterMs = RETRY_AFTER_MS;
    if (known?.project.stamp === project.stamp) {
      const waitMs = isCall ? RETRY_AFTER_MS : known.retryAfterMs;
      if (performance.now() - known.failedAt < waitMs) return known;
      retryAfterMs = Math.min(known.retryAfterMs * 2, MOST_RETRY_MS);
    }
    const build = startBuild(shared, project, everything, retryAfterMs);
    builds.set(everything, build);
    // A contributor failed: the next request tries again.
    build.begun.catch(() => {
      if (builds.get(everything) === build) builds.delete(everything);
    });
    return build;
  };
  const whole = async (everything = false) => await buildOf(everything, true).whole();
  return {
    whole,
    listed: () => buildOf(false, false).listed(),
    until: async (deadline) => {
      const build = buildOf(false, true);
      const arrived = await within(whole(), Math.max(0, deadline - performance.now()));
      return arrived?.value ?? await build.soFar();
    },
  };
}

function startBuild(
  shared: Shared,
  project: Project,
  everything: boolean,
  retryAfterMs: number,
): Build {
  const started = performance.now();
  const begun = begin(shared, project, everything);
  let built: Promise<Built> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const loadAll = async (): Promise<Built> => {
    const { running, assemble } = await begun;
    const built = assemble(await running.whole());
    if (built.discovery.warnings.some(({ retry }) => retry)) build.failedAt = performance.now();
    return built;
  };
  const build: Build = {
    project,
    failedAt: Infinity,
    retryAfterMs,
    begun,
    whole: () => built ??= loadAll(),
    listed: async () => {
      const { running } = await begun;
      await within(running.installed, Math.max(0, started + INSTALLED_MS - performance.now()));
      timer ??= setTimeout(() => void build.whole().catch(() => {}), LOAD_DELAY_MS);
      return await build.soFar();
    },
    soFar: async () => {
      const { running, assemble } = await begun;
      return running.pending().length === 0 ? await build.whole() : assemble(running.soFar());
    },
  };
  return build;
}

/** A build whose plugins are being loaded. */
interface Begun {
  readonly running: RunningDiscovery;
  assemble(discovery: Discovery): Built;
}

/** Loads what the lists need, and begins to load the plugins. */
async function begin(
  { engine, base, contributors, only, workers, whole }: Shared,
  project: Project,
  everything: boolean,
): Promise<Begun> {
  // Before the first plugin is imported, and not before the client has its first answer.
  const { enterSandbox } = await import("../sandbox/mod.ts");
  enterSandbox(project.cwd);
  if (only !== undefined) return await beginOnly(only, base, project);
  const [{ baseContribution }, site, contributed] = await Promise.all([
    import("./base_tools.ts"),
    everything || project.site !== null ? import("../site/mod.ts") : undefined,
    import("./contributions.ts"),
  ]);
  // It runs in another thread, and does not delay the first answers. Its failures are reported when
  // it is asked.
  if (project.code.isolate && project.site !== null && !everything) {
    engine.warm(project).catch(() => {});
  }
  const first: Contribution[] = [
    baseContribution(base),
    ...site === undefined ? [] : [await site.siteContributor(engine)(project)],
  ];
  const last: Contribution[] = [{ resources: siteViews }];
  if (!everything) last.push(...await contributed.ralphStart(project));
  const launch = await launchWarnings(project);
  for (const contributor of contributors) last.push(await contributor(project));
  // As long as a package is being downloaded, the runtime imports nothing else, not even a
  // module of this server: what the lists need has to be there before.
  const running = contributed.discoverAll(
    project,
    everything,
    project.code.isolate ? await workers() : undefined,
  );
  return {
    running,
    assemble: (discovery) => {
      const plugins = discovery.plugins.map(contributed.contributionOf);
      const listed = contributed.notLoadedYet(project, discovery, whole);
      const warnings = [...discovery.warnings, ...launch, ...loadingWarning(running.pending())];
      const toolset = buildToolset(project, [
        ...first,
        ...plugins,
        ...listed,
        { warnings },
        ...last,
      ]);
      return { toolset, discovery };
    },
  };
}

/** One bundled plugin, whatever the project has. */
async function beginOnly(
  only: BundledPlugin,
  { results }: BaseSource,
  project: Project,
): Promise<Begun> {
  const { plugin, warnings } = await loadBundled(only);
  const discovery = { plugins: plugin === undefined ? [] : [plugin], warnings };
  const toolset = buildToolset(project, [
    ...discovery.plugins.map((found) => pluginContribution(found)),
    { resources: [results.resource], warnings },
  ]);
  return {
    running: {
      installed: Promise.resolve(),
      whole: () => Promise.resolve(discovery),
      soFar: () => discovery,
      pending: () => [],
    },
    assemble: () => ({ toolset, discovery }),
  };
}

function loadingWarning(pending: readonly string[]): Warning[] {
  if (pending.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still being loaded: ${pending.join(", ")}`,
    hint: "A call of one of their tools waits for them; other tools join the list.",
  }];
}
