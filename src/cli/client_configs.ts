/** The configuration file of each client, and the server's entry in it. */

import { basename } from "node:path";
import { didYouMean, orElse } from "../errors.ts";
import { defined } from "../io/json.ts";
import { isFirstParty } from "../packages/names.ts";
import { startOf } from "../host/start.ts";
import type { Project } from "../plugin/project.ts";
import { chooseDeno, installedFolders, launchFor } from "../host/serve_command.ts";
import {
  type Launch,
  requireForCmd,
  type Shell,
  shellLine,
  shellsOf,
  shellWord,
} from "../host/shell.ts";
import { type ParsedFlags, usageError } from "./flags.ts";
import { table } from "./terminal.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A server of a project, as a client is to start it. */
export interface Server {
  readonly name: string;
  readonly launch: Launch;
  /** In the client's file, at {@linkcode name}. */
  readonly entry: Json;
}

export interface ClientConfig {
  readonly name: string;
  readonly title: string;
  /** Where to find the file; by default `projectFile`. */
  readonly file?: string;
  /** The file's path in the project, which `setup` writes; others need a server name per project. */
  readonly projectFile?: string;
  /** The client's project folder for skills; `.agents/skills` by default. */
  readonly skillsFolder?: string;
  /** Files of the project that the client reads in place of AGENTS.md, where they exist. */
  readonly instructions?: readonly string[];
  /** Shown with the snippet. */
  readonly note: string;
  /** The key of the servers in the file; `mcpServers` by default. */
  readonly key?: string;
  /** Fields of an entry other than the command. */
  readonly extra?: Json;
  /** The variable that the client replaces with the project's folder. */
  readonly variable?: string;
  /** Whether it starts servers outside the project, without the shell's PATH: by absolute paths. */
  readonly startsElsewhere?: boolean;
  /** JSON by default. */
  readonly format?: "toml";
  /** The project's file with commands that run when a session starts, if the client has one. */
  readonly hooks?: {
    readonly file: string;
    /** When the command runs, if the client asks for it. */
    readonly matcher?: string;
    /** What the file calls the start of a session; `SessionStart` by default. */
    readonly event?: string;
    /** What the file must hold besides. */
    readonly base?: Json;
  };
  /** The client's own command that adds a server; it runs in the project. */
  command?(server: Server, shell?: Shell): string;
  /** A deep link that adds a server. */
  link?(server: Server): string;
}

const SHARED = {
  note: "The file applies to all projects, so the paths are absolute.",
  startsElsewhere: true,
};

/** Also after a compaction, which leaves the model without what it has read. */
const SESSION_STARTS = "startup|resume|clear|compact";

export const CLIENTS: readonly ClientConfig[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    projectFile: ".mcp.json",
    skillsFolder: ".claude/skills",
    instructions: ["CLAUDE.md", ".claude/CLAUDE.md"],
    hooks: { file: ".claude/settings.json", matcher: SESSION_STARTS },
    note: "Claude Code asks for approval the first time it starts in the project.",
    command: ({ name, launch }, shell) =>
      `claude mcp add --scope project ${name} -- ${shellLine(launch, shell)}`,
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    ...SHARED,
  },
  {
    name: "cursor",
    title: "Cursor",
    projectFile: ".cursor/mcp.json",
    hooks: { file: ".cursor/hooks.json", event: "sessionStart", base: { version: 1 } },
    note: "Cursor replaces ${workspaceFolder}.",
    variable: "${workspaceFolder}",
    link: ({ name, launch }) => {
      const config = encodeURIComponent(btoa(JSON.stringify(launch)));
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${config}`;
    },
  },
  {
    name: "vscode",
    title: "VS Code",
    projectFile: ".vscode/mcp.json",
    note: "VS Code replaces ${workspaceFolder}.",
    key: "servers",
    extra: { type: "stdio" },
    variable: "${workspaceFolder}",
    command: ({ name, launch }, shell) =>
      `code --add-mcp ${shellWord(JSON.stringify({ name, ...launch }), shell)}`,
    link: ({ name, launch }) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...launch }))}`,
  },
  {
    name: "codex",
    title: "Codex",
    projectFile: ".codex/config.toml",
    note: "Codex reads the project's file once you trust the folder, and starts servers in the " +
      "folder that it works in.",
    key: "mcp_servers",
    format: "toml",
    hooks: { file: ".codex/hooks.json", matcher: SESSION_STARTS },
    command: ({ name, launch }, shell) => `codex mcp add ${name} -- ${shellLine(launch, shell)}`,
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    projectFile: ".gemini/settings.json",
    note: "Gemini CLI starts a project's servers only in a trusted folder.",
    hooks: { file: ".gemini/settings.json" },
    // Its own flags would end at the first "--" only.
    command: ({ name, launch: { command, args } }, shell) =>
      `gemini mcp add --scope project ${name} ${
        shellLine({ command, args: ["--", ...args] }, shell)
      }`,
  },
  {
    name: "zed",
    title: "Zed",
    projectFile: ".zed/settings.json",
    note: "Zed starts servers in the project.",
    key: "context_servers",
    extra: { env: {} },
  },
  {
    name: "jetbrains",
    title: "JetBrains IDEs",
    ...SHARED,
    file: ".junie/mcp/mcp.json in the project (Junie), or Settings, Tools, AI Assistant, " +
      "Model Context Protocol (MCP)",
    projectFile: ".junie/mcp/mcp.json",
    note: "The paths are absolute, because AI Assistant starts servers outside the project.",
  },
  {
    name: "cline",
    title: "Cline",
    file: "cline_mcp_settings.json (MCP Servers, Configure)",
    ...SHARED,
    extra: { disabled: false },
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    ...SHARED,
  },
];

