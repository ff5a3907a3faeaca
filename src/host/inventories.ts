/** Builds inventories: one for each state of the project, with the plugins that have loaded. */

import { loadAdapters } from "../bundled.ts";
import { recordInto } from "../io/reads.ts";
import { waitAtMost } from "../io/wait.ts";
import { startWarnings } from "./start.ts";
import { type Discovery, pluginPackages, startDiscovery } from "./discover.ts";
import type { Project, Warning } from "../plugin/project.ts";
import { enterProject } from "../packages/stand_in_call.ts";
import type { PluginSource } from "../plugin/detection.ts";
import { buildInventory, type Inventory, type Part } from "./inventory.ts";
import type { Contribution } from "../plugin/contribution.ts";
import type { Wait } from "./workspace.ts";
import type { BaseSource } from "./base_tools.ts";
import { builtPart, type Source, SOURCES } from "./sources.ts";

export interface InventoryOptions {
  readonly base: BaseSource;
  /** What an embedding program adds. */
  readonly contribution: Contribution | undefined;
  /** The source that is served alone. */
  readonly only: Source | undefined;
  project(): Project;
}

/** How long lists wait for plugins whose commands only their modules know, in milliseconds. */
const LIST_WAIT_MS = 3000;

/** Delay of loading after a list, in milliseconds: clients request several lists. */
const LOAD_DELAY_MS = 50;

/** How long after a failed download calls and lists retry, in milliseconds. */
const CALL_RETRY_MS = 5000;
const LIST_RETRY_MS = 60_000;

/** Returns the function that answers what there is; nothing is loaded before the first question. */
export function createInventory(options: InventoryOptions): (wait: Wait) => Promise<Inventory> {
  let current: Build | undefined;
  const buildOf = (retryAfterMs: number): Build => {
    const project = options.project();
    const isCurrent = current?.project === project;
    if (isCurrent && performance.now() - current!.failedAt < retryAfterMs) return current!;
    enterProject(project.cwd);
    return current = new Build(project, options);
  };
  return async (wait) => {
    const isList = wait === "tools" || wait === "lists";
    const build = buildOf(isList ? LIST_RETRY_MS : CALL_RETRY_MS);
    await build.chooseVersions();
    if (isList) return wait === "tools" && build.builtList() || await build.lists();
    if (wait === "calls") return await build.whole();
    return wait === "all" ? await build.everything() : await build.with(wait.name);
  };
}

/** The inventory of one state of the project. */
class Build {
  /** When a plugin failed that may load later, by `performance.now()`. */
  failedAt = Infinity;
  readonly #started = performance.now();
  readonly #sources: readonly Source[];
  /** The versions that are listed of sources that have several, by name. */
  readonly #versions = new Map<string, string>();
  /** The imported sources, by name. */
  readonly #code = new Map<string, Contribution>();
  readonly #imports = new Map<string, Promise<void>>();
  #discovery: Promise<Discovery> | undefined;
  #whole: Promise<Inventory> | undefined;
  /** Lists until every plugin has loaded: what comes later is one change. */
  #first: Inventory | undefined;
  /** Loads all plugins after a list. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly project: Project, readonly options: InventoryOptions) {
    this.#sources = options.only === undefined ? SOURCES : [options.only];
  }

  /** The list of tools as the build of this package knows it, if nobody else adds any. */
  builtList(): Inventory | undefined {
    if (this.#discovery !== undefined || this.options.contribution !== undefined) return undefined;
    const isKnown = this.#sources.every((source) => this.#builtPart(source) !== undefined) &&
      this.#packages().keys().every((name) => this.#isOurs(name));
    if (!isKnown) return undefined;
    setTimeout(() => void this.lists().catch(() => {}), LOAD_DELAY_MS);
    return this.#assemble();
  }

  async lists(): Promise<Inventory> {
    const discovery = await this.#discover();
    const waitMs = Math.max(0, this.#started + LIST_WAIT_MS - performance.now());
    await waitAtMost(waitMs, discovery.listable, () => {});
    if (discovery.pending().length === 0) return await this.whole();
    this.#timer ??= setTimeout(() => void this.whole().catch(() => {}), LOAD_DELAY_MS);
    return this.#first ??= this.#assemble(discovery);
  }

  whole(): Promise<Inventory> {
    return this.#whole ??= this.#load((discovery) => discovery.whole()).catch((error) => {
      this.#whole = undefined;
      throw error;
    });
  }

