/** The one-shot commands. */

import { didYouMean, RefraktError } from "../../errors.ts";
import { call } from "./call.ts";
import { check } from "./check.ts";
import type { Command, StandaloneCommand } from "./command.ts";
import { claims } from "./claims.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";
import { merge } from "./merge.ts";
import { query } from "./query.ts";
import { read } from "./read.ts";
import { setup } from "./setup.ts";
import { view } from "./view.ts";
import { warm } from "./warm.ts";

export const COMMANDS: readonly (Command | StandaloneCommand)[] = [
  ...[call, read, list, query, check, doctor],
  ...[setup, config, warm, view, claims, merge],
];

export function commandsNamed(names: readonly string[]): (typeof COMMANDS)[number][] {
  return names.flatMap((name) => COMMANDS.find((command) => command.name === name) ?? []);
}

/**
 * @param known The names of the program's commands.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown command.
 */
export function findCommand(name: string, known: readonly string[]): (typeof COMMANDS)[number] {
  const [command] = commandsNamed(known.filter((each) => each === name));
  if (command !== undefined) return command;
  const names = [...known, "completions", "help"];
  throw new RefraktError("INVALID_ARGS", `Unknown command: ${name}`, {
    hint: `${didYouMean(name, names)} The commands are ${
      names.join(", ")
    }; without one it serves on stdio.`.trim(),
  });
}
