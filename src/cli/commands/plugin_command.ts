/** Commands of plugins in this program: what they print with, and how they open the project. */

import { callTool } from "../../host/call.ts";
import { writeStdout } from "../../io/pipes.ts";
import { withEscapes } from "../../plain_text.ts";
import type { PluginCommand, Terminal } from "../../plugin/plugin.ts";
import { resultText } from "../result_text.ts";
import { paintFor, print, printJson, printNote, table } from "../terminal.ts";
import type { Command } from "./command.ts";
import { terminalContext, whileLoading } from "./context.ts";

const TERMINAL: Terminal = {
  get isTerminal() {
    return Deno.stdout.isTerminal();
  },
  get paint() {
    return paintFor(Deno.stdout);
  },
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

export function fromPlugin({ run, ...declared }: PluginCommand): Command {
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
