/**
 * The program: reads its arguments, and serves on stdio or runs one command.
 *
 * @module
 */

import process from "node:process";
import { messageOf, RefraktError } from "../errors.ts";
import { exitProcess, writeStderr } from "../sandbox/process_guard.ts";
import type { NameStyle } from "../server/clients.ts";
import type { LogLevel } from "../surface/context.ts";
import { VERSION } from "../version.ts";
import { describeFlags, type Flags, type ParsedFlags, parseFlags } from "./flags.ts";

const FLAGS: Flags = {
  cwd: { type: "string", value: "path", help: "The project's directory (default: where it runs)" },
  plugin: {
    type: "string",
    value: "name",
    multiple: true,
    help: "Turn a bundled plugin on, such as ralph",
  },
  "tool-names": {
    type: "string",
    value: "style",
    help: "dotted or underscores (default: what the client can say)",
  },
  "max-output": {
    type: "string",
    value: "characters",
    help: "The longest result (default: 60000)",
  },
  "log-level": {
    type: "string",
    value: "level",
    help: "debug, info, warning or error on stderr (default: info)",
  },
  help: { type: "boolean", short: "h", help: "Show this help" },
  version: { type: "boolean", short: "v", help: "Show the version" },
};

/** Runs the program and ends the process with its exit code where it does not serve. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const code = await run(args);
    if (code !== undefined) exitProcess(code);
  } catch (error) {
    writeStderr(`${errorText(error)}\n`);
    exitProcess(error instanceof RefraktError && error.code === "INVALID_ARGS" ? 2 : 1);
  }
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, FLAGS);
  if (flags.values["help"]) {
    process.stdout.write(helpText());
    return 0;
  }
  if (flags.values["version"]) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const [command] = flags.rest;
  if (command !== undefined) {
    throw new RefraktError("INVALID_ARGS", `Unknown command: ${command}`, {
      hint: "Run without a command to serve on stdio; see --help.",
    });
  }
  await serve(flags);
  return undefined;
}

async function serve({ values }: ParsedFlags): Promise<void> {
  const cwd = values["cwd"] as string | undefined;
  const [{ openWorkspace }, { serveOnStdio }] = await Promise.all([
    import("../workspace/mod.ts"),
    import("../server/stdio.ts"),
  ]);
  const toolNames = oneOf<NameStyle>(values, "tool-names", ["dotted", "underscores"]);
  const logLevel = oneOf<LogLevel>(values, "log-level", ["debug", "info", "warning", "error"]);
  const budget = positiveInteger(values, "max-output");
  const workspace = openWorkspace({
    ...(cwd === undefined ? {} : { cwd }),
    plugins: (values["plugin"] as string[] | undefined) ?? [],
    ...(budget === undefined ? {} : { budget }),
  });
  // Commands without a structured handler look at the process's own directory.
  if (cwd !== undefined) Deno.chdir(workspace.project().cwd);
  serveOnStdio(workspace, {
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(logLevel === undefined ? {} : { logLevel }),
  });
}

/** An error as lines for a person. */
export function errorText(error: unknown): string {
  if (!(error instanceof RefraktError)) return `Error: ${messageOf(error)}`;
  return `Error: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
}

function oneOf<Value extends string>(
  values: ParsedFlags["values"],
  name: string,
  valid: readonly Value[],
): Value | undefined {
  const value = values[name];
  if (value === undefined || valid.includes(value as Value)) return value as Value | undefined;
  throw new RefraktError("INVALID_ARGS", `--${name} does not take "${value}"`, {
    hint: `It takes ${valid.join(", ")}.`,
  });
}

function positiveInteger(values: ParsedFlags["values"], name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1000) return number;
  throw new RefraktError("INVALID_ARGS", `--${name} does not take "${value}"`, {
    hint: "It takes a whole number, 1000 or more.",
  });
}

function helpText(): string {
  return `refrakt-mcp ${VERSION}: a Model Context Protocol server for refrakt projects

Usage: deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp [flags]

Without a command it serves MCP on stdin and stdout.

Flags:
${describeFlags(FLAGS)}
`;
}
