/**
 * Runs a program: reads its arguments, and serves or runs one command. The server and the
 * Ralph workflow alone are two programs of this kind.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { revokeWriting } from "../io/permissions.ts";
import { exitProcess, writeStderr, writeStdout } from "../io/pipes.ts";
import type { Workspace } from "../tools/workspace.ts";
import { VERSION } from "../version.ts";
import { checkFlagsOf, type Flags, type ParsedFlags, parseFlags } from "./flags.ts";
import { errorText, exitCodeOf, printNote } from "./print.ts";
import { serve, serveOptions } from "./serve_flags.ts";

/** What differs between the programs. */
export interface Program {
  /** The name in its help. */
  readonly name: string;
  /** What it is, after its name. */
  readonly about: string;
  /** The command that starts it. */
  readonly launch: string;
  /** The flags that it takes. */
  readonly flags: Flags;
  /** The names of its commands, in the order of the help. */
  readonly commands: readonly string[];
  /** Opens the project; a one-shot command waits for packages as long as they take. */
  open(flags: ParsedFlags, isCommand: boolean): Promise<Workspace>;
}

/** For somebody who starts the server by hand and sees nothing happen. */
const TERMINAL_NOTE = "The server waits for a client on stdin; add help for the commands, " +
  "config <client> for a client's configuration, or end it with Ctrl-C.\n";

/** Runs a program, and ends the process with its exit code; one that serves goes on. */
export async function runProgram(program: Program, args: readonly string[]): Promise<void> {
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
  // Then the runtime holds it, whatever a package tries.
  if (flags.values["read-only"] === true) revokeWriting();
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
  return await command.run({ workspace: await program.open(flags, true), args, flags });
}
