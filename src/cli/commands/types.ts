/**
 * What a one-shot command is.
 *
 * @module
 */

import type { Workspace } from "../../tools/workspace.ts";
import type { ParsedFlags } from "../flags.ts";

/** What a command works with; the arguments are those after its name. */
export interface CommandInput {
  readonly workspace: Workspace;
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
}

/** A command: it prints its answer and gives the exit code. */
export interface Command {
  /** Its name. */
  readonly name: string;
  /** Its arguments, for the help. */
  readonly usage: string;
  /** What it does, in a line. */
  readonly help: string;
  /** What its first argument can be, for completions. */
  readonly values?: readonly string[];
  /** The most arguments that it takes. */
  readonly mostArgs: number;
  /** How it is used, without the name of the program. */
  readonly examples: readonly string[];
  /** Runs it; 0 for good, 1 for a failure. */
  run(input: CommandInput): Promise<number>;
}
