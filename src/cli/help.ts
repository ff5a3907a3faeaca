/**
 * What `help`, `help <command>` and `--help` print.
 *
 * @module
 */

import { VERSION } from "../version.ts";
import { columns } from "./columns.ts";
import { COMMANDS, findCommand } from "./commands/mod.ts";
import { flagRows, type Flags } from "./flags.ts";
import { type Paint, paintFor } from "./terminal.ts";

const USAGE_LINE =
  `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp [flags] [command]`;

const BINARY_NOTE = `
This is a compiled binary: it reads the folder that it is started in, writes plan/ there and runs
git, and its packages are fixed (see --version). Where a project needs more, such as --allow-write
for Ralph's specs/ or another version of a package, run the server from JSR instead:
  ${USAGE_LINE.replaceAll("\n       ", "\n  ")}
`;

/**
 * The help of the program, or of one command.
 *
 * @param topic The name of a command, if one was given.
 * @param flags The flags of the program.
 * @param standalone Whether this process is a binary, for tests of both.
 * @throws {RefraktError} `INVALID_ARGS` for a command that does not exist.
 */
export function helpText(
  [topic]: readonly string[],
  flags: Flags,
  standalone: boolean = Deno.build.standalone,
): string {
  const paint = paintFor(Deno.stdout);
  return topic === undefined || topic === "help"
    ? programHelp(flags, paint, standalone)
    : commandHelp(topic, flags, paint);
}

function programHelp(flags: Flags, paint: Paint, standalone: boolean): string {
  const rows = [...COMMANDS, HELP].map(({ usage, help }) => [usage, help] as const);
  return `${
    paint.bold("refrakt-mcp")
  } ${VERSION}: a Model Context Protocol server for refrakt projects

${paint.bold("Usage:")} ${standalone ? "refrakt-mcp [flags] [command]" : USAGE_LINE}

Without a command it serves MCP on stdin and stdout.
${standalone ? BINARY_NOTE : ""}
${paint.bold("Commands:")}
${columns(rows, { paint: paint.bold })}
${paint.bold("Flags:")}
${columns(flagRows(flags), { paint: paint.bold })}
Exit codes: 0 for good, 1 for a failed call or check, 2 for arguments that are not understood.
`;
}

function commandHelp(topic: string, flags: Flags, paint: Paint): string {
  const { name, usage, help, examples } = findCommand(topic);
  const own = Object.fromEntries(
    Object.entries(flags).filter(([, flag]) => flag.commands?.includes(name) ?? true),
  );
  return `${paint.bold(usage)}

${help}

${paint.bold("Examples:")}
${examples.map((example) => `  refrakt-mcp ${example}\n`).join("")}
${paint.bold("Flags:")}
${columns(flagRows(own), { paint: paint.bold })}`;
}

/** `help` itself; it runs before a project is looked at. */
const HELP = { usage: "help [command]", help: "Show this help, or that of one command" };
