/** The one-shot commands. */

import { BUNDLED } from "../../bundled.ts";
import { help } from "./help.ts";
import { cache } from "./cache.ts";
import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";
import { fromPlugin } from "./plugin_command.ts";
import { read } from "./read.ts";
import { setup } from "./setup.ts";
import { view } from "./view.ts";
import { warm } from "./warm.ts";

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[call, read, list, doctor, setup, config, warm, cache, view],
  ...BUNDLED.flatMap(({ commands = [] }) => commands.map(fromPlugin)),
  help,
];
