/** The one-shot commands: those of the program, those of plugins, and the help of both. */

import { basename } from "node:path";
import { BUNDLED } from "../../bundled.ts";
import { didYouMean, nearestNames } from "../../errors.ts";
import { callTool } from "../../host/call.ts";
import { chooseDeno } from "../../host/serve_command.ts";
import { shellLine } from "../../host/shell.ts";
import { writeStdout } from "../../io/pipes.ts";
import { quotedName, withEscapes } from "../../plain_text.ts";
import type { PluginCommand, Terminal } from "../../plugin/plugin.ts";
import { nameKey } from "../../plugin/tool.ts";
import { VERSION } from "../../version.ts";
import { flagRows, SERVING, usageError } from "../flags.ts";
import { paintFor, print, printJson, printNote, resultText, table } from "../terminal.ts";
import { callCommand, describeTool, listCommand, readCommand } from "./call.ts";
import {
  type Command,
  type CommandInput,
  type Program,
  terminalContext,
  whileLoading,
} from "./command.ts";
import { configCommand, setupCommand } from "./setup.ts";
import { cacheCommand, doctorCommand, warmCommand } from "./upkeep.ts";
import { viewCommand } from "./view.ts";

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

const help: Command = {
  name: "help",
  usage: "help [command | tool]",
  help: "Show this help, that of one command with its flags, or that of a tool with its arguments",
  mostArgs: 1,
  run: async (input) => {
    const { args: [topic], program, open } = input;
    // Names of tools have several words, and those of commands have one.
    if (topic === undefined) print(programHelp(program));
    else if (/[._-]/.test(topic)) await describeTool(await open(), topic, false);
    else {
      const command = await findCommand(topic, { ...input, args: [] });
      const flags = boldTable(flagRows(program.flags, command.name));
      print(`${boldTable([rowOf(command)])}\n${paintFor(Deno.stdout).bold("Flags:")}\n${flags}`);
    }
  },
};

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[callCommand, readCommand, listCommand, doctorCommand, setupCommand, configCommand],
  ...[warmCommand, cacheCommand, viewCommand],
  ...BUNDLED.flatMap(({ commands = [] }) => commands.map(fromPlugin)),
  help,
];

function commandsOf({ commands }: Program): readonly Command[] {
  return COMMANDS.filter(({ name }) => commands?.includes(name) ?? true);
}

export async function runNamed(name: string, input: CommandInput): Promise<number> {
  const { args } = input;
  const command = await findCommand(name, input);
  const { needs: [least, missing] = [0, ""], mostArgs, usage } = command;
  if (args.length < least || args.length > mostArgs) {
    const problem = args.length < least ? `needs ${missing}` : `does not take "${args.at(-1)}"`;
    throw usageError(`${name} ${problem}`, `Usage: ${usage}`);
  }
  return await command.run(input) ?? 0;
}

function programHelp(program: Program): string {
  const { bold } = paintFor(Deno.stdout);
  const { name, about, launch } = program;
  const commands = commandsOf(program);
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

/** Finds a command; the error for an unknown one says what to type for a tool of that name. */
async function findCommand(name: string, { args: [next], program, open }: CommandInput) {
  const commands = commandsOf(program);
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  const inventory = open().then((workspace) => workspace.inventory("known"));
  const tools = await inventory.then(({ tools }) => tools.map((tool) => tool.name), () => []);
  // In `plan next`, people write a tool in two words.
  const wanted = [nameKey(name), nameKey(`${name}_${next}`)];
  // Also without its group, such as `status`.
  const same = tools.filter((tool) =>
    wanted.includes(tool) || wanted.includes(tool.slice(tool.indexOf("_") + 1))
  );
  const calls = (meant: readonly string[]) =>
    meant.length === 0 ? "" : `Did you mean ${meant.map((tool) => `"call ${tool}"`).join(" or ")}?`;
  const written = next === undefined ? wanted[0]! : wanted[1]!;
  const guess = calls(same) || didYouMean(name, names) || calls(nearestNames(written, tools, 1));
  const all = `The commands are ${names.join(", ")}; without one it serves on stdio.`;
  throw usageError(`Unknown command: ${quotedName(name)}`, `${guess} ${all}`.trim());
}
