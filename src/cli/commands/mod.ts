/** The one-shot commands: those of the program, and those of plugins. */

import { BUNDLED } from "../../bundled.ts";
import { callTool } from "../../host/call.ts";
import { writeStdout } from "../../io/pipes.ts";
import { withEscapes } from "../../plain_text.ts";
import type { PluginCommand, Terminal } from "../../plugin/plugin.ts";
import { paintFor, print, printJson, printNote, resultText, table } from "../terminal.ts";
import { cache, warm } from "./cache.ts";
import { call, list, read } from "./call.ts";
import { type Command, terminalContext, whileLoading } from "./command.ts";
import { doctor } from "./doctor.ts";
import { help } from "./help.ts";
import { config, setup } from "./setup.ts";
import { view } from "./view.ts";

const TERMINAL: Terminal = {
  isTerminal: Deno.stdout.isTerminal(),
  paint: paintFor(Deno.stdout),
  print,
  write: writeStdout,
  note: printNote,
  json: printJson,
  result: (fields) => print(resultText(fields)),
  columns: (rows) => table(rows),
  ask: (question) =>
    Deno.stdin.isTerminal() && Deno.stdout.isTerminal()
      ? confirm(withEscapes(question))
      : undefined,
};

function fromPlugin({ run, ...declared }: PluginCommand): Command {
  return {
    ...declared,
    run: ({ args, flags: { values }, open }) =>
      run({
        args,
        values,
        terminal: TERMINAL,
        open: async () => terminalContext(await open()),
        call: (tool, input, context) => whileLoading(callTool(tool, input, context)),
      }),
  };
}

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[call, read, list, doctor, setup, config, warm, cache, view],
  ...BUNDLED.flatMap(({ commands = [] }) => commands.map(fromPlugin)),
  help,
];
