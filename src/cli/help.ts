/** The output of `help`, `help <command>` and `--help`. */

import { VERSION } from "../version.ts";
import type { Program } from "./commands/command.ts";
import { commandsNamed, findCommand } from "./commands/mod.ts";
import { flagRows, SERVING } from "./flags.ts";
import { columns, lineWidth, type Paint, paintFor, typedCommand, wrap } from "./terminal.ts";

/** Commands that need no project. */
const OTHERS = [{
  name: "completions",
  usage: "completions <bash | zsh | fish | powershell>",
  help: "Print a script with which the shell completes commands",
  examples: ["completions bash", "completions zsh", "completions fish", "completions powershell"],
}, {
  name: "help",
  usage: "help [command]",
  help: "Show this help, or that of one command with its flags",
  examples: ["help", "help call"],
}];

/**
 * The help of a program or a command.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown command.
 */
export function helpText([topic]: readonly string[], program: Program): string {
  const paint = paintFor(Deno.stdout);
  return topic === undefined ? programHelp(program, paint) : commandHelp(topic, program, paint);
}

function programHelp({ name, about, launch, flags, commands }: Program, paint: Paint): string {
  const known = [...commandsNamed(commands), ...OTHERS];
  const rows = known.map(({ usage, help }) => [usage, help] as const);
  const start = Deno.build.standalone ? typedCommand() : launch;
  const views = !commands.includes("view") ? "" : `
${paint.bold("In your browser, without a client:")}
  ${start.replace("jsr:", "--allow-net=127.0.0.1 jsr:")} view board
The plan as a board; ${paint.bold("view preview")} shows the site's pages while you edit them.
`;
  return `${paint.bold(name)} ${VERSION}: ${about}

${paint.bold("Usage:")} ${start} [flags] [command]

Without a command it serves MCP on stdin and stdout.
${views}
${paint.bold("Commands:")}
${columns(rows, { paint: paint.bold })}
${paint.bold("Flags for serving:")}
${columns(flagRows(flags, SERVING), { paint: paint.bold })}
Exit codes: 0: success; 1: failure or findings; 2: invalid arguments.
`;
}

function commandHelp(topic: string, { flags, commands }: Program, paint: Paint): string {
  const other = OTHERS.find(({ name }) => name === topic);
  const { name, usage, help, examples } = other ?? findCommand(topic, commands);
  return `${paint.bold(usage)}

${wrap(help, lineWidth()).join("\n")}

${paint.bold("Examples:")}
${examples.map((example) => `  ${typedCommand()} ${example}\n`).join("")}
${paint.bold("Flags:")}
${columns(flagRows(flags, name), { paint: paint.bold })}`;
}
