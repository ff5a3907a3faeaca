/**
 * The detection report: what a project has, what is offered, what is wrong.
 *
 * @module
 */

import type { Warning } from "../project/project.ts";
import type { DiscoveredPlugin } from "./discovered_plugin.ts";

/** One plugin in short. */
export interface PluginSummary
  extends
    Pick<DiscoveredPlugin, "namespace" | "packageName" | "packageVersion" | "versionFrom">,
    Pick<DiscoveredPlugin, "realName" | "rule" | "source" | "origin" | "path"> {
  /** Its commands. */
  readonly commands: readonly string[];
}

/** What the process may do, as far as the tools need it. */
export interface Permissions {
  /** Reading the project. */
  readonly read: boolean;
  /** Writing the plan's folder. */
  readonly writePlan: boolean;
  /** Writing `specs/`. */
  readonly writeSpecs: boolean;
  /** Writing the whole project. */
  readonly writeProject: boolean;
  /** Running git. */
  readonly git: boolean;
  /** Why tools that write are not listed, or `null` where they are. */
  readonly readOnly: "requested" | "not granted" | null;
}

/** A bundled plugin, and how to turn it on. */
export interface BundledSummary {
  /** Its name. */
  readonly name: string;
  /** Whether its tools are listed. */
  readonly active: boolean;
  /** How to turn it on, where it is off. */
  readonly enable?: string;
}

/** The detection report; a superset of the shapes that the specification and the Node server have. */
export interface Detection {
  /** The project's directory. */
  readonly cwd: string;
  /** The context as the specification shows it. */
  readonly context: {
    readonly site: { readonly config: string; readonly packages: readonly string[] } | null;
    readonly plan: { readonly dir: string; readonly fileCount: number } | null;
  };
  /** The plan, or `null`. */
  readonly plan: { readonly dir: string; readonly fileCount: number } | null;
  /** The sites, or `null`. */
  readonly site: {
    readonly configPath: string;
    readonly sites: readonly string[];
    readonly plugins: readonly string[];
  } | null;
  /** The packages of each site, tried one by one; absent without a site. */
  readonly sites?: readonly SiteReport[];
  /** The plugins that are loaded. */
  readonly plugins: readonly PluginSummary[];
  /** The plugins that ship with the server. */
  readonly bundled: readonly BundledSummary[];
  /** Whether a config file decides, or what was found. */
  readonly configSource: "config-file" | "autodetect";
  /** The tools that are listed. */
  readonly tools: readonly string[];
  /** Commands that exist but are better run in a shell. */
  readonly availableViaShell: readonly string[];
  /** What the process may do. */
  readonly permissions: Permissions;
  /** What is running. */
  readonly versions: {
    readonly server: string;
    readonly deno: string;
    readonly plugins: Readonly<Record<string, string>>;
  };
  /** What is wrong but does not stop the server. */
  readonly warnings: readonly Warning[];
}

/** One package of a site. */
export interface SitePackage
  extends Partial<Pick<PluginSummary, "versionFrom" | "realName" | "rule" | "origin" | "path">> {
  /** The package. */
  readonly name: string;
  /** What the site needs it for. */
  readonly role: "core" | "theme" | "runes";
  /** The exact version, or what was asked for where it could not be loaded. */
  readonly version?: string;
  /** Why it cannot be used. */
  readonly problem?: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** One site, with every package that it is made of. */
export interface SiteReport {
  /** The name of the site. */
  readonly site: string;
  /** Its packages; absent as long as they are being loaded. */
  readonly packages?: readonly SitePackage[];
  /** Why nothing can be said about it. */
  readonly problem?: string;
}

/** What is known of a project's sites, and what is wrong with them. */
export interface SitesReport {
  /** The sites; `null` where the project declares none. */
  readonly sites: readonly SiteReport[] | null;
  /** One warning for each package that cannot be loaded, and for each that changed since. */
  readonly warnings: readonly Warning[];
}
