/** Adapters: what the server knows about certain npm plugins beyond the contract. */

import type { PackageVersion } from "../npm/package.ts";
import type { Project, Warning } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";

export interface AdaptedPlugin {
  readonly plugin: CliPlugin;
  /** How this version differs from what the adapter expects. */
  readonly warnings: readonly Warning[];
  warm?(project: Project): Promise<void>;
}

/** Adapts the plugin of a prepared version, after its import. */
export type Adapt = (plugin: CliPlugin) => AdaptedPlugin;

/** Adapts one npm plugin to this server. */
export interface PluginAdapter {
  readonly packageName: string;
  /**
   * The declarations of a large, rarely used package. They are listed; the package is downloaded and
   * imported at the first call. Their functions never run.
   */
  readonly declared?: CliPlugin;
  /** What is listed until the package has loaded; calls wait for it. Its functions never run. */
  listed?(): CliPlugin;
  /** Prepares a version before its import; the function holds all its state. */
  load(version: PackageVersion): Adapt | Promise<Adapt>;
}
