/**
 * The configuration file of each client, and the server's entry in it.
 *
 * @module
 */

import { basename } from "node:path";
import { didYouMean, RefraktError } from "../errors.ts";
import { columns } from "./columns.ts";
import type { Launch } from "./grants.ts";

/** The command for a client that starts servers in `base`; in the project by default. */
export type LaunchAt = (base?: string) => Launch;

/** A server's entry in a client's configuration. */
export interface ServerEntry {
  /** Where the entry stands in the file: the keys from the outside in, the server's name last. */
  readonly path: readonly string[];
  /** Its value. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** One client. */
export interface ClientConfig {
  /** The name that `config` and `setup` take. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** The file, for people. */
  readonly file: string;
  /** The file's path in the project, where the client reads one there; `setup` writes it. */
  readonly projectFile?: string;
  /** The folder that the client reads skills from, in the project. */
  readonly skillsFolder?: string;
  /** What a person should know. */
  readonly note: string;
  /** Whether the client is started without the shell's PATH, on this machine alone. */
  readonly ownPath?: boolean;
  /** The language of the file; JSON by default. */
  readonly format?: "toml";
  /** The entry; `cwd` is the project's folder. */
  entry(launch: LaunchAt, cwd: string): ServerEntry;
  /** A command of the client that adds the same entry, run in the project. */
  command?(launch: LaunchAt): string;
  /** A link that adds the same entry when it is opened. */
  link?(launch: LaunchAt): string;
}

const WORKSPACE = "${workspaceFolder}";

/** The folder that several clients read skills from. */
export const SHARED_SKILLS = ".agents/skills";
const ABSOLUTE = "The file applies to all projects, so the paths are absolute.";

/** The clients, in the order of the help. */
export const CLIENTS: readonly ClientConfig[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    file: ".mcp.json in the project",
    projectFile: ".mcp.json",
    skillsFolder: ".claude/skills",
    note: "Claude Code asks for approval the first time it starts in the project.",
    entry: (launch) => ({ path: ["mcpServers", "refrakt"], value: { ...launch() } }),
    command: (launch) => `claude mcp add --scope project refrakt -- ${shellLine(launch())}`,
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    note: "Claude Desktop starts servers outside the project, so the paths are absolute.",
    ownPath: true,
    entry: (launch, cwd) => ({ path: ["mcpServers", projectName(cwd)], value: { ...launch(cwd) } }),
  },
  {
    name: "cursor",
    title: "Cursor",
    file: ".cursor/mcp.json in the project",
    projectFile: ".cursor/mcp.json",
    skillsFolder: SHARED_SKILLS,
    note: "Cursor replaces ${workspaceFolder}.",
    entry: (launch) => ({ path: ["mcpServers", "refrakt"], value: { ...launch(WORKSPACE) } }),
    link: (launch) => cursorLink(launch(WORKSPACE)),
  },
  {
    name: "vscode",
    title: "VS Code",
    file: ".vscode/mcp.json in the project",
    projectFile: ".vscode/mcp.json",
    skillsFolder: SHARED_SKILLS,
    note: "VS Code replaces ${workspaceFolder}.",
    entry: (launch) => ({
      path: ["servers", "refrakt"],
      value: { type: "stdio", ...launch(WORKSPACE) },
    }),
    command: (launch) =>
      `code --add-mcp ${shellWord(JSON.stringify({ name: "refrakt", ...launch(WORKSPACE) }))}`,
    link: (launch) => vscodeLink(launch(WORKSPACE)),
  },
  {
    name: "codex",
    title: "Codex",
    file: ".codex/config.toml in the project, or ~/.codex/config.toml",
    projectFile: ".codex/config.toml",
    skillsFolder: SHARED_SKILLS,
    note: "Codex reads the project's file once you trust the folder. The name and the absolute " +
      "paths also fit ~/.codex/config.toml, which applies to all projects.",
    format: "toml",
    entry: (launch, cwd) => ({
      path: ["mcp_servers", projectName(cwd)],
      value: { ...launch(cwd) },
    }),
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    file: ".gemini/settings.json in the project",
    projectFile: ".gemini/settings.json",
    skillsFolder: SHARED_SKILLS,
    note: "Gemini CLI starts a project's servers only in a trusted folder.",
    entry: (launch) => ({ path: ["mcpServers", "refrakt"], value: { ...launch() } }),
  },
  {
    name: "zed",
    title: "Zed",
    file: ".zed/settings.json in the project",
    projectFile: ".zed/settings.json",
    skillsFolder: SHARED_SKILLS,
    note: "Zed starts servers in the project.",
    entry: (launch) => ({ path: ["context_servers", "refrakt"], value: { ...launch(), env: {} } }),
  },
  {
    name: "jetbrains",
    title: "JetBrains IDEs",
    file: ".junie/mcp/mcp.json in the project (Junie), or Settings, Tools, AI Assistant, " +
      "Model Context Protocol (MCP)",
    projectFile: ".junie/mcp/mcp.json",
    skillsFolder: SHARED_SKILLS,
    note: "The paths are absolute, because AI Assistant starts servers outside the project.",
    ownPath: true,
    entry: (launch, cwd) => ({ path: ["mcpServers", "refrakt"], value: { ...launch(cwd) } }),
  },
  {
    name: "cline",
    title: "Cline",
    file: "cline_mcp_settings.json (MCP Servers, Configure)",
    note: ABSOLUTE,
    ownPath: true,
    entry: (launch, cwd) => ({
      path: ["mcpServers", projectName(cwd)],
      value: { ...launch(cwd), disabled: false },
    }),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    note: ABSOLUTE,
    ownPath: true,
    entry: (launch, cwd) => ({
      path: ["mcpServers", projectName(cwd)],
      value: { ...launch(cwd) },
    }),
  },
];

/**
 * A client by its name.
 *
 * @param command The command that asks, for the error.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown client, with the nearest, or without one.
 */
export function clientNamed(name: string | undefined, command: string): ClientConfig {
  if (name === undefined) {
    throw new RefraktError("INVALID_ARGS", `${command} needs the name of a client`, {
      hint: `The clients are:\n${columns(CLIENTS.map((client) => [client.name, client.file]))}`,
    });
  }
  const client = CLIENTS.find((entry) => entry.name === name.toLowerCase().replace(/[ _]/g, "-"));
  if (client !== undefined) return client;
  const names = CLIENTS.map((entry) => entry.name);
  throw new RefraktError("INVALID_ARGS", `Unknown client: "${name}"`, {
    hint: `${didYouMean(name, names)} The clients are ${names.join(", ")}.`.trim(),
  });
}

/** A file with nothing but the entry. */
export function snippetOf(format: ClientConfig["format"], { path, value }: ServerEntry): string {
  if (format === "toml") return tomlTable(path, value);
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return JSON.stringify(nested, null, 2);
}

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

/** The server's name in a file that applies to all projects, such as `refrakt-docs`. */
function projectName(cwd: string): string {
  const folder = basename(cwd).toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  return folder === "" ? "refrakt" : `refrakt-${folder.slice(0, 24)}`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A table with strings and lists of strings; TOML's basic strings are written as JSON's are. */
function tomlTable(path: readonly string[], value: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(value).map(([key, entry]) =>
    Array.isArray(entry)
      ? `${key} = [\n${entry.map((item) => `  ${JSON.stringify(item)},\n`).join("")}]`
      : `${key} = ${JSON.stringify(entry)}`
  );
  return `[${path.join(".")}]\n${rows.join("\n")}`;
}
