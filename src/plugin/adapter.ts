/** Plugins that this server knows: those it ships with, and adapters of npm plugins. */

import type { PackageVersion } from "../packages/package.ts";
import type { Project, Warning } from "./project.ts";
import type { CallContext } from "./context.ts";
import type { RemoteReport } from "./detection.ts";
import type { CliPlugin } from "./cli_plugin.ts";
import type { Contribution } from "./contribution.ts";
import type { Requirement } from "./tool.ts";

/** A part of this package that declares tools; it is imported when they are listed or called. */
export interface BundledPlugin {
  readonly name: string;
  /** Whether it is about something that the project has. */
  applies(project: Project): boolean;
  load(): Promise<Contribution>;
}

export interface AdaptedPlugin {
  /** The plugin with the commands that become tools by its contract. */
  readonly plugin: CliPlugin;
  /** What we declare in place of the other commands. */
  readonly contribution: Contribution;
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
   * What is listed until the package has loaded; calls wait for it. Its functions never run.
   *
   * @param version One of the listed versions; the newest by default.
   */
  listed(version?: string): Contribution;
  /** Prepares a version before its import; the function holds all its state. */
  load(version: PackageVersion): Promise<Adapt>;
}

/** Facts that a plugin knows without being loaded. `initialize` waits for the summary. */
export interface PluginFacts {
  readonly packageName: string;
  /** The versions of the package whose lists differ from each other. */
  readonly listedVersions: readonly string[];
  /** The one of these that is listed until the project's version has loaded. */
  listedVersion(project: Project): Promise<string>;
  /** The plugin's part of the project in a few words, such as "plan/: 12 files". */
  summary(project: Project): string | undefined;
  /** The remote on which the project's claims are confirmed. */
  remote(project: Project): Promise<RemoteReport | undefined>;
  /** What of the project cannot be read, such as other branches, in sentences; for reports. */
  unread(project: Project): Promise<readonly string[]>;
}

/** A one-shot command that a plugin adds to the program. Its flags are those of the program. */
export interface PluginCommand {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** How many arguments it needs, and what they are. */
  readonly needs?: readonly [count: number, what: string];
  readonly mostArgs: number;
  /** Prints the result and returns the exit code. */
  run(input: PluginCommandInput): Promise<number>;
}

/** What a command of a plugin gets. */
export interface PluginCommandInput {
  readonly args: readonly string[];
  /** The values of the flags. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
  /** Opens the project. */
  open(): Promise<CallContext>;
}

/** Where a command prints, and asks the user. */
export interface Terminal {
  print(text: string): void;
  /** Prints to stderr. */
  note(text: string): void;
  json(value: unknown): void;
  /** Formats rows of a name and a wrapped text. */
  columns(rows: readonly (readonly [name: string, text: string])[]): string;
  /** Returns the user's answer; `undefined` if nobody can answer. */
  ask(question: string): boolean | undefined;
}

/** A view that `view <name>` shows in a browser. */
export interface BrowserView {
  readonly name: string;
  /** What a project needs to show it. */
  readonly requires: Requirement;
  /** The tool that opens it. */
  readonly tool: string;
  /** The tools that it may call. */
  readonly tools: readonly string[];
  /** The HTML document. */
  document(): Promise<string>;
  /** The script of the frame in which it shows pages. */
  frame?(): Promise<string>;
  /** The arguments of its tool for `view <name> <what>`; `undefined` if it shows one thing only. */
  input?(what: string): Readonly<Record<string, unknown>>;
}
