/** The project as plugins see it: a snapshot of its files and of the start options. */

import type { RefraktError, WarningCode } from "../errors.ts";
import type { Memo } from "../io/memo.ts";
import type { Reads } from "../io/reads.ts";

/** A snapshot of the project; a change results in a new snapshot. */
export interface Project {
  /** The absolute path of the project, under the name that it is served by. */
  readonly cwd: string;
  /** `refrakt.config.json`, if it exists and contains a JSON object. */
  readonly config: ConfigFile | null;
  /** Why the config is ignored, if it exists and is invalid: a plan and sites may be elsewhere. */
  readonly configProblem: string | undefined;
  /** The plan's path, existing or not; `null` if configured outside the project. */
  readonly planDir: string | null;
  /** The plan, if its directory exists. */
  readonly plan: PlanFacts | null;
  /** The folder that holds a plan under another name, if the plan does not exist. */
  readonly renamedPlan: string | undefined;
  /** The sites, if the config declares any. */
  readonly site: SiteFacts | null;
  /** The package for others that the project is, if it is one. */
  readonly own: OwnPackage | null;
  /** The names of the bundled plugins that the project has something for. */
  readonly active: readonly string[];
  /** What tools may require, by name. */
  readonly needs: Readonly<Record<string, Need>>;
  /** The folders that tools write in, by the name that the tools declare. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** The permissions of each plugin that needs any, by its name. */
  readonly grants: Readonly<Record<string, Grants>>;
  /** The npm packages that the active plugins work with. */
  readonly packages: readonly string[];
  /** The namespaces of plugins of this package, each with its owner. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The names or groups of the only tools to list, if they were chosen. */
  readonly tools: readonly string[] | undefined;
  /** Bundled plugins enabled at the start. */
  readonly requestedPlugins: readonly string[];
  /** Whether the project's code runs. */
  readonly code: CodePolicy;
  /** Command lines for the tasks that this process does not do. */
  readonly shell: ShellLines;
  /** The git remote that confirms claims and ids, if one was chosen. */
  readonly remote: RemoteChoice | undefined;
  /** Why writing tools are not listed: on request, or because nothing is writable. */
  readonly readOnly: "requested" | "not granted" | null;
  /** Problems that do not stop the server. */
  readonly warnings: readonly Warning[];
  /** The files that detection has read: once one changes, the snapshot is out of date. */
  readonly reads: Reads;
  /** The cache of values of the project, shared by all its snapshots. */
  readonly memo: Memo;
}

/** Something that a tool may require of a project. */
export interface Need {
  /** Whether a project has it. */
  has(project: Project): boolean;
  /** Whether the config says where it is. */
  readonly isConfigured?: boolean;
  /** The error of a call without it. */
  missing?(project: Project): RefraktError;
}

/** The permissions that a plugin needs in a project. */
export interface Grants {
  /** Paths to write, relative to the project. */
  readonly write: readonly string[];
  /** Programs to run. */
  readonly run: readonly string[];
  /** Whether the project needs them by default. */
  readonly isNeeded: boolean;
  /** What `--tools` lists to serve the plugin alone. */
  readonly tools: string;
}

/** A config file with a JSON object. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** The text of the file. */
  readonly text: string;
  /** The parsed object. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The plugins that it names, first of the top level, then of the sites. */
  readonly plugins: readonly string[];
  /** The npm packages among them. */
  readonly packages: readonly string[];
}

/** An existing plan. */
export interface PlanFacts {
  /** Its directory, relative to the project, with `/`. */
  readonly dir: string;
  /** The absolute path of its directory. */
  readonly path: string;
}

/** A configured site. */
export interface SiteConfig {
  /** Its name; a singular `site` is called `main`. */
  readonly name: string;
  /** The raw fields. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Its rune packages. */
  readonly plugins: readonly string[];
}

/** The sites of a project. */
export interface SiteFacts {
  /** Absolute path of the config file. */
  readonly configPath: string;
  /** Whether the project is a theme and declares no site: its runes in that theme, no pages. */
  readonly isTheme?: true;
  /** The names, in the order of the config. */
  readonly names: readonly string[];
  /** The sites by name; see {@linkcode chooseSite}. */
  readonly sites: ReadonlyMap<string, SiteConfig>;
  /** The rune packages of all sites and of the top level. */
  readonly packages: readonly string[];
  /** The themes that the sites name: packages and paths. */
  readonly themes: readonly string[];
  /** The project's own modules that the sites name, in words. */
  readonly modules: readonly string[];
}

/** The kinds of packages that a project may be for others. */
export type PackageKind = "theme" | "plugin" | "preset pack" | "template" | "library";

/** The package that the project's folder is. */
export interface OwnPackage {
  /** Its kind. */
  readonly kind: PackageKind;
  /** The name in its `package.json`. */
  readonly name: string | undefined;
}

/** The policy for code that npm's scope `@refrakt-md` did not publish. */
export interface CodePolicy {
  /** Whether the project's code runs as it is, with the permissions of the process. */
  readonly trust: boolean;
  /** How long loading a package or a module may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Command lines for a shell. */
export interface ShellLines {
  /** How to start the server with the project's code, as a sentence. */
  trust(): string;
  /** The line that configures a client, up to the name of the client. */
  setup(): string;
  /** How to install a package that is not in the scope, or that npm does not have, as a sentence. */
  install(name: string): string;
  /** The line that calls a tool. */
  call(tool: string, args?: unknown): string;
}

/** The user's choice on the command line. */
export interface RemoteChoice {
  /** The name of a remote of the project's repository, or an address. */
  readonly remote: string;
  /** The prefix of the refs, with a final slash, such as `refs/refrakt/`. */
  readonly prefix: string;
}

/** A problem that does not stop the server. */
export interface Warning {
  /** A stable code; docs/errors.md lists them. */
  readonly code: WarningCode;
  /** What is wrong. */
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string | undefined;
  /** The affected package. */
  readonly package?: string;
  /** Whether the server retries by itself. */
  readonly retry?: true | undefined;
}
