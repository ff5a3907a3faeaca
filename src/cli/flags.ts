/** The command-line flags, their values, and the commands that take them. */

import { BUNDLED } from "../bundled.ts";
import { nearestNames, RefraktError } from "../errors.ts";
import { unknownNames } from "../host/inventory.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { nodeModule } from "../io/lazily.ts";
import { isToolName, nameKey } from "../plugin/tool.ts";

/** Represents the absence of a command in {@linkcode FlagDefinition.commands}. */
export const SERVING = "serving";

/** `value` is the placeholder of the flag's value in the help. */
interface FlagDefinition {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly value?: string;
  readonly help: string;
  /** The commands that accept the flag; all by default. */
  readonly commands?: readonly string[] | undefined;
}

export type Flags = Readonly<Record<string, FlagDefinition>>;

function toggle(help: string, ...commands: string[]): FlagDefinition {
  return { type: "boolean", help, commands: commands.length === 0 ? undefined : commands };
}

function valued(value: string, help: string, ...commands: string[]): FlagDefinition {
  return { ...toggle(help, ...commands), type: "string", value };
}

/** The error for an invalid command line. */
export function usageError(problem: string, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", problem, { hint });
}

export function wrongValue(flag: string, value: unknown, hint: string): RefraktError {
  return usageError(`Invalid value for --${flag}: "${value}"`, hint);
}

export interface ParsedFlags {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** The positional arguments. */
  readonly rest: readonly string[];
}

