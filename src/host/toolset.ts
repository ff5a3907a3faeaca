/** The inventory of a project, with the plugins that have loaded. */

import { lazily } from "../io/lazily.ts";
import { recordInto } from "../io/reads.ts";
import { waitAtMost } from "../io/turns.ts";
import { outsideCalls } from "../packages/stand_in_call.ts";
import type { Entries, Plugin } from "../plugin/plugin.ts";
import type { Project } from "../plugin/project.ts";
import type { Tool } from "../plugin/tool.ts";
import { BUILT_TOOLS } from "./built_tools.ts";
import { startWarnings } from "./start.ts";
import { type LoadedPlugins, NO_PLUGIN, pluginPackages, startDiscovery } from "./discover.ts";
import { buildInventory, type Inventory, isActive, type PluginEntries } from "./inventory.ts";

/**
 * What an inventory waits for: `known` only for bundled declarations; `tools` also some seconds for
 * plugins of npm; `lists` also for resources and prompts; `all` for every plugin of the project;
 * `everything` also for bundled plugins that the project does not use.
 */
export type Wait = "known" | "tools" | "lists" | "all" | "everything";

interface ToolsetOptions {
  /** The plugins that are served besides those of npm. */
  readonly plugins: readonly Plugin[];
  /** Whether some are those of an embedding program, whose code gets the stand-ins, too. */
  readonly isEmbedded: boolean;
  /** Whether the project's plugins of npm are served. */
  readonly hasNpm: boolean;
  project(): Project;
}

/** How long lists wait for plugins whose commands only their modules know, in milliseconds. */
const LIST_WAIT_MS = 3000;

/** Delay of loading after a list, in milliseconds: clients request several lists. */
const LOAD_DELAY_MS = 50;

/** How long after a failed download calls and lists retry, in milliseconds. */
const CALL_RETRY_MS = 5000;
const LIST_RETRY_MS = 60_000;

/** The toolset of the current state of a project; nothing is loaded before the first list or call. */
export function currentToolset(options: ToolsetOptions) {
  let current: Toolset | undefined;
  return (isList: boolean) => {
    const project = options.project();
    const retryAfterMs = isList ? LIST_RETRY_MS : CALL_RETRY_MS;
    const hasFailed = current !== undefined && performance.now() - current.failedAt >= retryAfterMs;
    if (current?.project === project && !hasFailed) return current;
    return current = new Toolset(project, options);
  };
}

/** The key of what the build knows of a plugin's tools. */
export function builtKey({ name }: Plugin, variant: string): string {
  return variant === "" ? name : `${name} ${variant}`;
}

class Toolset {
  /** When a download failed that may succeed later, by `performance.now()`. */
  failedAt = Infinity;
  readonly #started = performance.now();
  readonly #variants = new Map<Plugin, string | Promise<string>>();
  readonly #imports = new Map<string, ReturnType<typeof entriesOf>>();
  readonly #packages: ReturnType<typeof pluginPackages>;
  readonly #discover = lazily(() => this.#startDiscovery());
  /** Loads the project's plugins of npm, and the packages that ours work with. */
  readonly #loadAll = lazily(() => this.#load());
  #discovery: ReturnType<typeof startDiscovery> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The plugins of the first list. Those that load later are one change of the lists. */
  #first: LoadedPlugins | undefined;
  /** The inventories, until another plugin has loaded. */
  readonly #answers = new Map<Wait, Promise<Inventory>>();

  constructor(readonly project: Project, readonly options: ToolsetOptions) {
    const packages = () => options.hasNpm ? pluginPackages(project, options.plugins) : new Map();
    this.#packages = recordInto(project.reads, packages);
  }

  /** Returns the inventory, after waiting for what is asked. */
  async inventory(wait: Wait): Promise<Inventory> {
    try {
      if (wait === "all" || wait === "everything") await this.#loadAll();
      else if (wait !== "known") await this.#waitForList();
      return await this.#answers.getOrInsertComputed(wait, () => this.#assemble(wait));
    } catch (error) {
      this.failedAt = -Infinity;
      throw error;
    }
  }

  /** The tool of an inventory, with its code. */
  async toolOf(inventory: Inventory, name: string): Promise<Tool | undefined> {
    const listed = inventory.findTool(name);
    if (listed === undefined) return undefined;
    const { tools } = await this.#import(inventory.ownerOf(listed));
    return tools.find((tool) => tool.name === listed.name);
  }

