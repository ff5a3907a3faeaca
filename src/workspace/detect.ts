/**
 * The report about a project: what is there, what is offered, what is missing.
 *
 * @module
 */

import { join } from "node:path";
import type { DiscoveredPlugin } from "../plugin_host/contract.ts";
import { type CarriedVersions, carriedVersions } from "../npm/embedded.ts";
import type { Project, Warning } from "../project/project.ts";
import { mayRead, mayRunGit, mayWrite } from "../io/permissions.ts";
import { shownPath } from "../io/paths.ts";
import type { Toolset } from "../tools/registry.ts";
import { VERSION } from "../version.ts";
import type { SiteReport, SitesReport } from "./site_report.ts";

/** Commands of the CLI that are not offered as tools, where there is a site. */
const SITE_SHELL_COMMANDS = ["refrakt.edit", "refrakt.scaffold-css", "refrakt.write"];

/** One plugin in short. */
export interface PluginSummary {
  /** The first part of its tools' names. */
  readonly namespace: string;
  /** The package. */
  readonly packageName: string;
  /** The version that is loaded. */
  readonly packageVersion: string;
  /** Where the version comes from. */
  readonly versionFrom: string;
  /** How the plugin was found. */
  readonly source: string;
  /** Where the package was loaded from. */
  readonly origin?: string;
  /** Its folder, relative to the project; absent for the registry's. */
  readonly path?: string;
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
    /** In a compiled binary, the packages that it carries; it can load no others. */
    readonly carried?: Readonly<Record<string, string>>;
  };
  /** What is wrong but does not stop the server. */
  readonly warnings: readonly Warning[];
}

/**
 * Writes the report.
 *
 * @param report What the sites are made of.
 * @param carried What this process carries, if it is a binary; for tests of both.
 */
export function detection(
  toolset: Toolset,
  plugins: readonly DiscoveredPlugin[],
  report: SitesReport = { sites: null, warnings: [] },
  carried: CarriedVersions | undefined = carriedVersions(),
): Detection {
  const { project } = toolset;
  const { sites, warnings } = report;
  const plan = project.plan === null
    ? null
    : { dir: project.plan.dir, fileCount: project.plan.fileCount };
  const site = project.site;
  const config = site === null ? "" : shownPath(project.cwd, site.configPath);
  return {
    cwd: project.cwd,
    context: {
      site: site === null ? null : { config, packages: site.packages },
      plan,
    },
    plan,
    site: site === null ? null : { configPath: config, sites: site.names, plugins: site.packages },
    ...(sites === null ? {} : { sites }),
    plugins: plugins.map((found) => summary(project, found)),
    bundled: [{
      name: "ralph",
      active: project.ralph,
      ...(project.ralph ? {} : {
        enable: 'Start the server with --plugin ralph, or add "ralph" to "plugins" in ' +
          "refrakt.config.json, with --allow-write=specs,.gitignore; ralph_start works right away.",
      }),
    }],
    configSource: project.configSource,
    tools: toolset.listedTools().map((tool) => tool.name),
    availableViaShell: [
      ...toolset.shellOnly,
      ...(site === null ? [] : SITE_SHELL_COMMANDS),
    ],
    permissions: permissions(project),
    versions: {
      server: VERSION,
      deno: Deno.version.deno,
      plugins: Object.fromEntries(
        plugins.map(({ packageName, packageVersion, versionFrom }) => [
          packageName,
          versionFrom === "bundled" ? packageVersion : `${packageVersion} (${versionFrom})`,
        ]),
      ),
      ...(carried === undefined ? {} : { carried }),
    },
    warnings: [...toolset.warnings, ...warnings],
  };
}

/** What the process may do in a project. */
export function permissions(project: Project): Permissions {
  const { cwd } = project;
  return {
    read: mayRead(cwd),
    writePlan: mayWrite(project.planDir ?? join(cwd, "plan")),
    writeSpecs: mayWrite(join(cwd, "specs")),
    writeProject: mayWrite(cwd),
    git: mayRunGit(),
    readOnly: project.readOnly,
  };
}

function summary({ cwd }: Project, found: DiscoveredPlugin): PluginSummary {
  const { namespace, packageName, packageVersion, versionFrom, source, plugin } = found;
  const { origin, path } = found;
  return {
    namespace,
    packageName,
    packageVersion,
    versionFrom,
    source,
    ...(origin === undefined ? {} : { origin }),
    ...(path === undefined ? {} : { path: shownPath(cwd, path) }),
    commands: plugin.commands.map((command) => command.name),
  };
}
