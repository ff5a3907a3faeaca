/** `help`: prints the help of the program or of one command, as `--help` does. */

import { basename } from "node:path";
import { chooseDeno } from "../host/serve_command.ts";
import { shellLine } from "../host/shell.ts";
import { VERSION } from "../version.ts";
import type { Command, Program } from "./commands/command.ts";
import { findCommand } from "./commands/find.ts";
import { describeTool } from "./commands/list.ts";
import { flagRows, SERVING } from "./flags.ts";
import { print } from "./print.ts";
import { table } from "./table.ts";
import { paintFor } from "./terminal.ts";

export const help: Command = {
  name: "help",
  usage: "help [command | tool]",
  help: "Show this help, that of one command with its flags, or that of a tool with its arguments",
  mostArgs: 1,
  run: async ({ args: [topic], program, commands, open }) => {
    // Names of tools have several words, and those of commands have one.
    if (topic !== undefined && /[._-]/.test(topic)) {
      return await describeTool(await open(), topic, false);
    }
    const command = topic === undefined
      ? undefined
      : await findCommand(topic, undefined, commands, open);
    print(command === undefined ? programHelp(program, commands) : commandHelp(program, command));
    return 0;
  },
};

function programHelp(program: Program, commands: readonly Command[]): string {
  const { bold } = paintFor(Deno.stdout);
  const { name, about, launch } = program;
  const start = Deno.build.standalone
    ? basename(Deno.execPath(), ".exe")
    : launch.replace("deno", () => shellLine(chooseDeno()));
  const views = !commands.some(({ name }) => name === "view") ? "" : `
${bold("In your browser, without a client:")}
  ${start.replace("jsr:", "--allow-net=127.0.0.1 jsr:")} view board
The plan as a board; ${bold("view preview")} shows the site's pages while you edit them.
`;
  return `${bold(name)} ${VERSION}: ${about}

${bold("Usage:")} ${start} [flags] [command]

Without a command it serves MCP on stdin and stdout.
${views}
${bold("Commands:")}
${boldTable(commands.map(rowOf))}
${bold("Flags for serving:")}
${boldTable(flagRows(program.flags, SERVING))}
Exit codes: 0: success; 1: failure or findings; 2: invalid arguments.
`;
}

function commandHelp({ flags }: Program, command: Command): string {
  const { bold } = paintFor(Deno.stdout);
  return `${boldTable([rowOf(command)])}
${bold("Flags:")}
${boldTable(flagRows(flags, command.name))}`;
}

const rowOf = ({ usage, help }: Command) => [usage, help];

function boldTable(rows: readonly (readonly string[])[]): string {
  return table(rows, { paint: paintFor(Deno.stdout).bold });
}
