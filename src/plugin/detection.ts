/** The plugins found in a project, and the detection report. */

import type { PackageKind, Project, Warning } from "./project.ts";
import type { CliPluginCommand } from "./cli_plugin.ts";

/** Where a package's code is loaded from: npm's registry, the project, or this binary. */
export type Origin = "registry" | "project" | "embedded";

/** What reports say about a package. */
export interface PackageReport {
  /** The version: the exact one, once the package is loaded. */
  readonly version: string;
  /** The source of the version. */
  readonly versionFrom: string;
  /** Where it is loaded from. */
  readonly origin: Origin;
  /** The real, absolute folder; absent for packages from the registry. */
  readonly path?: string | undefined;
}

/** How a plugin was found. */
export type PluginSource = "config" | "dependency-scan" | "default" | "bundled";

/** A command to run in a shell. */
export interface ShellCommand {
  /** The name as of a tool, such as `plan_serve`. */
  readonly name: string;
  /** The command line. */
  readonly command: string;
}

/** A plugin that was found and loaded. */
export interface DiscoveredPlugin {
  /** The first part of its tool names. */
  readonly namespace: string;
  /** The package, such as `@refrakt-md/plan`. */
  readonly packageName: string;
  /** The loaded version. */
  readonly packageVersion: string;
  /** The commands of its `cli-plugin` export, whose functions run without the server's guards. */
  readonly commands: readonly CliPluginCommand[];
  /** How the plugin was found. */
  readonly source: PluginSource;
}

/** A summary of a plugin. */
export interface PluginSummary
  extends Omit<DiscoveredPlugin, "commands">, Partial<Pick<PackageReport, "origin" | "path">> {
  /** The source of the version: `node_modules`, `package-lock.json`, a manifest or `default`. */
  readonly versionFrom: string;
  /** The names of its commands. */
  readonly commands: readonly string[];
}

/**
 * The permissions of the process: reading the project; writing the plan's folder, `specs/` and the
 * whole project; running git; and why writing tools are not listed, or `null` if they are.
 */
export type Permissions =
  & Readonly<Record<"read" | "writePlan" | "writeSpecs" | "writeProject" | "git", boolean>>
  & Pick<Project, "readOnly">;

/** One of the things that a project is. */
export interface ProjectKind {
  /** A site, a plan, or what its package is for others. */
  readonly kind: "site" | "plan" | PackageKind;
  /** The name of the package. */
  readonly name?: string;
  /** What can be done with it here, in a sentence. */
  readonly use: string;
}

/** The git remote in use. */
export interface RemoteReport {
  /** The name or address from the command line, without a password. */
  readonly remote: string;
  /** The address in use. */
  readonly address?: string;
  /** The prefix of the refs. */
  readonly refs: string;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** The detection report: the Node server's fields and more, each fact once. */
export interface Detection {
  /** The project's directory. */
  readonly cwd: string;
  /** The kinds of the project, each with what can be done with it. */
  readonly kinds: readonly ProjectKind[];
  /** Which of the two ways to start it needs, and why. */
  readonly start: string;
  /** How the project gets a plan; absent if it has one. */
  readonly planStep?: string;
  /** Projects in folders below, with the command that serves each. */
  readonly below?: readonly { readonly path: string; readonly command: string }[] | undefined;
  /** The plan, or `null`. */
  readonly plan: { readonly dir: string; readonly fileCount: number } | null;
  /** The sites, or `null`. */
  readonly site: {
    readonly configPath: string;
    readonly sites: readonly string[];
    readonly plugins: readonly string[];
  } | null;
  /** The packages of each site; absent without a site. */
  readonly sites?: readonly SiteReport[];
  /** The loaded plugins. */
  readonly plugins: readonly PluginSummary[];
  /** The bundled plugins, whether their tools are listed, and how to enable them if they are not. */
  readonly bundled: readonly {
    readonly name: string;
    readonly active: boolean;
    readonly enable?: string | undefined;
  }[];
  /** Whether a config file determines the context. */
  readonly configSource: "config-file" | "autodetect";
  /** The listed tools. */
  readonly tools: readonly string[];
  /** Tools that the permissions do not suffice for; absent if there are none. */
  readonly withheld?: readonly { readonly name: string; readonly reason: string }[] | undefined;
  /** Tools that can be called all the same, and in a shell with `call`. */
  readonly callable: readonly { readonly name: string; readonly description: string }[];
  /** Commands that only refrakt's CLI has. */
  readonly availableViaShell: readonly ShellCommand[];
  /** The git remote that confirms claims, if `--remote` names one. */
  readonly remote?: RemoteReport;
  /** The permissions of the process. */
  readonly permissions: Permissions;
  /** The running versions. */
  readonly versions: { readonly server: string; readonly deno: string };
  /** Problems that do not stop the server. */
  readonly warnings: readonly Warning[];
}

/** A package of a site. */
export interface SitePackage extends Partial<PackageReport> {
  /** The package name. */
  readonly name: string;
  /** Its role in the site. */
  readonly role: string;
  /** Why it is not usable. */
  readonly problem?: string;
  /** How to fix it. */
  readonly hint?: string;
}

/** A site and its packages. */
export interface SiteReport {
  /** The name of the site. */
  readonly site: string;
  /** Its packages; absent while they are loading. */
  readonly packages?: readonly SitePackage[];
  /** Why the site could not be examined. */
  readonly problem?: string;
}
