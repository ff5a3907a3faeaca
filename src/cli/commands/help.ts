/** Finds a command by its name, and prints the help of the program or of one command. */

import { basename } from "node:path";
import { didYouMean, nearest } from "../../errors.ts";
import { chooseDeno } from "../../host/serve_command.ts";
import { shellLine } from "../../host/shell.ts";
import { quotedName } from "../../plain_text.ts";
import { nameKey } from "../../plugin/tool.ts";
import { VERSION } from "../../version.ts";
import { flagRows, SERVING, usageError } from "../flags.ts";
import { paintFor, print, table } from "../terminal.ts";
import { describeTool } from "./call.ts";
import type { Command, CommandInput, Program } from "./command.ts";

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
    if (topic === undefined) print(programHelp(program, commands));
    else {
      const command = await findCommand(topic, undefined, commands, open);
      const flags = boldTable(flagRows(program.flags, command.name));
      print(`${boldTable([rowOf(command)])}\n${paintFor(Deno.stdout).bold("Flags:")}\n${flags}`);
    }
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

const rowOf = ({ usage, help }: Command) => [usage, help];

const boldTable = (rows: readonly (readonly string[])[]) =>
  table(rows, { paint: paintFor(Deno.stdout).bold });

/**
 * Finds a command; the error for an unknown one says what to type for a tool of that name.
 *
 * @param next The argument behind it: in `plan next`, people write a tool in two words.
 */
export async function findCommand(
  name: string,
  next: string | undefined,
  commands: readonly Command[],
  open: CommandInput["open"],
): Promise<Command> {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  const known = open().then((workspace) => workspace.inventory("known"));
  const tools = await known.then(({ tools }) => tools.map((tool) => tool.name), () => []);
  const wanted = [nameKey(name), nameKey(`${name}_${next}`)];
  // Also without its group, such as `status`.
  const same = tools.filter((tool) =>
    wanted.includes(tool) || wanted.includes(tool.slice(tool.indexOf("_") + 1))
  );
  const calls = (meant: readonly string[]) =>
    meant.length === 0 ? "" : `Did you mean ${meant.map((tool) => `"call ${tool}"`).join(" or ")}?`;
  const written = next === undefined ? wanted[0]! : wanted[1]!;
  const guess = calls(same) || didYouMean(name, names) || calls(nearest(written, tools, 1));
  const all = `The commands are ${names.join(", ")}; without one it serves on stdio.`;
  throw usageError(`Unknown command: ${quotedName(name)}`, `${guess} ${all}`.trim());
}
