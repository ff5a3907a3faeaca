/**
 * A plugin found in a project.
 *
 * @module
 */

import type { Origin } from "../npm/load.ts";
import type { Rule } from "../npm/package.ts";
import type { Project } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";

/** How a plugin was found. */
export type PluginSource = "config" | "dependency-scan" | "default" | "bundled";

/** A loaded plugin. */
export interface DiscoveredPlugin {
  /** The first part of its tool names. */
  readonly namespace: string;
  /** The package, such as `@refrakt-md/plan`. */
  readonly packageName: string;
  /** The loaded version. */
  readonly packageVersion: string;
  /** The source of the version: `node_modules`, a lock file, a manifest or `default`. */
  readonly versionFrom: string;
  /** The version rule that applied; absent for bundled plugins. */
  readonly rule?: Rule;
  /** The imported package as `name@version`; absent for bundled plugins. */
  readonly realName?: string;
  /** Where it was loaded from; absent for bundled plugins. */
  readonly origin?: Origin;
  /** The real, absolute path of its folder; absent for the registry. */
  readonly path?: string;
  /** How the plugin was found. */
  readonly source: PluginSource;
  /** The plugin as it is offered. */
  readonly plugin: CliPlugin;
  /** Prepares in small steps what the first call would have to wait for. */
  warm?(project: Project): Promise<void>;
}
