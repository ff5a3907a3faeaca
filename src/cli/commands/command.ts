/** What a one-shot command declares, and a program that has commands. */

import type { PluginCommand } from "../../plugin/plugin.ts";
import type { Workspace } from "../../host/open_workspace.ts";
import type { Flags, ParsedFlags } from "../flags.ts";

export interface Command extends Omit<PluginCommand, "run"> {
  /** Prints the result and returns the exit code. */
  run(input: CommandInput): number | Promise<number>;
}

export interface CommandInput {
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
  readonly program: Program;
  /** The program's commands. */
  readonly commands: readonly Command[];
  /** Opens the project; by default with the flags of the command line. */
  open(flags?: ParsedFlags): Promise<Workspace>;
}

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
