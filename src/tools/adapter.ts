/** Plugins that this server knows: those it ships with, and adapters of npm plugins. */

import type { PackageVersion } from "../npm/package.ts";
import type { Project, Warning } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";
import type { Contribution } from "./registry.ts";

/** A plugin that ships with the server. */
export interface BundledPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  load(): Promise<Contribution>;
  applies(project: Project): boolean;
}

export interface AdaptedPlugin {
  /** The plugin with the commands that become tools by its contract. */
  readonly plugin: CliPlugin;
  /** What we declare in place of the other commands. */
  readonly contribution: Contribution;
  /** How this version differs from what the adapter expects. */
  readonly warnings: readonly Warning[];
  warm?(project: Project): Promise<void>;
}

/** Adapts the plugin of a prepared version, after its import. */
export type Adapt = (plugin: CliPlugin) => AdaptedPlugin;

/** Adapts one npm plugin to this server. */
export interface PluginAdapter {
  readonly packageName: string;
  /** What is listed until the package has loaded; calls wait for it. Its functions never run. */
  listed(): Contribution;
  /** Prepares a version before its import; the function holds all its state. */
  load(version: PackageVersion): Promise<Adapt>;
}
