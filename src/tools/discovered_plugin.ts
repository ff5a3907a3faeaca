/**
 * A plugin as it was found in a project.
 *
 * @module
 */

import type { Origin } from "../npm/load.ts";
import type { Rule } from "../npm/package.ts";
import type { Project, Warning } from "../project/project.ts";
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
  /** The commands as the package declares them. */
  readonly declared: readonly DeclaredCommand[];
  /** Finds out by trying where the version is not as the server expects; for the report. */
  check?(): Promise<readonly Warning[]>;
  /** Does in advance, in small slices, what the first call would have to wait for. */
  warm?(project: Project): Promise<void>;
}

/** What a package declares of a command, in short. */
export interface DeclaredCommand {
  /** The command's name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** Whether it declares its input. */
  readonly hasInputSchema: boolean;
  /** Whether it declares its results. */
  readonly hasOutputSchema: boolean;
  /** Whether it has a structured handler. */
  readonly hasMcpHandler: boolean;
}