/** @throws {RefraktError} `INVALID_ARGS` for an unknown flag or a missing or extra value. */
export function parseFlags(args: readonly string[], flags: Flags): ParsedFlags {
  if (args.length === 0) return { values: {}, rest: [] };
  const names = Object.keys(flags).map((name) => `--${name}`);
  const { tokens, values, positionals } = nodeModule("node:util").parseArgs({
    args: [...args],
    options: flags,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    if (!Object.hasOwn(flags, token.name)) {
      const [guess] = nearestNames(rawName, names, 1);
      const hint = guess
        ? `Did you mean ${guess}? See --help.`
        : `The flags are ${names.join(", ")}.`;
      throw usageError(`Unknown flag: ${rawName}`, hint);
    }
    const flag = flags[token.name]!;
    if (flag.type === "string" && !value) {
      throw usageError(`${rawName} needs a value`, `Write ${rawName} <${flag.value}>.`);
    }
    if (flag.type === "boolean" && value !== undefined) {
      throw usageError(`${rawName} takes no value`, `Write ${rawName} alone.`);
    }
    if (value !== undefined && VALID[token.name]?.(value) === false) {
      throw wrongValue(token.name, value, `${rawName} <${flag.value}>: ${flag.help}.`);
    }
  }
  return { values, rest: positionals };
}

/** Flags that mean nothing without another one. */
const NEEDS = new Map([["token-file", "http"], ["origin", "http"], ["remote-refs", "remote"]]);

/** Rejects a flag that has no effect on a command, by default on serving, or without another flag. */
export function checkFlagsOf(command = SERVING, { values }: ParsedFlags, flags: Flags): void {
  for (const name of Object.keys(values)) {
    const needed = NEEDS.get(name);
    if (needed !== undefined && values[needed] === undefined) {
      const hint = `Add --${needed} <${flags[needed]!.value}>.`;
      throw usageError(`--${name} is for --${needed}`, hint);
    }
    const { commands = [SERVING] } = flags[name]!;
    // The server's flags are always accepted: `doctor` may follow a complete server command line.
    if (commands.some((each) => each === SERVING || each === command)) continue;
    const hint = `It applies to ${commands.join(", ")}.`;
    throw usageError(`--${name} has no effect on ${command}`, hint);
  }
}

export function flagRows(flags: Flags, command: string): [string, string][] {
  return Object.entries(flags)
    .filter(([, { commands }]) => commands?.includes(command) ?? true)
    .map(([name, { short, value, help }]) => {
      const letter = short === undefined ? "" : `-${short}, `;
      return [`${letter}--${name}${value === undefined ? "" : ` <${value}>`}`, help];
    });
}

/** The groups that `--tools` accepts. */
const GROUPS: readonly string[] = [...BUNDLED.flatMap(({ groups = [] }) => groups), "all"];

/** The plugins of this package that are not for every project. */
const OPTIONAL_PLUGINS: readonly string[] = BUNDLED.flatMap(({ name, enable }) =>
  enable === undefined ? [] : name
);

/** Whether the value of a flag is valid; its help says which ones are. */
const VALID: Readonly<Record<string, (text: string) => boolean>> = {
  plugin: (text) => OPTIONAL_PLUGINS.includes(text),
  "tool-names": (text) => /^(?:dotted|underscore)$/.test(text),
  tools: (text) => text.split(",").every((name) => isToolName(nameKey(name.trim()))),
  "log-level": (text) => /^(?:debug|info|warning|error)$/.test(text),
  origin: (text) => /^https?:\/\/[^/\s]+$/.test(text),
  timeout: (text) => Number(text) > 0 && Number(text) <= 86_400,
  "remote-refs": (text) =>
    text.length <= 200 && !/\.lock(?:\/|$)/.test(text) &&
    /^refs(?:\/\w(?:\.?[\w-])*)+\/*$/.test(text),
  "max-output": (text) => Number.isSafeInteger(Number(text)) && Number(text) >= 1000,
  editor: (text) => /^(?:vscode|cursor|zed)$/.test(text),
  port: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535,
};

/** Throws if `--tools` names what neither the build nor the project's loaded plugins have. */
export async function checkChosenTools(workspace: Workspace): Promise<void> {
  if (workspace.project().tools === undefined) return;
  let inventory = await workspace.inventory("tools");
  if (unknownNames(inventory).length > 0) inventory = await workspace.inventory("all");
  const [name] = unknownNames(inventory);
  const isLoaded = inventory.warnings.every((warning) => warning.package === undefined);
  if (name === undefined || !isLoaded) return;
  const hint = `It is no tool and no group here. The groups are ${GROUPS.join(", ")}; ` +
    "without --tools, list tools prints the names.";
  throw wrongValue("tools", name, hint);
}

/** The commands that show tools and call them; those that load the project's code; the remote's. */
const TOOL_COMMANDS = [SERVING, "call", "read", "list", "doctor"];
const CODE_COMMANDS = [...TOOL_COMMANDS, "check", "warm", "view"];
const REMOTE_COMMANDS = [...TOOL_COMMANDS, "view", "claims"];
const CONFIGS = ["config", "setup"];
const JSON_COMMANDS = "call read list doctor query check setup config warm prime today claims"
  .split(" ");

const several = (...flag: Parameters<typeof valued>) => ({ ...valued(...flag), multiple: true });

/** In the order of the help. */
export const FLAGS: Flags = {
  cwd: valued("path", "The project's directory (default: the working directory)"),
  plugin: several("name", `Enable a plugin: ${OPTIONAL_PLUGINS.join(", ")}`, ...TOOL_COMMANDS),
  "tool-names": valued("style", "dotted or underscore (default) in the list of tools", SERVING),
  tools: several("names", `List only these tools: names, or ${GROUPS.join(", ")}`, SERVING, "list"),
  "log-level": valued("level", "debug, info (default), warning or error on stderr", SERVING),
  "read-only": toggle("Disable the tools that write", SERVING, "call", "list", "view"),
  http: valued("address", "Serve over HTTP instead of stdio, such as at 127.0.0.1:4711", SERVING),
  "token-file": valued("path", "A bearer token for HTTP; required unless it is loopback", SERVING),
  origin: several("origin", "Allow a web origin over HTTP, as https://app.example", SERVING),
  trust: toggle("Run the project's code, with all permissions", ...CODE_COMMANDS, ...CONFIGS),
  timeout: valued("seconds", "Limit for loading modules, to 86400 (default: 60)", ...CODE_COMMANDS),
  remote: valued("name | url", "Confirm claims and ids on a git remote", ...REMOTE_COMMANDS),
  "remote-refs": valued("prefix", "A prefix in refs/ for them (refs/refrakt/)", ...REMOTE_COMMANDS),
  "max-output": valued("characters", "The length of a result, from 1000 (default: 30000)", SERVING),
  json: toggle("Print JSON, also on a terminal", ...JSON_COMMANDS),
  format: valued("text | json | sarif", "The format of the findings (default: text)", "check"),
  site: valued("name", "The site; default: all for check, the first for view", "check", "view"),
  editor: valued("name", "The editor that opens files: vscode, cursor or zed", "view"),
  out: valued("file", "Write it to this file", "read"),
  csv: toggle("Print comma-separated values", "query"),
  since: valued("commit", "Only what is new since a commit, a branch or HEAD", "check"),
  by: valued("name", "Only the changes by an author", "today"),
  fix: toggle("Apply safe corrections to files with write permission", "check"),
  port: valued("port", "A port of 127.0.0.1, up to 65535; default: any free", "view"),
  "dry-run": toggle("Show what --fix would change", "check"),
  npx: toggle("Start Deno through npx, for machines with only Node installed", ...CONFIGS),
  "no-cache": toggle("Keep nothing of this project for the next start", SERVING),
  git: toggle("Allow git although the project's code is trusted", ...CONFIGS, "doctor"),
  free: several("id", "Free a claim whose owner is gone", "claims"),
  "free-idle": valued("days", "Free claims without a commit for so long", "claims"),
  yes: { ...toggle("Go on without asking", "setup", "claims"), short: "y" },
  remove: toggle("Remove what setup wrote", "setup"),
  hooks: toggle("Write a hook that runs prime when a session of the client starts", "setup"),
  help: { ...toggle("Show this help"), short: "h" },
  version: { ...toggle("Show the version", SERVING), short: "v" },
};
