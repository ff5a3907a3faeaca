/** The server program: its flags, its commands and how it opens a project. */

import { allowKept, dropKept } from "../io/kept.ts";
import { textOf, textsOf } from "../io/json.ts";
import { remoteChoice } from "../host/remote.ts";
import type { Workspace } from "../host/workspace.ts";
import { VERSION } from "../version.ts";
import { type Flags, type ParsedFlags, SERVING, toggle, valued, wrongValue } from "./flags.ts";
import type { Program } from "./commands/command.ts";
import { runProgram } from "./program.ts";
import { chosenTools, CODE_FLAGS, codePolicy, COMMON_FLAGS, REMOTE_FLAGS } from "./serve_flags.ts";

const { cwd, help, version, ...serving } = COMMON_FLAGS;

const PLUGIN_COMMANDS = [SERVING, "call", "read", "list", "doctor"];
const JSON_COMMANDS = [
  "prime",
  "today",
  "call",
  "read",
  "list",
  "doctor",
  "setup",
  "config",
  "warm",
  "check",
  "query",
  "claims",
];

const FLAGS: Flags = {
  cwd,
  plugin: {
    ...valued("name", "Enable a bundled plugin: ralph", ...PLUGIN_COMMANDS),
    multiple: true,
  },
  ...serving,
  ...CODE_FLAGS,
  ...REMOTE_FLAGS,
  "max-output": valued("characters", "The maximum length of a result (default: 30000)", SERVING),
  json: toggle("Print JSON, also on a terminal", ...JSON_COMMANDS),
  format: valued("text | json | sarif", "The format of the findings (default: text)", "check"),
  site: valued(
    "name",
    "The site (default: all for check, the first one for view)",
    "check",
    "view",
  ),
  editor: valued("name", "The editor that opens files: vscode, cursor or zed", "view"),
  out: valued("file", "Write it to this file", "read"),
  csv: toggle("Print comma-separated values", "query"),
  since: valued("commit", "Only what is new since a commit, a branch or HEAD", "check"),
  by: valued("name", "Only the changes by an author", "today"),
  fix: toggle("Apply safe corrections to files with write permission", "check"),
  port: valued("port", "A port of 127.0.0.1, in place of any free one", "view"),
  "dry-run": toggle("Show what --fix would change", "check"),
  npx: toggle("Start Deno through npx, for machines with only Node installed", "config", "setup"),
  "no-cache": toggle("Keep nothing of this project for the next start", SERVING),
  git: toggle("Allow git although the project's code is trusted", "config", "setup", "doctor"),
  free: { ...valued("id", "Free a claim whose owner is gone", "claims"), multiple: true },
  "free-idle": valued("days", "Free claims without a commit for so long", "claims"),
  yes: { ...toggle("Go on without asking", "setup", "claims"), short: "y" },
  remove: toggle("Remove what setup wrote", "setup"),
  hooks: toggle("Write a hook that runs prime when a session of the client starts", "setup"),
  help,
  version,
};

const SERVER: Program = {
  name: "refrakt-mcp",
  about: "a Model Context Protocol server for refrakt projects",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp`,
  flags: FLAGS,
  open: openFor,
};

export async function main(args: readonly string[]): Promise<void> {
  await runProgram(SERVER, args);
}

async function openFor(flags: ParsedFlags, patient: boolean): Promise<Workspace> {
  const { values } = flags;
  const cwd = textOf(values["cwd"]);
  const mayKeep = !["no-cache", "read-only", "trust"].some((name) => values[name] !== undefined);
  // Code of this project must not reach what is kept of others.
  if (values["trust"] === true) dropKept();
  const { openWorkspace } = await import("../host/open_workspace.ts");
  const workspace = openWorkspace({
    cwd,
    plugins: bundledPlugins(textsOf(values["plugin"])),
    readOnly: values["read-only"] === true,
    tools: chosenTools(flags),
    code: codePolicy(flags),
    remote: remoteChoice(textOf(values["remote"]), textOf(values["remote-refs"])),
    patient,
    budget: maxOutput(values["max-output"]),
  });
  if (mayKeep) allowKept(workspace.project().cwd, VERSION);
  // Commands without an MCP handler use the process's working directory.
  if (cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

function bundledPlugins(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => name !== "ralph");
  if (wrong === undefined) return names;
  const hint = 'The only bundled plugin is ralph; refrakt.config.json lists others in "plugins".';
  throw wrongValue("plugin", wrong, hint);
}

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 1000) return number;
  throw wrongValue("max-output", value, "It must be an integer of at least 1000.");
}
