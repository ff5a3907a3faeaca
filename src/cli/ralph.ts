/**
 * The program that serves the Ralph workflow alone, or runs one command.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../errors.ts";
import { textOf } from "../io/json.ts";
import { revokeWriting } from "../io/permissions.ts";
import { writeStdout } from "../io/pipes.ts";
import { VERSION } from "../version.ts";
import { columns } from "./columns.ts";
import type { Command } from "./commands/types.ts";
import { runProgram } from "./exit.ts";
import { checkFlagsOf, flagRows, type Flags, type ParsedFlags, parseFlags } from "./flags.ts";
import { COMMON_FLAGS, serve, serveOptions } from "./serve_flags.ts";

const INSTRUCTIONS = "Ralph Specum: a spec-driven workflow in five phases (research, " +
  "requirements, design, tasks, execution). Call ralph_status first: it says what is next, as " +
  "every answer does; ralph_start begins a spec. Each phase tool gives instructions to follow; " +
  "when its document is written, call ralph_complete_phase. In execution, ralph_implement hands " +
  "out one task, and ralph_task_result takes its command and exit code. Errors carry errorCode " +
  "and hint; the hint names the next tool to call.";

const FLAGS: Flags = {
  ...COMMON_FLAGS,
  json: {
    type: "boolean",
    help: "Print plain JSON",
    commands: ["call", "list", "read", "doctor"],
  },
};

/** Runs the program. */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(() => run(args));
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, FLAGS);
  const [name, ...rest] = flags.rest;
  if (flags.values["help"] || name === "help") {
    writeStdout(helpText(await commands()));
    return 0;
  }
  if (flags.values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  checkFlagsOf(name, flags, FLAGS);
  serveOptions(flags);
  if (name !== undefined) return await runCommand(name, rest, flags);
  await serve(await open(flags), flags);
  return undefined;
}

async function runCommand(
  name: string,
  args: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const known = await commands();
  const command = known.find((entry) => entry.name === name);
  if (command === undefined) {
    const names = [...known.map((entry) => entry.name), "help"];
    throw new RefraktError("INVALID_ARGS", `Unknown command: ${name}`, {
      hint: `${didYouMean(name, names)} The commands are ${
        names.join(", ")
      }; without one it serves on stdio.`.trim(),
    });
  }
  if (args.length > command.mostArgs) {
    throw new RefraktError("INVALID_ARGS", `${name} does not take "${args.at(-1)}"`, {
      hint: `Usage: ${command.usage}`,
    });
  }
  return await command.run({ workspace: await open(flags), args, flags });
}

/** The commands of the main program that need nothing but a workspace, and a doctor for specs. */
async function commands(): Promise<readonly Command[]> {
  const [{ call }, { read }, { list }, { ralphDoctor }] = await Promise.all([
    import("./commands/call.ts"),
    import("./commands/read.ts"),
    import("./commands/list.ts"),
    import("./commands/ralph_doctor.ts"),
  ]);
  return [call, read, list, ralphDoctor];
}

async function open({ values }: ParsedFlags) {
  if (values["read-only"] === true) revokeWriting();
  const { openSingleWorkspace } = await import("../workspace/single.ts");
  const cwd = textOf(values["cwd"]);
  return openSingleWorkspace({
    ...(cwd === undefined ? {} : { cwd }),
    readOnly: values["read-only"] === true,
    name: "ralph-specum",
    title: "Ralph Specum",
    instructions: INSTRUCTIONS,
    plugin: "ralph",
    load: async () => (await import("../../plugins/ralph/plugin.ts")).ralphPlugin,
  });
}

function helpText(known: readonly Command[]): string {
  const rows: [string, string][] = known.map(({ usage, help }) => [usage, help]);
  return `ralph-specum ${VERSION}: the Ralph Specum workflow as a Model Context Protocol server

Usage: deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore \\
         jsr:@refrakt/mcp/ralph [flags] [command]

Without a command it serves MCP on stdin and stdout.

Commands:
${columns(rows)}
Flags:
${columns(flagRows(FLAGS))}
Exit codes: 0 for good, 1 for a failed call or check, 2 for arguments that are not understood.
`;
}
