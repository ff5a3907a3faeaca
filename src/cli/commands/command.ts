/** What a one-shot command declares. */

import type { Workspace } from "../../tools/workspace.ts";
import type { ParsedFlags } from "../flags.ts";

export interface CommandInput {
  readonly workspace: Workspace;
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** The values of the first argument, for completions. */
  readonly values?: readonly string[];
  readonly mostArgs: number;
  /** Command lines without the name of the program. */
  readonly examples: readonly string[];
  /** Prints the result and returns the exit code. */
  run(input: CommandInput): Promise<number>;
}
