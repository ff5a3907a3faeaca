/**
 * Parses the arguments of a program, then serves or runs one command. There are two programs: the
 * server, and the Ralph workflow alone.
 */

import { RefraktError } from "../errors.ts";
import { exitProcess, writeStderr, writeStdout } from "../io/pipes.ts";
import { ownProcess } from "../sandbox/modules.ts";
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
  const [name, ...rest] = flags.rest;
  if (flags.values["help"] || name === "help") {
    const { helpText } = await import("./help.ts");
    writeStdout(helpText(name === "help" ? rest : flags.rest, program));
    return 0;
  }
  if (name === "completions") {
    const { completions } = await import("./completions.ts");
    writeStdout(await completions(rest, program, () => program.open(flags, true)));
    return 0;
  }
  if (flags.values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  checkFlagsOf(name, flags, program.flags);
  serveOptions(flags);
  // The runtime then enforces it on all packages.
  if (flags.values["read-only"] === true) Deno.permissions.revokeSync({ name: "write" });
  if (name !== undefined) return await runCommand(program, name, rest, flags);
  if (Deno.stdin.isTerminal() && flags.values["http"] === undefined) writeStderr(TERMINAL_NOTE);
  await serve(await program.open(flags, false), flags);
  return undefined;
}

async function runCommand(
  program: Program,
  name: string,
  args: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const { findCommand } = await import("./commands/mod.ts");
  const command = findCommand(name, program.commands);
  if (args.length > command.mostArgs) {
    throw new RefraktError("INVALID_ARGS", `${name} does not take "${args.at(-1)}"`, {
      hint: `Usage: ${command.usage}`,
    });
  }
  if ("runAlone" in command) return command.runAlone({ args, flags });
  return await command.run({ workspace: await program.open(flags, true), args, flags });
}
