/**
 * The one-shot commands.
 *
 * @module
 */

import { call } from "./call.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import type { Command } from "./types.ts";

/** The commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [call, read, list, doctor, config];
