/**
 * The program: reads its arguments, and serves on stdio or runs one command.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { textOf, textsOf } from "../io/json.ts";
import { carriedVersions } from "../npm/embedded.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { VERSION } from "../version.ts";
import type { Workspace } from "../tools/workspace.ts";
import { exitCodeOf, runProgram, USAGE } from "./exit.ts";
import { checkFlagsOf, type Flags, type ParsedFlags, parseFlags } from "./flags.ts";
import { CODE_FLAGS, codePolicy, COMMON_FLAGS, serve, serveOptions } from "./serve_flags.ts";

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
  ...CODE_FLAGS,
  "max-output": {
    type: "string",
    value: "characters",
    help: "The longest result (default: 30000)",
  },
  json: {
    type: "boolean",
    help: "Print JSON, also on a terminal",
    commands: ["call", "read", "list", "doctor", "setup", "config", "warm", "check"],
  },
  format: {
    type: "string",
    value: "text | json | sarif",
    help: "How the findings are printed (default: text)",
    commands: ["check"],
  },
  site: {
    type: "string",
    value: "name",
    help: "One site alone; every site of the project by default",
    commands: ["check"],
  },
  changed: {
    type: "boolean",
    help: "Only pages that differ from git's HEAD, and those that depend on them",
    commands: ["check"],
  },
  fix: {
    type: "boolean",
    help: "Apply the corrections that are certain, to files that may be written",
    commands: ["check"],
  },
  "dry-run": {
    type: "boolean",
    help: "Show what --fix would change",
    commands: ["check"],
  },
  npx: {
    type: "boolean",
    help: "Start Deno by npx, for machines that have Node alone",
    commands: ["config", "setup"],
  },
  yes: {
    type: "boolean",
    short: "y",
    help: "Write without asking",
    commands: ["setup"],
  },
  remove: {
    type: "boolean",
    help: "Remove what setup wrote",
    commands: ["setup"],
  },
  help: help!,
  version: version!,
};

/** Runs the program. */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(() => run(args));
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, FLAGS);
  const [name, ...rest] = flags.rest;
  if (flags.values["help"] || name === "help") {
    const { helpText } = await import("./help.ts");
    writeStdout(await helpText(name === "help" ? rest : flags.rest, FLAGS));
    return 0;
  }
  if (flags.values["version"]) {
    writeStdout(versionText());
    return 0;
  }
  checkFlagsOf(name, flags, FLAGS);
  serveOptions(flags);
  if (name !== undefined) return await runCommand(name, rest, flags);
  if (Deno.stdin.isTerminal() && flags.values["http"] === undefined) writeStderr(TERMINAL_NOTE);
  await serve(await openFor(flags, false), flags);
  return undefined;
}

/** For somebody who starts the server by hand and sees nothing happen. */
const TERMINAL_NOTE =
  "refrakt-mcp waits for a client on stdin; add help for the commands, config <client> for a " +
  "client's configuration, or end it with Ctrl-C.\n";

async function runCommand(
  name: string,
  args: readonly string[],
  flags: ParsedFlags,
): Promise<number> {
  const { findCommand } = await import("./commands/mod.ts");
  const command = findCommand(name);
  if (args.length > command.mostArgs) {
    throw new RefraktError("INVALID_ARGS", `${name} does not take "${args.at(-1)}"`, {
      hint: `Usage: ${command.usage}`,
    });
  }
  let workspace: Workspace;
  try {
    workspace = await openFor(flags, true);
  } catch (error) {
    if (command.withoutProject === undefined || exitCodeOf(error) === USAGE) throw error;
    return command.withoutProject(error, flags);
  }
  return await command.run({ workspace, args, flags });
}

/** Opens the workspace that the flags mean. */
async function openFor(flags: ParsedFlags, patient: boolean) {
  const { values } = flags;
  const cwd = textOf(values["cwd"]);
  const { openWorkspace } = await import("../workspace/mod.ts");
  const budget = maxOutput(values["max-output"]);
  const workspace = openWorkspace({
    ...(cwd === undefined ? {} : { cwd }),
    plugins: bundledPlugins(textsOf(values["plugin"])),
    readOnly: values["read-only"] === true,
    code: codePolicy(flags),
    patient,
    ...(budget === undefined ? {} : { budget }),
  });
  // Commands without a structured handler look at the process's own directory.
  if (cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

function bundledPlugins(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => name !== "ralph");
  if (wrong === undefined) return names;
  throw new RefraktError("INVALID_ARGS", `--plugin does not take "${wrong}"`, {
    hint: 'It takes ralph. Other plugins are named in "plugins" of refrakt.config.json.',
  });
}

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 1000) return number;
  throw new RefraktError("INVALID_ARGS", `--max-output does not take "${value}"`, {
    hint: "It takes a whole number, 1000 or more.",
  });
}

/** The version; of a binary also those of the packages that it carries. */
function versionText(carried = carriedVersions()): string {
  const packages = Object.entries(carried ?? {}).map(([name, version]) => `${name} ${version}\n`);
  return `${VERSION}\n${packages.join("")}`;
}
