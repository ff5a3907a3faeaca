/**
 * Parses the arguments of a program, then serves or runs one command. There are two programs: the
 * server, and the Ralph workflow alone.
 */

import { RefraktError } from "../errors.ts";
import { exitProcess, writeStderr, writeStdout } from "../io/pipes.ts";
import { ownProcess } from "../packages/replaced_modules.ts";
import { VERSION } from "../version.ts";
import type { Program } from "./commands/command.ts";
import { checkFlagsOf, type ParsedFlags, parseFlags } from "./flags.ts";
import { errorText, exitCodeOf, printNote } from "./print.ts";
import { serve, serveOptions } from "./serve_flags.ts";

const TERMINAL_NOTE = "Waiting for an MCP client on stdin. Try help, or config <client> for " +
  "a client's configuration; Ctrl-C exits.\n";

/** Runs a program. Exits with its exit code unless it serves. */
export async function runProgram(program: Program, args: readonly string[]): Promise<void> {
  ownProcess();
  try {
    const code = await run(program, args);
    if (code !== undefined) exitProcess(code);
  } catch (error) {
    printNote(`${errorText(error)}\n`);
    exitProcess(exitCodeOf(error));
  }
}

async function run(program: Program, args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, program.flags);
  if (flags.values["help"]) {
    const [command, tool] = flags.rest;
    const topic = command === "call" && tool !== undefined ? tool : command;
    return await runCommand(program, ["help", ...topic === undefined ? [] : [topic]], flags);
  }
  const [name] = flags.rest;
  if (flags.values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  checkFlagsOf(name, flags, program.flags);
  serveOptions(flags);
  // The runtime then enforces it on all packages.
  if (flags.values["read-only"] === true) Deno.permissions.revokeSync({ name: "write" });
  if (name !== undefined) return await runCommand(program, flags.rest, flags);
  if (Deno.stdin.isTerminal() && flags.values["http"] === undefined) writeStderr(TERMINAL_NOTE);
  await serve(await program.open(flags, false), flags);
  return undefined;
}

async function runCommand(
  program: Program,
  [name = "", ...args]: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const { COMMANDS } = await import("./commands/mod.ts");
  const { findCommand } = await import("./commands/find.ts");
  const commands = COMMANDS.filter((each) => program.commands?.includes(each.name) ?? true);
  const open = (wanted = flags) => program.open(wanted, true);
  const command = await findCommand(name, args[0], commands, open);
  const { needs: [least, what] = [0, ""], mostArgs, usage } = command;
  if (args.length < least || args.length > mostArgs) {
    const problem = args.length < least ? `needs ${what}` : `does not take "${args.at(-1)}"`;
    throw new RefraktError("INVALID_ARGS", `${name} ${problem}`, { hint: `Usage: ${usage}` });
  }
  return await command.run({ args, flags, program, commands, open });
}
