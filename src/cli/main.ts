/** The server program, and how it opens a project. */

import { dropKept } from "../io/kept.ts";
import { textOf, textsOf } from "../io/json.ts";
import { remoteChoice } from "../host/remote.ts";
import type { OnlyPlugin, Workspace } from "../host/open_workspace.ts";
import { FLAGS, OPTIONAL_PLUGINS, PLUGIN_FLAGS } from "./flag_table.ts";
import { type ParsedFlags, wrongValue } from "./flags.ts";
import type { Program } from "./commands/command.ts";
import { runProgram } from "./program.ts";
import { chosenTools, codePolicy } from "./serve_flags.ts";

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

/** The program that serves one plugin of this package alone. */
export function programOf(
  { about, launch, ...only }: OnlyPlugin & Pick<Program, "about" | "launch">,
) {
  const program: Program = {
    name: only.name,
    about,
    launch,
    flags: PLUGIN_FLAGS,
    commands: ["call", "read", "list", "doctor", "help"],
    open: (flags, patient) => openFor(flags, patient, only),
  };
  return { main: (args: readonly string[]): Promise<void> => runProgram(program, args) };
}

async function openFor(
  flags: ParsedFlags,
  patient: boolean,
  only?: OnlyPlugin,
): Promise<Workspace> {
  const { values } = flags;
  const cwd = textOf(values["cwd"]);
  const isKept = !["no-cache", "read-only", "trust"].some((name) => values[name] !== undefined);
  // Code of this project must not reach what is kept of others.
  if (values["trust"] === true) dropKept();
  const { openWorkspace } = await import("../host/open_workspace.ts");
  const workspace = openWorkspace({
    cwd,
    plugins: only === undefined ? bundledPlugins(textsOf(values["plugin"])) : [only.plugin.name],
    readOnly: values["read-only"] === true,
    tools: chosenTools(flags),
    code: codePolicy(flags),
    remote: remoteChoice(textOf(values["remote"]), textOf(values["remote-refs"])),
    patient,
    budget: maxOutput(values["max-output"]),
    mayKeep: isKept && only === undefined,
    ...only && { only },
  });
  // Commands without an MCP handler use the process's working directory.
  if (cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

function bundledPlugins(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !OPTIONAL_PLUGINS.includes(name));
  if (wrong === undefined) return names;
  const hint = `It must be ${
    OPTIONAL_PLUGINS.join(" or ")
  }; refrakt.config.json lists others in "plugins".`;
  throw wrongValue("plugin", wrong, hint);
}

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 1000) return number;
  throw wrongValue("max-output", value, "It must be an integer of at least 1000.");
}
