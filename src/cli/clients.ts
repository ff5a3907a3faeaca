/**
 * What each client's configuration looks like.
 *
 * @module
 */

import type { Project } from "../project/project.ts";
import { type Launch, launchFor } from "./grants.ts";

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
  /** The snippet. */
  snippet(project: Project): string;
}

/** The clients, in the order of the help. */
export const CLIENTS: readonly ClientConfig[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    note: "It starts servers outside the project, so the paths are absolute.",
    snippet: (project) => json({ mcpServers: { refrakt: launchFor(project, project.cwd) } }),
  },
  {
    name: "claude-code",
    title: "Claude Code",
    file: ".mcp.json in the project",
    note: "It starts servers in the project.",
    snippet: (project) => json({ mcpServers: { refrakt: launchFor(project) } }),
  },
  {
    name: "cursor",
    title: "Cursor",
    file: ".cursor/mcp.json in the project",
    note: "Cursor fills in the workspace's folder.",
    snippet: (project) =>
      json({ mcpServers: { refrakt: launchFor(project, "${workspaceFolder}") } }),
  },
  {
    name: "vscode",
    title: "VS Code",
    file: ".vscode/mcp.json in the project",
    note: "VS Code fills in the workspace's folder.",
    snippet: (project) =>
      json({
        servers: { refrakt: { type: "stdio", ...launchFor(project, "${workspaceFolder}") } },
      }),
  },
  {
    name: "codex",
    title: "Codex",
    file: "~/.codex/config.toml",
    note: "The file is for all projects, so the paths are absolute.",
    snippet: (project) => toml(launchFor(project, project.cwd)),
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    file: ".gemini/settings.json in the project",
    note: "It starts servers in the project.",
    snippet: (project) => json({ mcpServers: { refrakt: launchFor(project) } }),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    note: "The file is for all projects, so the paths are absolute.",
    snippet: (project) => json({ mcpServers: { refrakt: launchFor(project, project.cwd) } }),
  },
];

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** TOML's basic strings escape as JSON's do. */
function toml({ command, args }: Launch): string {
  const list = args.map((arg) => `  ${JSON.stringify(arg)},\n`).join("");
  return `[mcp_servers.refrakt]\ncommand = ${JSON.stringify(command)}\nargs = [\n${list}]`;
}
