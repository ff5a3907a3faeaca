/** The programs, which serve or run one command: the server, and the one that serves a plugin alone. */

import type { OnlyPlugin } from "../host/open_workspace.ts";
import { RefraktError } from "../errors.ts";
import { dropKept } from "../io/kept.ts";
import { exitProcess, writeStderr, writeStdout } from "../io/pipes.ts";
import { ownProcess } from "../packages/replaced_modules.ts";
import { VERSION } from "../version.ts";
import type { Program } from "./commands/command.ts";
import { checkFlagsOf, FLAGS, type ParsedFlags, parseFlags, usageError } from "./flags.ts";
import { serve, workspaceOptions } from "./serve_flags.ts";
import { errorText } from "./start.ts";
import { printNote } from "./terminal.ts";

const SERVER: Program = {
  name: "refrakt-mcp",
  about: "a Model Context Protocol server for refrakt projects",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp`,
  flags: FLAGS,
};

const TERMINAL_NOTE = "Waiting for an MCP client on stdin. Try help, or config <client> for " +
  "a client's configuration; Ctrl-C exits.\n";

const PLUGIN_FLAGS = Object.fromEntries(
  "cwd tool-names tools log-level read-only http token-file origin json help version".split(" ")
    .map((name) => [name, FLAGS[name]!]),
);

const INVALID: ReadonlySet<string> = new Set(["INVALID_ARGS", "VALIDATION_ERROR"]);

export async function main(args: readonly string[]): Promise<void> {
  await runProgram(SERVER, args);
}

/** The program that serves one plugin of this package alone. */
export function programOf(only: OnlyPlugin & Pick<Program, "about" | "launch">) {
  const commands = ["call", "read", "list", "doctor", "help"];
  const program = { ...only, flags: PLUGIN_FLAGS, commands, only };
  return { main: (args: readonly string[]): Promise<void> => runProgram(program, args) };
}

/** @param patient Whether it waits for packages without a time limit, as commands do. */
async function openFor({ only }: Program, flags: ParsedFlags, patient: boolean) {
  // Code of this project must not reach what is kept of others.
  if (flags.values["trust"] === true) dropKept();
  const { openWorkspace } = await import("../host/open_workspace.ts");
  const options = workspaceOptions(flags);
  const alone = only && { only, plugins: [only.plugin.name], mayKeep: false };
  const workspace = openWorkspace({ ...options, patient, ...alone });
  // Commands without an MCP handler use the process's working directory.
  if (options.cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

/** Runs a program. Exits with its exit code unless it serves. */
async function runProgram(program: Program, args: readonly string[]): Promise<void> {
  ownProcess();
  try {
    const code = await run(program, args);
    if (code !== undefined) exitProcess(code);
  } catch (error) {
    printNote(`${errorText(error)}\n`);
    exitProcess(error instanceof RefraktError && INVALID.has(error.code) ? 2 : 1);
  }
}

async function run(program: Program, args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, program.flags);
  const { values, rest: [name, ...words] } = flags;
  if (values["help"]) {
    const topic = name === "call" ? words[0] ?? name : name;
    return await runCommand(program, "help", topic === undefined ? [] : [topic], flags);
  }
  if (values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  checkFlagsOf(name, flags, program.flags);
  // The runtime then enforces it on all packages.
  if (values["read-only"] === true) Deno.permissions.revokeSync({ name: "write" });
  if (name !== undefined) return await runCommand(program, name, words, flags);
  if (Deno.stdin.isTerminal() && values["http"] === undefined) writeStderr(TERMINAL_NOTE);
  await serve(await openFor(program, flags, false), flags);
  return undefined;
}

async function runCommand(
  program: Program,
  name: string,
  args: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const { COMMANDS } = await import("./commands/mod.ts");
  const { findCommand } = await import("./commands/help.ts");
  const commands = COMMANDS.filter((each) => program.commands?.includes(each.name) ?? true);
  const open = (wanted = flags) => openFor(program, wanted, true);
  const command = await findCommand(name, args[0], commands, open);
  const { needs: [least, what] = [0, ""], mostArgs, usage } = command;
  if (args.length < least || args.length > mostArgs) {
    const problem = args.length < least ? `needs ${what}` : `does not take "${args.at(-1)}"`;
    throw usageError(`${name} ${problem}`, `Usage: ${usage}`);
  }
  return await command.run({ args, flags, program, commands, open });
}
