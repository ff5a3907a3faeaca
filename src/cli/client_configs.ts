/**
 * What each client's configuration looks like.
 *
 * @module
 */

import type { Launch } from "./grants.ts";

/** The command for a client that starts programs at a place; in the project by default. */
export type LaunchAt = (base?: string) => Launch;

/** One client. */
export interface ClientConfig {
  /** The name that `config` takes. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** The file that the snippet goes into. */
  readonly file: string;
  /** What a person should know. */
  readonly note: string;
  /** Whether its settings are for this machine alone, and it is started without the shell's PATH. */
  readonly ownPath: boolean;
  /** The snippet; `cwd` is the project's folder. */
  snippet(launch: LaunchAt, cwd: string): string;
  /** A command of the client's that does the same, to be run in the project. */
  command?(launch: LaunchAt): string;
  /** A link that does the same when it is opened. */
  link?(launch: LaunchAt): string;
}

const WORKSPACE = "${workspaceFolder}";

/** The clients, in the order of the help. */
export const CLIENTS: readonly ClientConfig[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    note: "It starts servers outside the project, so the paths are absolute.",
    ownPath: true,
    snippet: (launch, cwd) => json({ mcpServers: { refrakt: launch(cwd) } }),
  },
  {
    name: "claude-code",
    title: "Claude Code",
    file: ".mcp.json in the project",
    note: "It starts servers in the project.",
    ownPath: false,
    snippet: (launch) => json({ mcpServers: { refrakt: launch() } }),
    command: (launch) => `claude mcp add --scope project refrakt -- ${shellLine(launch())}`,
  },
  {
    name: "cursor",
    title: "Cursor",
    file: ".cursor/mcp.json in the project",
    note: "Cursor fills in the workspace's folder.",
    ownPath: false,
    snippet: (launch) => json({ mcpServers: { refrakt: launch(WORKSPACE) } }),
    link: (launch) => cursorLink(launch(WORKSPACE)),
  },
  {
    name: "vscode",
    title: "VS Code",
    file: ".vscode/mcp.json in the project",
    note: "VS Code fills in the workspace's folder.",
    ownPath: false,
    snippet: (launch) => json({ servers: { refrakt: { type: "stdio", ...launch(WORKSPACE) } } }),
    command: (launch) =>
      `code --add-mcp ${shellWord(JSON.stringify({ name: "refrakt", ...launch(WORKSPACE) }))}`,
    link: (launch) => vscodeLink(launch(WORKSPACE)),
  },
  {
    name: "codex",
    title: "Codex",
    file: "~/.codex/config.toml",
    note: "The file is for all projects, so the paths are absolute.",
    ownPath: false,
    snippet: (launch, cwd) => toml(launch(cwd)),
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    file: ".gemini/settings.json in the project",
    note: "It starts servers in the project.",
    ownPath: false,
    snippet: (launch) => json({ mcpServers: { refrakt: launch() } }),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    note: "The file is for all projects, so the paths are absolute.",
    ownPath: true,
    snippet: (launch, cwd) => json({ mcpServers: { refrakt: launch(cwd) } }),
  },
];

/** A command as one line of a POSIX shell. */
export function shellLine({ command, args }: Launch): string {
  return [command, ...args].map(shellWord).join(" ");
}

/** The link that installs a server into Cursor. */
export function cursorLink(launch: Launch): string {
  const config = encodeURIComponent(btoa(JSON.stringify(launch)));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=refrakt&config=${config}`;
}

/** The link that installs a server into VS Code. */
export function vscodeLink(launch: Launch): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "refrakt", ...launch }))}`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** TOML's basic strings escape as JSON's do. */
function toml({ command, args }: Launch): string {
  const list = args.map((arg) => `  ${JSON.stringify(arg)},\n`).join("");
  return `[mcp_servers.refrakt]\ncommand = ${JSON.stringify(command)}\nargs = [\n${list}]`;
}
