/**
 * What the server knows about an npm plugin beyond the contract.
 *
 * @module
 */

import type { Project } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";

/** A package and the version of it that is being loaded. */
export interface LoadingPackage {
  /** Its name. */
  readonly name: string;
  /** An exact version or a range. */
  readonly version: string;
  /** Where the version comes from. */
  readonly from: string;
}

/** Makes one npm plugin fit to run here. */
export interface PluginAdapter {
  /** The package that it adapts. */
  readonly packageName: string;
  /** Runs before the package's plugin is imported. */
  prepare?(version: LoadingPackage): void | Promise<void>;
  /** Gives the plugin as it is to be offered. */
  adapt(plugin: CliPlugin, version: LoadingPackage): CliPlugin | Promise<CliPlugin>;
  /** Does in advance, in small slices, what the first call would have to wait for. */
  warm?(project: Project): Promise<void>;
}
