/**
 * What `help`, `help <command>` and `--help` print.
 *
 * @module
 */

import { VERSION } from "../version.ts";
import { columns } from "./columns.ts";
import { commandsNamed, findCommand } from "./commands/mod.ts";
import { flagRows } from "./flags.ts";
import type { Program } from "./program.ts";
import { type Paint, paintFor } from "./terminal.ts";

/** `help` itself; it runs before a project is looked at. */
const HELP = { usage: "help [command]", help: "Show this help, or that of one command" };

/**
 * The help of a program, or of one command.
 *
 * @param topic The name of a command, if one was given.
 * @throws {RefraktError} `INVALID_ARGS` for a command that does not exist.
 */
export function helpText([topic]: readonly string[], program: Program): string {
  const paint = paintFor(Deno.stdout);
  return topic === undefined || topic === "help"
    ? programHelp(program, paint)
    : commandHelp(topic, program, paint);
}

function programHelp({ name, about, launch, flags, commands }: Program, paint: Paint): string {
  const rows = [...commandsNamed(commands), HELP].map(({ usage, help }) => [usage, help] as const);
  return `${paint.bold(name)} ${VERSION}: ${about}

${paint.bold("Usage:")} ${launch} [flags] [command]

Without a command it serves MCP on stdin and stdout.

${paint.bold("Commands:")}
${columns(rows, { paint: paint.bold })}
${paint.bold("Flags:")}
${columns(flagRows(flags), { paint: paint.bold })}
Exit codes: 0: success; 1: failure or findings; 2: invalid arguments.
`;
}

function commandHelp(topic: string, { name: program, flags, commands }: Program, paint: Paint) {
  const { name, usage, help, examples } = findCommand(topic, commands);
  const own = Object.fromEntries(
    Object.entries(flags).filter(([, flag]) => flag.commands?.includes(name) ?? true),
  );
  return `${paint.bold(usage)}

${help}

${paint.bold("Examples:")}
${examples.map((example) => `  ${program} ${example}\n`).join("")}
${paint.bold("Flags:")}
${columns(flagRows(own), { paint: paint.bold })}`;
}
