/** What a one-shot command declares, and a program that has commands. */

import type { PluginCommand } from "../../plugin/adapter.ts";
import type { Workspace } from "../../host/workspace.ts";
import type { Flags, ParsedFlags } from "../flags.ts";

export interface CommandInput {
  readonly workspace: Workspace;
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
}

/** A command that needs a project. */
export interface Command extends CommandDeclaration {
  /** Prints the result and returns the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** A command that opens no project, or opens it itself. */
export interface StandaloneCommand extends CommandDeclaration {
  /** Prints the result and returns the exit code. */
  runAlone(input: StandaloneInput): number | Promise<number>;
}

export interface StandaloneInput extends Omit<CommandInput, "workspace"> {
  readonly program: Program;
  /** The program's commands. */
  readonly commands: readonly AnyCommand[];
  /** Finds one of them, or throws `INVALID_ARGS`. */
  find(name: string): Promise<AnyCommand>;
}

export type AnyCommand = Command | StandaloneCommand;

type CommandDeclaration = Omit<PluginCommand, "run">;

export interface Program {
  readonly name: string;
  /** A description for the help. */
  readonly about: string;
  /** The command line that starts it. */
  readonly launch: string;
  readonly flags: Flags;
  /** The names of its commands; all by default. */
  readonly commands?: readonly string[];
  /** Opens the project; a command waits for packages without a time limit. */
  open(flags: ParsedFlags, isCommand: boolean): Promise<Workspace>;
}
