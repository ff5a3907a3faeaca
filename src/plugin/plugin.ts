/** A plugin of the server. Every field is data, or a function from the project's facts to data. */

import type { CallContext, Table } from "./context.ts";
import type { Detection, ProjectKind } from "./detection.ts";
import type { Grants, Need, Project, Warning } from "./project.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Skill } from "./skill.ts";
import type { Tool } from "./tool.ts";

/** Entries that a plugin declares, or the function that imports them when they are listed or called. */
export type Entries<Entry> =
  | readonly Entry[]
  | ((project: Project, variant?: string) => readonly Entry[] | Promise<readonly Entry[]>);

/** The facts that a plugin detects in a project. */
export interface Detected
  extends Partial<Pick<Project, "planDir" | "plan" | "renamedPlan" | "site" | "own">> {
  /** Whether the project has something that the plugin is for. */
  readonly isActive: boolean;
}

/** A plugin of this package, of an npm package, or of a program that embeds the server. */
export interface Plugin {
  /** Its name. */
  readonly name: string;
  /** The groups of its tools, which `--tools` accepts. */
  readonly groups?: readonly string[];
  /** How to enable it in any project, as a sentence. */
  readonly enable?: string;
  /** Tools. */
  readonly tools?: Entries<Tool>;
  /** Resources and resource templates. */
  readonly resources?: Entries<Resource>;
  /** Prompts. */
  readonly prompts?: Entries<Prompt>;
  /** Skills. */
  readonly skills?: Entries<Skill>;
  /** Tables for SQL statements. */
  readonly tables?: Entries<Table>;
  /**
   * The states of its declarations, if they depend on the project, as on the version of a package: those
   * that are known when this package is built, and that of a project.
   */
  readonly variants?: {
    readonly known: readonly string[];
    of(project: Project): string | Promise<string>;
  };
  /** One-shot commands of the program. */
  readonly commands?: readonly PluginCommand[];
  /** Views that the program shows in a browser. */
  readonly views?: readonly BrowserView[];
  /** Tools of its views, which no client has. */
  readonly viewTools?: Entries<Tool>;
  /** What its tools may require, by name. */
  readonly needs?: Readonly<Record<string, Need>>;
  /** The npm package that it works with. */
  readonly package?: WorkedPackage;
  /** Paths that only exist in projects that the plugin is for. */
  readonly marks?: readonly string[];
  /** The arguments of its tools that a project does not need. */
  readonly omitted?: (project: Project) => readonly string[];
  /** Its parts of reports about a project. */
  readonly report?: PluginReport;
  /** Reads names and manifests, and loads nothing. Without it, the plugin is always active. */
  detect?(project: Project, warnings: Warning[]): Detected;
  /** The folders that its tools write in, by the name that the tools declare. */
  folders?(project: Project): Readonly<Record<string, readonly string[]>>;
  /** The npm packages that it loads in a project, besides those that the config names. */
  packages?(project: Project): readonly string[];
  /** The permissions that it needs. */
  grants?(project: Project): Grants;
  /** Commands of refrakt's CLI that are no tools: the name of each, and the words to type. */
  inShell?(project: Project): readonly (readonly [name: string, words: string])[];
  /** Its part of the instructions: sentences about the tools that `mayList` allows. */
  instructions?(project: Project, mayList: MayList): readonly string[];
  /** The calls that load everything it needs, each with a description for people. */
  preparation?(
    project: Project,
  ): readonly (readonly [title: string, tool: string, input: unknown])[];
  /** Prepares the first call in small steps. */
  warm?(project: Project): Promise<void>;
}

/** Whether a tool may be listed, by its name and where it writes. */
export type MayList = (tool: string, writes?: string) => boolean;

/** An npm package that a plugin adapts: its tools replace the package's commands. */
export interface WorkedPackage {
  /** The name. */
  readonly name: string;
  /** Its commands that run until stopped. */
  readonly inShell: readonly string[];
  /** Loads it for the plugin, before its own plugin is imported. */
  load(project: Project): Promise<readonly Warning[]>;
}