/** The servers of a project, the plan's first, and why there are one or two. */
export async function serversIn(client: ClientConfig, project: Project, flags: ParsedFlags) {
  const { trust, sentence } = await startOf(project);
  const isTrusted = project.code.trust;
  if (!mayHaveTwo(project) || !trust && !isTrusted) {
    const step = ` setup ${client.name} --trust writes a server with it, without git.`;
    const why = trust && !isTrusted ? sentence + step : sentence;
    return { servers: [serverIn(client, project, flags)], why };
  }
  const plan = serverIn(client, project, flags, "plan");
  const site = serverIn(client, project, flags, "site");
  let why = `${sentence} So there are two servers: ${plan.name} for the plan, with git and npm's ` +
    `packages, and ${site.name} for the site, with --trust and without git.`;
  const isElsewhere = client.startsElsewhere === true || client.variable !== undefined;
  if (isElsewhere && installedFolders(project) !== undefined) {
    why += ` If ${client.title} starts it outside the project, Deno finds no node_modules there, ` +
      "and it has npm's packages.";
  }
  return { servers: [plan, site], why };
}

/** Whether there is a plan beside a site; a plan's server has no plugins of others. */
function mayHaveTwo({ plan, site, config }: Project): boolean {
  return plan !== null && site !== null && (config?.packages ?? []).every(isFirstParty);
}

/**
 * The session hook of a client for a project, in the client's form: it prints nothing, and succeeds,
 * where anything is missing, and asks no network.
 */
export function hookFor(client: ClientConfig, project: Project, flags: ParsedFlags): Json {
  const { name, hooks } = client;
  if (hooks === undefined) {
    const others = CLIENTS.filter((other) => other.hooks).map((other) => other.name);
    const problem = `${name} has no session hooks that setup can write`;
    throw usageError(problem, `These have: ${others.join(", ")}.`);
  }
  // Hooks run in the project, where paths need no variable.
  const part = mayHaveTwo(project) && project.code.trust ? "plan" : undefined;
  const { launch: { command, args } } = serverIn({ ...client, variable: "" }, project, flags, part);
  const run = args.indexOf("run") + 1;
  const needed = args.slice(run).filter((flag) => !flag.startsWith("--allow-write"));
  const words = [...args.slice(0, run), "--cached-only", ...needed, "prime", name];
  const line = `${shellLine({ command, args: words }, "posix")} 2>/dev/null || true`;
  if (hooks.event !== undefined) return { command: line };
  return defined({ matcher: hooks.matcher, hooks: [{ type: "command", command: line }] });
}

function serverIn(
  client: ClientConfig,
  project: Project,
  { values }: ParsedFlags,
  part?: "plan" | "site",
): Server {
  const { extra, variable, startsElsewhere, projectFile } = client;
  const deno = chooseDeno(values["npx"] === true, startsElsewhere);
  const base = startsElsewhere ? project.cwd : variable ?? "";
  const launch = launchFor(project, { base, deno, git: values["git"] === true, part });
  requireForCmd(launch);
  const whole = projectFile === undefined ? projectName(project.cwd) : "refrakt";
  const name = part === "site" ? `${whole}-site` : whole;
  return { name, launch, entry: { ...launch, ...extra } };
}

export function clientNamed(name: string | undefined): ClientConfig {
  const wanted = name?.toLowerCase().replace(/[ _]/g, "-");
  const client = CLIENTS.find((each) => each.name === wanted);
  if (client !== undefined) return client;
  const problem = name === undefined ? "No client is named" : `Unknown client: "${name}"`;
  const guess = didYouMean(name ?? "", CLIENTS.map((each) => each.name));
  const clients = table(CLIENTS.map((each) => [each.name, configLocation(each)]));
  throw usageError(problem, `${guess} The clients are:\n${clients}`.trimStart());
}

/** Where the configuration is, for people. */
export function configLocation({ file, projectFile }: ClientConfig): string {
  return file ?? `${projectFile} in the project`;
}

/** The key of the servers in a JSON file. */
export const serversKey = ({ key = "mcpServers" }: ClientConfig) => key;

/** A file that contains only the entries. TOML writes strings and lists of them like JSON. */
export function snippetOf(client: ClientConfig, servers: readonly Server[]): string {
  const key = serversKey(client);
  if (client.format === undefined) {
    const entries = servers.map(({ name, entry }) => [name, entry]);
    return JSON.stringify({ [key]: Object.fromEntries(entries) }, null, 2);
  }
  return servers.map(({ name, entry }) => {
    const lines = Object.entries(entry).map(([field, value]) =>
      `${field} = ${JSON.stringify(value)}`
    );
    return [`[${key}.${name}]`, ...lines].join("\n");
  }).join("\n\n");
}

/** The client's own command that adds a server, for each shell that needs another one. */
export function commandLines(client: ClientConfig, server: Server): string[] {
  const shells = shellsOf();
  // A shell that cannot take it has no command.
  const textFor = (shell: Shell) => orElse(() => client.command?.(server, shell), undefined);
  return [...Map.groupBy(shells, textFor)].flatMap(([text, fitting]) => {
    const where = fitting.length === shells.length ? "" : `, in ${fitting.join(" or ")}`;
    return text === undefined ? [] : `\nOr run this here${where}:\n\n${text}\n`;
  });
}

/** The server's name in a file for all projects, such as `refrakt-docs`. */
function projectName(cwd: string): string {
  const folder = basename(cwd).toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  return folder === "" ? "refrakt" : `refrakt-${folder.slice(0, 24)}`;
}