  /** With a source or package that the project may not have. */
  async with(name: string): Promise<Inventory> {
    const source = this.#sources.find((each) => each.name === name);
    if (source !== undefined) await this.#import(source);
    return await this.#load(async (discovery) => {
      if (source === undefined) await discovery.load(name);
    });
  }

  /** With all that does not apply to the project, for the reason why it does not. */
  async everything(): Promise<Inventory> {
    await Promise.all(this.#sources.map((source) => this.#import(source)));
    await this.whole();
    const packages = this.#sources.flatMap(({ packageName }) => packageName ?? []);
    return await this.#load(async (discovery) => {
      for (const name of packages) await discovery.load(name);
    });
  }

  async #load(work: (discovery: Discovery) => Promise<void>): Promise<Inventory> {
    const discovery = await this.#discover();
    await recordInto(this.project.reads, () => work(discovery));
    const { warnings } = discovery.loaded();
    if (warnings.some(({ retry }) => retry)) this.failedAt = performance.now();
    return this.#assemble(discovery);
  }

  async chooseVersions(): Promise<void> {
    for (const source of this.#sources) {
      if (source.version === undefined || this.#versions.has(source.name)) continue;
      const { project } = this;
      const version = await recordInto(project.reads, () => source.version!(project));
      this.#versions.set(source.name, version);
    }
  }

  #builtPart(source: Source): Part | undefined {
    return builtPart(source, this.#versions.get(source.name));
  }

  #import(source: Source): Promise<void> {
    const { project, options } = this;
    const importing = this.#imports.getOrInsertComputed(source.name, async () => {
      const version = this.#versions.get(source.name);
      const load = () => source.load(project, options.base, version);
      this.#code.set(source.name, await recordInto(project.reads, load));
    });
    // The next request retries.
    importing.catch(() => this.#imports.delete(source.name));
    return importing;
  }

  #discover(): Promise<Discovery> {
    return this.#discovery ??= this.#startDiscovery().catch((error) => {
      this.#discovery = undefined;
      throw error;
    });
  }

  /** Imports what lists need first: during a download, Deno imports nothing else. */
  async #startDiscovery(): Promise<Discovery> {
    const { project, options } = this;
    const needed = this.#sources.filter((source) =>
      source.applies(project) || this.#builtPart(source) === undefined
    );
    await Promise.all(needed.map((source) => this.#import(source)));
    if (options.contribution !== undefined) {
      (await import("../packages/stand_ins.ts")).installStandIns();
    }
    const adapters = options.only === undefined ? await loadAdapters() : [];
    return recordInto(project.reads, () => startDiscovery(project, this.#packages(), adapters));
  }

  #packages(): Map<string, PluginSource> {
    return this.options.only === undefined ? pluginPackages(this.project) : new Map();
  }

  #isOurs(packageName: string): boolean {
    return this.#sources.some((source) => source.packageName === packageName);
  }

  #assemble(discovery?: Discovery): Inventory {
    const { project, options } = this;
    const { plugins = [], warnings = [] } = discovery?.loaded() ?? {};
    const ours = this.#sources.flatMap((source): Part[] => {
      const { name, packageName } = source;
      const adapted = plugins.find((plugin) => plugin.packageName === packageName);
      const code = this.#code.get(name);
      const part = adapted?.contribution ??
        (code === undefined ? this.#builtPart(source) : { ...code, waitsFor: packageName });
      if (part === undefined) return [];
      return [source.applies(project) ? part : { ...part, tables: [] }];
    });
    const others = plugins.filter(({ packageName }) => !this.#isOurs(packageName));
    const loading = discovery?.pending() ?? [...this.#packages().keys()];
    return buildInventory(project, [
      { warnings: [...warnings, ...loadingWarning(loading)] },
      ...ours,
      ...others.map(({ contribution }) => contribution),
      options.only === undefined
        ? { warnings: startWarnings(project) }
        : { resources: [options.base.results.resource] },
      options.contribution ?? {},
    ], plugins);
  }
}

/** Says which packages are still loading. */
function loadingWarning(pending: readonly string[]): Warning[] {
  if (pending.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still loading: ${pending.join(", ")}`,
    hint: "Calls of their tools wait for them; clients are notified when the list changes.",
  }];
}
