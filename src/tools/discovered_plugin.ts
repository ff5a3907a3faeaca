/**
 * A plugin as it was found in a project.
 *
 * @module
 */

import type { Origin } from "../npm/load.ts";
import type { Rule } from "../npm/package.ts";
import type { Project } from "../project/project.ts";
import type { CliPlugin } from "./plugin.ts";

/** Where a plugin was found. */
export type PluginSource = "config" | "dependency-scan" | "default" | "bundled";

/** A plugin that was found and loaded. */
export interface DiscoveredPlugin {
  /** The first part of its tools' names. */
  readonly namespace: string;
  /** The package, such as `@refrakt-md/plan`. */
  readonly packageName: string;
  /** The exact version that was loaded. */
  readonly packageVersion: string;
  /** Where the version comes from: `node_modules`, a lock file, a manifest, `default`. */
  readonly versionFrom: string;
  /** Which case of the rule found it; absent for the bundled ones. */
  readonly rule?: Rule;
  /** What is imported by the package's name, as `name@version`; absent for the bundled ones. */
  readonly realName?: string;
  /** Where it was loaded from; absent for the bundled ones. */
  readonly origin?: Origin;
  /** Its folder: real, absolute; absent for the registry's. */
  readonly path?: string;
  /** How the plugin was found. */
  readonly source: PluginSource;
  /** The plugin as it is offered. */
  readonly plugin: CliPlugin;
  /** Does in advance, in small slices, what the first call would have to wait for. */
  warm?(project: Project): Promise<void>;
}
