/** The programs, which serve or run one command: the server, and the one that serves a plugin alone. */

import { messageOf, RefraktError } from "../errors.ts";
import type { OnlyPlugin, Workspace } from "../host/open_workspace.ts";
import { denoRun } from "../host/serve_command.ts";
import { shellLine } from "../host/shell.ts";
import { defined, textOf, textsOf, unlessEmpty } from "../io/json.ts";
import { dropKept } from "../io/kept.ts";
import { nodeModule } from "../io/lazily.ts";
import { refusalToError } from "../io/permissions.ts";
import { exitProcess, writeStderr, writeStdout } from "../io/pipes.ts";
import type { HttpOptions } from "../mcp/http.ts";
import { type Address, isLoopback } from "../mcp/listen.ts";
import type { ServeOptions } from "../mcp/session.ts";
import { importPolicy } from "../packages/replaced_modules.ts";
import type { CodePolicy, RemoteChoice } from "../plugin/project.ts";
import { VERSION } from "../version.ts";
import type { Program } from "./commands/command.ts";
import {
  checkChosenTools,
  checkFlagsOf,
  FLAGS,
  type ParsedFlags,
  parseFlags,
  usageError,
  wrongValue,
} from "./flags.ts";
import { errorText } from "./start.ts";
import { printNote } from "./terminal.ts";

