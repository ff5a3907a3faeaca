/**
 * The server's program: its flags, its commands and how it opens a project.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { textOf, textsOf } from "../io/json.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type Flags, type ParsedFlags, SERVING } from "./flags.ts";
import { type Program, runProgram } from "./program.ts";
import { CODE_FLAGS, codePolicy, COMMON_FLAGS } from "./serve_flags.ts";

const { cwd, help, version, ...serving } = COMMON_FLAGS;

const FLAGS: Flags = {
  cwd: cwd!,
  plugin: {
    type: "string",
    value: "name",
    multiple: true,
    help: "Turn on a bundled plugin, such as ralph",
    commands: [SERVING, "call", "read", "list", "doctor"],
  },
  ...serving,
  ...CODE_FLAGS,
  "max-output": {
    type: "string",
    value: "characters",
    help: "The longest result (default: 30000)",
    commands: [SERVING],
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
    help: "The site (default: every site for check, the first one for view preview)",
    commands: ["check", "view"],
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
    help: "Start Deno through npx, for machines with only Node installed",
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

const SERVER: Program = {
  name: "refrakt-mcp",
  about: "a Model Context Protocol server for refrakt projects",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp`,
  flags: FLAGS,
  commands: ["call", "read", "list", "check", "doctor", "setup", "config", "warm", "view"],
  open: openFor,
};

/** Runs the program. */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(SERVER, args);
}

/** Opens the project with the options of the flags. */
async function openFor(flags: ParsedFlags, patient: boolean): Promise<Workspace> {
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
  // Commands without a structured handler use the process's working directory.
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
