/**
 * The one-shot commands, and what each declares.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../errors.ts";
import type { Workspace } from "../../tools/workspace.ts";
import type { ParsedFlags } from "../flags.ts";
import { call } from "./call.ts";
import { check } from "./check.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { setup } from "./setup.ts";
import { view } from "./view.ts";
import { warm } from "./warm.ts";

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

/** Every command. */
export const COMMANDS: readonly Command[] = [
  ...[call, read, list, check, doctor],
  ...[setup, config, warm, view],
];

/** The commands of these names. */
export function commandsNamed(names: readonly string[]): Command[] {
  return names.flatMap((name) => COMMANDS.find((command) => command.name === name) ?? []);
}

/**
 * A command by its name.
 *
 * @param known The names of the program's commands.
 * @throws {RefraktError} `INVALID_ARGS` for one that does not exist, with the nearest.
 */
export function findCommand(name: string, known: readonly string[]): Command {
  const [command] = commandsNamed(known.filter((each) => each === name));
  if (command !== undefined) return command;
  const names = [...known, "help"];
  throw new RefraktError("INVALID_ARGS", `Unknown command: ${name}`, {
    hint: `${didYouMean(name, names)} The commands are ${
      names.join(", ")
    }; without one it serves on stdio.`.trim(),
  });
}
