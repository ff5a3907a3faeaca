/** Builds toolsets: one for each state of the project, with the plugins that have loaded. */

import { recordInto } from "../io/reads.ts";
import { waitAtMost } from "../io/wait.ts";
import { startWarnings } from "../npm/start.ts";
import { factsOf, loadAdapters } from "../bundled.ts";
import {
  type Discovery,
  INSTALLED_MS,
  type RunningDiscovery,
  startDiscovery,
} from "../plugin_host/discover.ts";
import type { Project } from "../project/project.ts";
import { enterProject } from "../stand_ins/call.ts";
import type { BundledPlugin } from "../tools/adapter.ts";
import { buildToolset, type Contribution, has } from "../tools/registry.ts";
import type { ToolList } from "../tools/workspace.ts";
import type { BaseSource } from "./base_tools.ts";
import { builtList, loadingWarning } from "./built_list.ts";
import type { Built } from "./contributions.ts";

export interface ToolsetSource {
  readonly base: BaseSource;
  readonly contribution: Contribution | undefined;
  /** The bundled plugin that is served alone. */
  readonly only: BundledPlugin | undefined;
  project(): Project;
}

export interface Toolsets {
  /** With every plugin; `everything` includes what does not apply to the project. */
  whole(everything?: boolean): Promise<Built>;
  /** For lists: downloaded plugins, and those listed without loading, join later. */
  listed(): Promise<Built>;
  /** For the list of tools, which may be known before they are loaded. */
  toolList(): Promise<ToolList>;
  until(deadline: number): Promise<Built>;
}

/** The toolset of one state of the project. */
interface Build {
  readonly project: Project;
  /** When it began, by `performance.now()`. */
  readonly started: number;
  /** Rejects if it cannot be built. */
  readonly begun: Promise<Begun>;
  whole?: Promise<Built>;
  /** When a plugin failed that may load later, by `performance.now()`. */
  failedAt: number;
  /** Loads all plugins after a list. */
  timer?: ReturnType<typeof setTimeout>;
}

interface Begun {
  readonly running: RunningDiscovery;
  assemble(discovery: Discovery): Built;
}

/** Delay of loading after a list, in milliseconds: clients request several lists. */
const LOAD_DELAY_MS = 50;

/** How long after a failed download calls and lists retry, in milliseconds. */
const CALL_RETRY_MS = 5000;
const LIST_RETRY_MS = 60_000;

/** Creates the toolsets; nothing is loaded before the first request. */
export function createToolsets(source: ToolsetSource): Toolsets {
  const builds = new Map<boolean, Build>();
  const buildOf = (everything: boolean, retryAfterMs: number): Build => {
    const project = source.project();
    const known = builds.get(everything);
    const isCurrent = known?.project === project;
    if (isCurrent && performance.now() - known.failedAt < retryAfterMs) return known;
    // Without a plan, only `everything` includes its plugin.
    const withPlan = () => whole(source.project().plan === null);
    const begun = recordInto(
      project.reads,
      () => begin(source, project, everything, withPlan),
    );
    const build = { project, started: performance.now(), begun, failedAt: Infinity };
    builds.set(everything, build);
    // The next request retries.
    begun.catch(() => {
      if (builds.get(everything) === build) builds.delete(everything);
    });
    return build;
  };
  const whole = (everything = false) => wholeOf(buildOf(everything, CALL_RETRY_MS));
  const listed = async () => {
    const build = buildOf(false, LIST_RETRY_MS);
    const { running } = await build.begun;
    const waitMs = Math.max(0, build.started + INSTALLED_MS - performance.now());
    await waitAtMost(waitMs, running.installed, () => {});
    build.timer ??= setTimeout(() => void wholeOf(build).catch(() => {}), LOAD_DELAY_MS);
    return await soFar(build);
  };
  const isOwn = source.only === undefined && source.contribution === undefined;
  return {
    whole,
    listed,
    toolList: async () => {
      const project = source.project();
      const isBegun = builds.get(false)?.project === project;
      const list = isBegun || !isOwn ? undefined : await builtList(project);
      if (list === undefined) return (await listed()).toolset;
      setTimeout(() => void listed().catch(() => {}), LOAD_DELAY_MS);
      return list;
    },
    until: async (deadline) => {
      const build = buildOf(false, CALL_RETRY_MS);
      const waitMs = Math.max(0, deadline - performance.now());
      return await waitAtMost(waitMs, wholeOf(build), () => soFar(build));
    },
  };
}

function wholeOf(build: Build): Promise<Built> {
  return build.whole ??= (async () => {
    const { running, assemble } = await build.begun;
    const found = await recordInto(build.project.reads, () => running.whole());
    const built = assemble(found);
    if (built.discovery.warnings.some(({ retry }) => retry)) build.failedAt = performance.now();
    return built;
  })();
}

/** The toolset with the plugins that have loaded. */
async function soFar(build: Build): Promise<Built> {
  const { running, assemble } = await build.begun;
  return running.pending().length === 0 ? await wholeOf(build) : assemble(running.soFar());
}

/** Loads what lists require, and starts loading the plugins. */
async function begin(
  { base, contribution, only }: ToolsetSource,
  project: Project,
  everything: boolean,
  withPlan: () => Promise<Built>,
): Promise<Begun> {
  enterProject(project.cwd);
  if (only !== undefined) {
    const running = startDiscovery(project, { bundled: [only] });
    const results = { resources: [base.results.resource] };
    return assembling(project, running, (plugins) => [...plugins, results]);
  }
  const [adapters, { baseContribution }, site, contributed] = await Promise.all([
    loadAdapters(),
    import("./base_tools.ts"),
    everything || has(project, "site") || has(project, "plugin")
      ? import("../site/mod.ts")
      : undefined,
    import("./contributions.ts"),
  ]);
  const first: Contribution[] = [
    baseContribution(base, project),
    ...site === undefined ? [] : [site.siteContribution(project)],
  ];
  const last: Contribution[] = [];
  if (!everything) last.push(...await contributed.ralphTools(project));
  if (contribution !== undefined) {
    (await import("../stand_ins/mod.ts")).installStandIns();
    last.push(contribution);
  }
  // During a download, Deno imports nothing else, not even modules of this server: import everything
  // that lists require before.
  const listed = await Promise.all(adapters.map(async (adapter) => {
    const version = await factsOf(adapter.packageName).listedVersion(project);
    return { adapter, version };
  }));
  const running = contributed.discoverAll(project, adapters, everything);
  return assembling(project, running, (plugins, discovery) => [
    ...first,
    ...plugins,
    ...listed.flatMap(({ adapter, version }) =>
      contributed.notLoadedYet(adapter, version, project, discovery, withPlan)
    ),
    { warnings: startWarnings(project) },
    ...last,
  ]);
}

function assembling(
  project: Project,
  running: RunningDiscovery,
  around: (plugins: readonly Contribution[], discovery: Discovery) => readonly Contribution[],
): Begun {
  return {
    running,
    assemble: (discovery) => {
      const plugins = discovery.plugins.map(({ contribution }) => contribution);
      const warnings = [...discovery.warnings, ...loadingWarning(running.pending())];
      const toolset = buildToolset(project, [{ warnings }, ...around(plugins, discovery)]);
      return { toolset, discovery };
    },
  };
}