  async #waitForList(): Promise<void> {
    const worked = this.options.plugins.flatMap((plugin) => plugin.package?.name ?? []);
    // Packages whose commands only their modules know.
    if (this.#packages.keys().some((name) => !worked.includes(name))) {
      const { listable } = await this.#discover();
      const waitMs = Math.max(0, this.#started + LIST_WAIT_MS - performance.now());
      await waitAtMost(waitMs, listable, () => {});
    }
    this.#timer ??= setTimeout(() => this.#loadAll().catch(() => {}), LOAD_DELAY_MS);
  }

  async #load(): Promise<void> {
    const discovery = await this.#discover();
    const { cwd, reads } = this.project;
    await recordInto(reads, () => outsideCalls(cwd, () => discovery.whole()));
    if (discovery.loaded().warnings.some(({ retry }) => retry)) this.failedAt = performance.now();
    this.#variants.clear();
    this.#answers.clear();
  }

  async #startDiscovery() {
    const { project, options } = this;
    // During a download, Deno imports nothing else.
    const active = options.plugins.filter((plugin) => isActive(project, plugin));
    await Promise.all(active.map((plugin) => this.#import(plugin)));
    if (options.isEmbedded) (await import("../packages/stand_ins.ts")).installStandIns();
    const start = () => startDiscovery(project, this.#packages, options.plugins);
    return this.#discovery = recordInto(project.reads, () => outsideCalls(project.cwd, start));
  }

  /** The state of a plugin's declarations: a loaded package may declare other values. */
  async #variantOf(plugin: Plugin): Promise<string> {
    return await this.#variants.getOrInsertComputed(plugin, () => {
      const variant = () => plugin.variants?.of(this.project) ?? "";
      return recordInto(this.project.reads, variant);
    });
  }

  async #import(plugin: Plugin) {
    const variant = await this.#variantOf(plugin);
    return await this.#imports.getOrInsertComputed(builtKey(plugin, variant), () => {
      const work = () => entriesOf(plugin, this.project, variant);
      return recordInto(this.project.reads, work).finally(() => this.#answers.clear());
    });
  }

  async #assemble(wait: Wait): Promise<Inventory> {
    const { project, options } = this;
    const pending = this.#discovery?.pending() ?? [...this.#packages.keys()];
    const isPart = (wait === "tools" || wait === "lists") && this.#discovery && pending.length > 0;
    const loaded = this.#discovery?.loaded() ?? NO_PLUGIN;
    const { plugins: npm, warnings: [...warnings] } = isPart ? this.#first ??= loaded : loaded;
    if (pending.length > 0) {
      warnings.push({
        code: "PLUGINS_LOADING",
        message: `Still loading: ${pending.join(", ")}`,
        hint: "Calls of their tools wait for them; clients are notified when the list changes.",
      });
    }
    if (options.hasNpm) warnings.push(...startWarnings(project));
    const entries = [...options.plugins, ...npm.map(({ plugin }) => plugin)]
      .map((plugin) => this.#entriesFor(plugin, wait));
    return buildInventory(project, await Promise.all(entries), npm, warnings);
  }

  /** The declarations of a plugin; lists of tools use those of the build, without an import. */
  async #entriesFor(plugin: Plugin, wait: Wait): Promise<PluginEntries> {
    const key = builtKey(plugin, await this.#variantOf(plugin));
    const built = BUILT_TOOLS[key];
    const isNeeded = this.#imports.has(key) || wait === "everything" ||
      (wait === "lists" || wait === "all") && isActive(this.project, plugin);
    if (built === undefined || isNeeded) return await this.#import(plugin);
    return { plugin, tools: JSON.parse(built) };
  }
}

/** The declarations of a plugin, imported if they are functions. */
export async function entriesOf(plugin: Plugin, project: Project, variant: string) {
  const read = async <Entry>(entries: Entries<Entry> = []): Promise<readonly Entry[]> =>
    typeof entries === "function" ? await entries(project, variant) : entries;
  return {
    plugin,
    tools: await read(plugin.tools),
    resources: await read(plugin.resources),
    prompts: await read(plugin.prompts),
    skills: await read(plugin.skills),
    tables: await read(plugin.tables),
  };
}
