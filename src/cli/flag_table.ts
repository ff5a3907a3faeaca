/** All flags, and the commands that take them. */

import { BUNDLED } from "../bundled.ts";
import { type FlagDefinition, type Flags, SERVING, toggle, valued } from "./flags.ts";

/** The groups that `--tools` accepts. */
export const GROUPS: readonly string[] = [...BUNDLED.flatMap(({ groups = [] }) => groups), "all"];

/** The plugins of this package that are not for every project. */
export const OPTIONAL_PLUGINS: readonly string[] = BUNDLED.flatMap(({ name, enable }) =>
  enable === undefined ? [] : name
);

/** The commands that show tools and resources, and call them. */
const TOOL_COMMANDS = [SERVING, "call", "read", "list", "doctor"];

/** The commands that may load the project's code. */
const CODE_COMMANDS = [...TOOL_COMMANDS, "check", "warm", "view"];

/** The commands that may use the remote. */
const REMOTE_COMMANDS = [...TOOL_COMMANDS, "view", "claims"];

const JSON_COMMANDS = "call read list doctor query check setup config warm prime today claims"
  .split(" ");

const several = (...flag: Parameters<typeof valued>): FlagDefinition => ({
  ...valued(...flag),
  multiple: true,
});

/** In the order of the help. */
export const FLAGS = {
  cwd: valued("path", "The project's directory (default: the working directory)"),
  plugin: several("name", `Enable a plugin: ${OPTIONAL_PLUGINS.join(", ")}`, ...TOOL_COMMANDS),
  "tool-names": valued("style", "dotted or underscore (default) in the list of tools", SERVING),
  tools: several("names", `List only these tools: names, or ${GROUPS.join(", ")}`, SERVING, "list"),
  "log-level": valued("level", "debug, info (default), warning or error on stderr", SERVING),
  "read-only": toggle("Disable the tools that write", SERVING, "call", "list", "view"),
  http: valued("address", "Serve over HTTP instead of stdio, such as at 127.0.0.1:4711", SERVING),
  "token-file": valued("path", "A bearer token for HTTP; required unless it is loopback", SERVING),
  origin: several("origin", "Allow a web origin over HTTP, as https://app.example", SERVING),
  trust: toggle(
    "Run the project's code, with all permissions",
    ...CODE_COMMANDS,
    "config",
    "setup",
  ),
  timeout: valued("seconds", "The limit for loading a module (default: 60)", ...CODE_COMMANDS),
  remote: valued("name | url", "Confirm claims and ids on a git remote", ...REMOTE_COMMANDS),
  "remote-refs": valued("prefix", "The prefix of its refs (refs/refrakt/)", ...REMOTE_COMMANDS),
  "max-output": valued("characters", "The maximum length of a result (default: 30000)", SERVING),
  json: toggle("Print JSON, also on a terminal", ...JSON_COMMANDS),
  format: valued("text | json | sarif", "The format of the findings (default: text)", "check"),
  site: valued("name", "The site; default: all for check, the first for view", "check", "view"),
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
  free: several("id", "Free a claim whose owner is gone", "claims"),
  "free-idle": valued("days", "Free claims without a commit for so long", "claims"),
  yes: { ...toggle("Go on without asking", "setup", "claims"), short: "y" },
  remove: toggle("Remove what setup wrote", "setup"),
  hooks: toggle("Write a hook that runs prime when a session of the client starts", "setup"),
  help: { ...toggle("Show this help"), short: "h" },
  version: { ...toggle("Show the version", SERVING), short: "v" },
} satisfies Flags;

/** The flags of a program that serves one plugin. */
export const PLUGIN_FLAGS: Flags = Object.fromEntries(
  "cwd tool-names tools log-level read-only http token-file origin json help version".split(" ")
    .map((name) => [name, FLAGS[name as keyof typeof FLAGS]]),
);