/** A plugin's parts of reports about a project. */
export interface PluginReport {
  /** Its part of the project in a few words, such as "plan/: 12 files"; quickly. */
  summary?(project: Project): string | undefined;
  /** The kinds of the project that it detects, with what can be done with each. */
  kinds?(project: Project): readonly ProjectKind[];
  /** How to add what the plugin is for to a project without it: for a model, or in a shell. */
  missing?(project: Project, isInShell?: boolean): string | undefined;
  /** The lines for `AGENTS.md`. */
  agents?(project: Project): readonly string[];
  /**
   * Its fields of the detection report.
   *
   * @param deadline When to stop waiting for packages and sites, by `performance.now()`.
   * @param reported Problems that are reported anyway.
   */
  detection?(
    project: Project,
    deadline: number,
    reported: readonly Warning[],
  ): Promise<Partial<Detection>>;
  /** Its lines for `doctor`, each with its topic. */
  lines?(project: Project, detection: Detection): readonly ReportLine[];
  /** What cannot be read, in sentences. */
  notes?(project: Project): Promise<readonly string[]>;
}

/** A line of `doctor`. */
export type ReportLine = readonly [status: "ok" | "warn" | "FAIL", topic: string, text: string];

/** A one-shot command that a plugin adds to the program. Its flags are those of the program. */
export interface PluginCommand {
  /** The word after the name of the program. */
  readonly name: string;
  /** How it is written. */
  readonly usage: string;
  /** What it does, in a sentence. */
  readonly help: string;
  /** How many arguments it needs, and their meaning. */
  readonly needs?: readonly [count: number, what: string];
  /** How many arguments it takes. */
  readonly mostArgs: number;
  /** Prints the result and returns the exit code. */
  run(input: PluginCommandInput): Promise<number>;
}

/** The input of a plugin's command. */
export interface PluginCommandInput {
  /** The arguments after its name. */
  readonly args: readonly string[];
  /** The values of the flags. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Where it prints. */
  readonly terminal: Terminal;
  /** Opens the project. */
  open(): Promise<CallContext>;
  /** Calls a tool as clients do, and returns what it answers. */
  call(tool: Tool, input: unknown, context: CallContext): Promise<unknown>;
}

/** Colours text, or returns it unchanged where there are no colours. */
export type Paint = Readonly<
  Record<"bold" | "dim" | "green" | "yellow" | "red", (text: string) => string>
>;

/** Where a command prints, and asks the user. */
export interface Terminal {
  /** Whether people read what is printed. */
  readonly isTerminal: boolean;
  /** The colours of what is printed. */
  readonly paint: Paint;
  /** Prints text for people, with hidden characters as escapes. */
  print(text: string): void;
  /** Prints text as it is, for programs. */
  write(text: string): void;
  /** Prints the fields of a result, and lists in it as tables. */
  result(fields: Readonly<Record<string, unknown>>): void;
  /** Prints to stderr. */
  note(text: string): void;
  /** Prints a value as JSON. */
  json(value: unknown): void;
  /** Formats rows of a name and a wrapped text. */
  columns(rows: readonly (readonly [name: string, text: string])[]): string;
  /** Returns the user's answer; `undefined` if nobody can answer. */
  ask(question: string): boolean | undefined;
}

/** A view that `view <name>` shows in a browser. */
export interface BrowserView {
  /** The name after `view`. */
  readonly name: string;
  /** How it is written after `view`. */
  readonly usage: string;
  /** What it shows, in a few words. */
  readonly shows: string;
  /** The tool that opens it. */
  readonly tool: string;
  /** The argument of that tool with the state of the view; by default, all arguments are. */
  readonly keepsIn?: string;
  /** The fields of the state that the browser's Back returns from. */
  readonly steps: readonly string[];
  /** The tools that it may call. */
  readonly tools: readonly string[];
  /** The tool that returns the files of the pages that it shows. */
  readonly fileTool?: string;
  /** The HTML document. */
  document(): Promise<string>;
  /** The script of the frame in which it shows pages. */
  frame?(): Promise<string>;
  /** The arguments of its tool for `view <name> <what>`; `undefined` if it shows one thing only. */
  input?(target: string): Readonly<Record<string, unknown>>;
}