const SERVER: Program = {
  name: "refrakt-mcp",
  about: "a Model Context Protocol server for refrakt projects",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git \\
         jsr:@refrakt/mcp`,
  flags: FLAGS,
};

const TERMINAL_NOTE = "Waiting for an MCP client on stdin. Try help, or config <client> for " +
  "a client's configuration; Ctrl-C exits.\n";

const PLUGIN_FLAGS = Object.fromEntries(
  "cwd tool-names tools log-level read-only http token-file origin json help version".split(" ")
    .map((name) => [name, FLAGS[name]!]),
);

const INVALID: ReadonlySet<string> = new Set(["INVALID_ARGS", "VALIDATION_ERROR"]);

export const main = (args: readonly string[]): Promise<void> => runProgram(SERVER, args);

/** The program that serves one plugin of this package alone. */
export function programOf(only: OnlyPlugin & Pick<Program, "about" | "launch">) {
  const commands = ["call", "read", "list", "doctor", "help"];
  const program = { ...only, flags: PLUGIN_FLAGS, commands, only };
  return { main: (args: readonly string[]): Promise<void> => runProgram(program, args) };
}

/** @param patient Whether it waits for packages without a time limit, as commands do. */
async function openFor({ only }: Program, flags: ParsedFlags, patient: boolean) {
  // Code of this project must not read kept values of other projects.
  if (flags.values["trust"] === true) dropKept();
  const { openWorkspace } = await import("../host/open_workspace.ts");
  const options = workspaceOptions(flags);
  const alone = only && { only, plugins: [only.plugin.name], mayKeep: false };
  const workspace = openWorkspace({ ...options, patient, ...alone });
  // Commands without an MCP handler use the process's working directory.
  if (options.cwd !== undefined) Deno.chdir(workspace.project().cwd);
  return workspace;
}

/** Runs a program. Exits with its exit code unless it serves. */
async function runProgram(program: Program, args: readonly string[]): Promise<void> {
  importPolicy.ownsProcess = true;
  try {
    const code = await serveOrRun(program, args);
    if (code !== undefined) exitProcess(code);
  } catch (error) {
    printNote(`${errorText(error)}\n`);
    exitProcess(error instanceof RefraktError && INVALID.has(error.code) ? 2 : 1);
  }
}

async function serveOrRun(program: Program, args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, program.flags);
  const { values, rest: [name, ...words] } = flags;
  const runCommand = async (name: string, args: readonly string[]) => {
    const { runNamed } = await import("./commands/mod.ts");
    const open = (wanted = flags) => openFor(program, wanted, true);
    return await runNamed(name, { args, flags, program, open });
  };
  if (values["help"]) {
    const topic = name === "call" ? words[0] ?? name : name;
    return await runCommand("help", topic === undefined ? [] : [topic]);
  }
  if (values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  checkFlagsOf(name, flags, program.flags);
  // The runtime then enforces it on all packages.
  if (values["read-only"] === true) Deno.permissions.revokeSync({ name: "write" });
  if (name !== undefined) return await runCommand(name, words);
  if (Deno.stdin.isTerminal() && values["http"] === undefined) writeStderr(TERMINAL_NOTE);
  await serve(await openFor(program, flags, false), flags);
  return undefined;
}

type Values = ParsedFlags["values"];

const numberOf = (value: Values[string]) => value === undefined ? undefined : Number(value);

function workspaceOptions({ values }: ParsedFlags) {
  const tools = textsOf(values["tools"]).flatMap((text) => text.split(","));
  return {
    cwd: textOf(values["cwd"]),
    plugins: textsOf(values["plugin"]),
    readOnly: values["read-only"] === true,
    tools: unlessEmpty(tools.map((name) => name.trim())),
    code: codePolicy(values),
    remote: remoteChoice(values),
    budget: numberOf(values["max-output"]),
    mayKeep: !["no-cache", "read-only", "trust"].some((name) => values[name] !== undefined),
  };
}

function codePolicy(values: Values): Partial<CodePolicy> {
  const trust = values["trust"] === true;
  if (trust && Deno.build.standalone) {
    const line = shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "--trust"]));
    const hint = `Run the server from JSR: ${line}`;
    throw usageError("A binary loads only the packages inside it", hint);
  }
  const seconds = numberOf(values["timeout"]);
  return defined({ trust, timeoutMs: seconds && seconds * 1000 });
}

/** The git remote of `--remote`: named on the command line, never by a file. */
function remoteChoice(values: Values): RemoteChoice | undefined {
  const remote = textOf(values["remote"]);
  const prefix = textOf(values["remote-refs"]) ?? "refs/refrakt";
  return remote === undefined ? undefined : { remote, prefix: `${prefix.replace(/\/+$/, "")}/` };
}

/** In characters. */
const SHORTEST_TOKEN = 16;

async function serve(workspace: Workspace, flags: ParsedFlags): Promise<void> {
  const { "tool-names": toolNames, "log-level": logLevel } = flags.values;
  const serving = { toolNames, logLevel } as ServeOptions;
  await checkChosenTools(workspace);
  const text = textOf(flags.values["http"]);
  if (text === undefined) {
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    return await serveOnStdio(workspace, serving);
  }
  const address = httpAddress(text);
  const options = { ...serving, ...httpOptions(flags.values, address) };
  const { serveOnHttp } = await import("../mcp/http.ts");
  await serveOnHttp(workspace, address, options);
}

/** Parses `--http`: `address:port`, or a port of the loopback address. */
function httpAddress(text: string): Address {
  const match = /^(?:(\[[\da-f:.]+\]|[\d.]+|localhost):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[2]);
  const name = (match?.[1] ?? "127.0.0.1").replace(/^\[|\]$/g, "").toLowerCase();
  const hostname = name === "localhost" ? "127.0.0.1" : name;
  if (port <= 65_535 && nodeModule("node:net").isIP(hostname) > 0) return { hostname, port };
  throw wrongValue("http", text, "It must be an address and a port, such as 127.0.0.1:4711.");
}

function httpOptions(values: Values, address: Address): HttpOptions {
  const file = textOf(values["token-file"]);
  const origins = textsOf(values["origin"]);
  if (file !== undefined || isLoopback(address)) return { origins, token: file && readToken(file) };
  const hint = "Other machines can reach this address, so clients need a token. Write a long " +
    "random one to a file, or listen on 127.0.0.1.";
  throw usageError(`--http ${address.hostname} needs --token-file`, hint);
}

function readToken(path: string): string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path).trim();
  } catch (error) {
    const hint = "--token-file must be a readable file with the token.";
    throw refusalToError(error, Deno.cwd()) ??
      usageError(`Cannot read ${path}: ${messageOf(error)}`, hint);
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  const hint = `It needs ${SHORTEST_TOKEN} characters, such as the output of openssl rand -hex 32.`;
  throw usageError(`The token in ${path} is too short or contains spaces`, hint);
}
