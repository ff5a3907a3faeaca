/** `help`: prints the help of the program or of one command, as `--help` does. */

import { basename } from "node:path";
import { VERSION } from "../version.ts";
import type { Command, Program } from "./commands/command.ts";
import { findCommand } from "./commands/find.ts";
import { describeTool } from "./commands/list.ts";
import { flagRows, type Flags, SERVING } from "./flags.ts";
import { print } from "./print.ts";
import { table, wrap } from "./table.ts";
import { lineWidth, type Paint, paintFor } from "./terminal.ts";

export const help: Command = {
  name: "help",
  usage: "help [command | tool]",
  help: "Show this help, that of one command with its flags, or that of a tool with its arguments",
  examples: ["help", "help call", "help plan_next"],
  mostArgs: 1,
  run: async ({ args: [topic], program, commands, open }) => {
    const paint = paintFor(Deno.stdout);
    // Names of tools have several words, and those of commands have one.
    if (topic !== undefined && /[._-]/.test(topic)) {
      return await describeTool(await open(), topic, false);
    }
    print(
      topic === undefined
        ? programHelp(program, commands, paint)
        : commandHelp(await findCommand(topic, commands), program.flags, paint),
    );
    return 0;
  },
};

function programHelp(
  { name, about, launch, flags }: Program,
  commands: readonly Command[],
  paint: Paint,
): string {
  const rows = commands.map(({ usage, help }) => [usage, help] as const);
  const start = Deno.build.standalone ? basename(Deno.execPath(), ".exe") : launch;
  const views = !commands.some(({ name }) => name === "view") ? "" : `
${paint.bold("In your browser, without a client:")}
  ${start.replace("jsr:", "--allow-net=127.0.0.1 jsr:")} view board
The plan as a board; ${paint.bold("view preview")} shows the site's pages while you edit them.
`;
  return `${paint.bold(name)} ${VERSION}: ${about}

${paint.bold("Usage:")} ${start} [flags] [command]

Without a command it serves MCP on stdin and stdout.
${views}
${paint.bold("Commands:")}
${table(rows, { paint: paint.bold })}
${paint.bold("Flags for serving:")}
${table(flagRows(flags, SERVING), { paint: paint.bold })}
Exit codes: 0: success; 1: failure or findings; 2: invalid arguments.
`;
}

function commandHelp({ name, usage, help, examples }: Command, flags: Flags, paint: Paint) {
  return `${paint.bold(usage)}

${wrap(help, lineWidth()).join("\n")}

${paint.bold("Examples:")}
${examples.map((example) => `  ${example}\n`).join("")}
${paint.bold("Flags:")}
${table(flagRows(flags, name), { paint: paint.bold })}`;
}
