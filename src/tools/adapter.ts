/**
 * What the server knows about an npm plugin beyond the contract.
 *
 * @module
 */

import type { PackageVersion } from "../npm/package.ts";
import type { Project, Warning } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";

/** A plugin as it is to be offered, with what was found out about it. */
export interface AdaptedPlugin {
  readonly plugin: CliPlugin;
  /** Where this version is not as the adapter expects. */
  readonly warnings: readonly Warning[];
  warm?(project: Project): Promise<void>;
}

/** One version of a package, prepared: everything that the adapter keeps for it is in here. */
export interface LoadedVersion {
  /** Makes the plugin, which is imported after the preparation, fit to run here. */
  adapt(plugin: CliPlugin): AdaptedPlugin | Promise<AdaptedPlugin>;
}

/** Makes one npm plugin fit to run here. */
export interface PluginAdapter {
  readonly packageName: string;
  /**
   * What the package declares, for one that is large and rarely called: it is offered by
   * this, and downloaded and imported at the first call. Its functions are never run.
   */
  readonly declared?: CliPlugin;
  /**
   * What is listed before the package is loaded: tools, prompts and resources that do not depend
   * on its version. A call of one waits for the package. Its functions are never run.
   */
  listed?(): CliPlugin;
  /**
   * Prepares one version, before its plugin is imported. Two versions may be loaded side
   * by side: what belongs to one must be in the object that is returned.
   */
  load(version: PackageVersion): LoadedVersion | Promise<LoadedVersion>;
}
