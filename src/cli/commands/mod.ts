/** The one-shot commands. */

import { didYouMean, RefraktError } from "../../errors.ts";
import { PLUGIN_COMMANDS } from "../../bundled.ts";
import { help } from "../help.ts";
import { cache } from "./cache.ts";
import { call } from "./call.ts";
import { check } from "./check.ts";
import type { AnyCommand } from "./command.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";
import { fromPlugin } from "./plugin_command.ts";
import { query } from "./query.ts";
import { read } from "./read.ts";
import { setup } from "./setup.ts";
import { view } from "./view.ts";
import { warm } from "./warm.ts";

/** In the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...[call, read, list, query, check, doctor],
  ...[setup, config, warm, cache, view, ...PLUGIN_COMMANDS.map(fromPlugin), help],
];

/** @throws {RefraktError} `INVALID_ARGS` for an unknown command. */
export function findCommand(name: string, commands: readonly AnyCommand[]): AnyCommand {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  throw new RefraktError("INVALID_ARGS", `Unknown command: ${name}`, {
    hint: `${didYouMean(name, names)} The commands are ${
      names.join(", ")
    }; without one it serves on stdio.`.trim(),
  });
}
