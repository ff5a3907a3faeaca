/** Commands of plugins in this program: what they print with, and how they open the project. */

import { shown } from "../../plain_text.ts";
import type { PluginCommand, Terminal } from "../../plugin/plugin.ts";
import { print, printJson, printNote } from "../print.ts";
import { table } from "../table.ts";
import type { Command } from "./command.ts";
import { terminalContext } from "./context.ts";

const TERMINAL: Terminal = {
  print,
  note: printNote,
  json: printJson,
  columns: (rows) => table(rows),
  ask: (question) =>
    Deno.stdin.isTerminal() && Deno.stdout.isTerminal() ? confirm(shown(question)) : undefined,
};

export function fromPlugin({ run, ...declared }: PluginCommand): Command {
  return {
    ...declared,
    run: ({ args, flags: { values }, open }) =>
      run({ args, values, terminal: TERMINAL, open: async () => terminalContext(await open()) }),
  };
}
