/**
 * The program: reads its arguments, and serves on stdio or runs one command.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../errors.ts";
import { carriedVersions } from "../packages/embedded.ts";
import { writeStdout } from "../sandbox/pipes.ts";
import { VERSION } from "../version.ts";
import { columns } from "./columns.ts";
import { runProgram } from "./exit.ts";
import { describeFlags, type Flags, type ParsedFlags, parseFlags } from "./flags.ts";
import { COMMON_FLAGS, serveOptions } from "./serve_flags.ts";

const { cwd, help, version, ...serving } = COMMON_FLAGS;

const FLAGS: Flags = {
  cwd: cwd!,
  plugin: {
    type: "string",
    value: "name",
    multiple: true,
    help: "Turn a bundled plugin on, such as ralph",
  },
  ...serving,
  "max-output": {
    type: "string",
    value: "characters",
    help: "The longest result (default: 60000)",
  },
  json: { type: "boolean", help: "Print plain JSON (read, list, doctor, config)" },
  help: help!,
  version: version!,
};

/** Runs the program. */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(() => run(args));
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, FLAGS);
  if (flags.values["help"]) {
    writeStdout(await helpText());
    return 0;
  }
  if (flags.values["version"]) {
    writeStdout(versionText());
    return 0;
  }
  const [name, ...rest] = flags.rest;
  if (name !== undefined) return await runCommand(name, rest, flags);
  const { serveOnStdio } = await import("../server/stdio.ts");
  await serveOnStdio(await openFor(flags), serveOptions(flags));
  return undefined;
}

async function runCommand(
  name: string,
  args: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const { COMMANDS } = await import("./commands/mod.ts");
  const command = COMMANDS.find((entry) => entry.name === name);
  if (command === undefined) {
    throw new RefraktError("INVALID_ARGS", `Unknown command: ${name}`, {
      hint: `${didYouMean(name, COMMANDS.map((entry) => entry.name))} The commands are ${
        COMMANDS.map((entry) => entry.name).join(", ")
      }; without one it serves on stdio.`.trim(),
    });
  }
  if (args.length > command.mostArgs) {
    throw new RefraktError("INVALID_ARGS", `${name} does not take "${args.at(-1)}"`, {
      hint: `Usage: ${command.usage}`,
    });
  }
  return await command.run({ workspace: await openFor(flags), args, flags });
}

/** Opens the workspace that the flags mean. */
async function openFor({ values }: ParsedFlags) {
  const cwd = values["cwd"] as string | undefined;
  const { openWorkspace } = await import("../workspace/mod.ts");
  const budget = maxOutput(values["max-output"]);
  const workspace = openWorkspace({
    ...(cwd === undefined ? {} : { cwd }),
    plugins: bundledPlugins(values["plugin"] as string[] | undefined),
    ...(budget === undefined ? {} : { budget }),
  });
  // Commands without a structured handler look at the process's own directory.
  if (cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

function bundledPlugins(names: readonly string[] = []): readonly string[] {
  const wrong = names.find((name) => name !== "ralph");
  if (wrong === undefined) return names;
  throw new RefraktError("INVALID_ARGS", `--plugin does not take "${wrong}"`, {
    hint: 'It takes ralph. Other plugins are named in "plugins" of refrakt.config.json.',
  });
}

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1000) return number;
  throw new RefraktError("INVALID_ARGS", `--max-output does not take "${value}"`, {
    hint: "It takes a whole number, 1000 or more.",
  });
}

const USAGE_LINE =
  `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp [flags] [command]`;

const BINARY_NOTE = `
This is a compiled binary: it reads the folder that it is started in, writes plan/ there and runs
git, and its packages are fixed (see --version). Where a project needs more, such as --allow-write
for Ralph's specs/ or another version of a package, run the server from JSR instead:
  ${USAGE_LINE.replaceAll("\n       ", "\n  ")}
`;

async function helpText(standalone = Deno.build.standalone): Promise<string> {
  const { COMMANDS } = await import("./commands/mod.ts");
  return `refrakt-mcp ${VERSION}: a Model Context Protocol server for refrakt projects

Usage: ${standalone ? "refrakt-mcp [flags] [command]" : USAGE_LINE}

Without a command it serves MCP on stdin and stdout.
${standalone ? BINARY_NOTE : ""}
Commands:
${columns(COMMANDS.map(({ usage, help }) => [usage, help]))}
Flags:
${describeFlags(FLAGS)}

Exit codes: 0 for good, 1 for a failed call or check, 2 for arguments that are not understood.
`;
}

/** The version; of a binary also those of the packages that it carries. */
function versionText(carried = carriedVersions()): string {
  const packages = Object.entries(carried ?? {}).map(([name, version]) => `${name} ${version}\n`);
  return `${VERSION}\n${packages.join("")}`;
}
