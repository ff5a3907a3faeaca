/** The values of the flags for serving as options. */

import { messageOf } from "../errors.ts";
import { unknownNames } from "../host/inventory.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { denoRun } from "../host/serve_command.ts";
import { shellLine } from "../host/shell.ts";
import { textOf, textsOf } from "../io/json.ts";
import { nodeModule } from "../io/lazily.ts";
import { isNotFound } from "../io/paths.ts";
import { refusalToError } from "../io/permissions.ts";
import type { HttpOptions } from "../mcp/http.ts";
import { type Address, isLoopback } from "../mcp/listen.ts";
import type { ServeOptions } from "../mcp/session.ts";
import type { CodePolicy, RemoteChoice } from "../plugin/project.ts";
import { isToolName, nameKey } from "../plugin/tool.ts";
import { GROUPS, OPTIONAL_PLUGINS, type ParsedFlags, usageError, wrongValue } from "./flags.ts";

/** One day. */
const MOST_SECONDS = 86_400;

type Values = ParsedFlags["values"];

export function serveOptions({ values }: ParsedFlags): ServeOptions {
  return {
    toolNames: oneOf(values, "tool-names", ["dotted", "underscore"]),
    logLevel: oneOf(values, "log-level", ["debug", "info", "warning", "error"]),
  };
}

export function workspaceOptions({ values }: ParsedFlags) {
  const plugins = textsOf(values["plugin"]);
  const valid = `It must be ${OPTIONAL_PLUGINS.join(" or ")}`;
  const hint = `${valid}; refrakt.config.json lists others in "plugins".`;
  requireAll("plugin", plugins, (name) => OPTIONAL_PLUGINS.includes(name), hint);
  return {
    cwd: textOf(values["cwd"]),
    plugins,
    readOnly: values["read-only"] === true,
    tools: chosenTools(values),
    code: codePolicy(values),
    remote: remoteChoice(values),
    budget: maxOutput(values["max-output"]),
    mayKeep: !["no-cache", "read-only", "trust"].some((name) => values[name] !== undefined),
  };
}

/** Throws unless all values of a flag are valid. */
function requireAll(
  flag: string,
  values: readonly string[],
  isValid: (value: string) => boolean,
  hint: string,
): void {
  const wrong = values.find((value) => !isValid(value));
  if (wrong !== undefined) throw wrongValue(flag, wrong, hint);
}

export function oneOf<Value extends string>(
  values: Values,
  name: string,
  valid: readonly Value[],
): Value | undefined {
  const value = values[name];
  const choice = valid.find((option) => option === value);
  if (value === undefined || choice !== undefined) return choice;
  throw wrongValue(name, value, `Valid values: ${valid.join(", ")}.`);
}

/** The names and groups of `--tools`; `undefined` without it. */
function chosenTools(values: Values): readonly string[] | undefined {
  if (values["tools"] === undefined) return undefined;
  const names = textsOf(values["tools"]).flatMap((text) => text.split(","))
    .map((name) => name.trim());
  const hint = `It must be names of tools, or ${GROUPS.join(", ")}.`;
  requireAll("tools", names, (name) => isToolName(nameKey(name)), hint);
  return names;
}

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

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 1000) return number;
  throw wrongValue("max-output", value, "It must be an integer of at least 1000.");
}

function codePolicy(values: Values): Partial<CodePolicy> {
  const trust = values["trust"] === true;
  if (trust && Deno.build.standalone) {
    const command = shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "--trust"]));
    throw usageError(
      "A binary loads only the packages inside it",
      `Run the server from JSR: ${command}`,
    );
  }
  const seconds = values["timeout"] === undefined ? undefined : Number(values["timeout"]);
  if (seconds === undefined) return { trust };
  if (seconds > 0 && seconds <= MOST_SECONDS) return { trust, timeoutMs: seconds * 1000 };
  const hint = `It must be a number of seconds up to ${MOST_SECONDS}.`;
  throw wrongValue("timeout", values["timeout"], hint);
}

const MAX_PREFIX = 200;

/** The git remote of `--remote`: named on the command line, never by a file. */
function remoteChoice(values: Values): RemoteChoice | undefined {
  const remote = textOf(values["remote"]);
  const prefix = textOf(values["remote-refs"]);
  if (remote === undefined) {
    if (prefix === undefined) return undefined;
    const hint = "Add --remote with the name of a remote, such as origin.";
    throw usageError("--remote-refs is for --remote", hint);
  }
  const path = (prefix ?? "refs/refrakt").replace(/\/+$/, "");
  const isSound = /^refs\/./.test(path) && path.length <= MAX_PREFIX && path.split("/")
    .every((part) => /^[A-Za-z0-9_][\w.-]*$/.test(part) && !/\.\.|\.lock$|\.$/.test(part));
  if (isSound) return { remote, prefix: `${path}/` };
  const hint = "It must begin with refs/, such as refs/refrakt/ or refs/heads/claude/refrakt/.";
  throw wrongValue("remote-refs", prefix, hint);
}

/** In characters. */
const SHORTEST_TOKEN = 16;

export async function serve(workspace: Workspace, flags: ParsedFlags): Promise<void> {
  const serving = serveOptions(flags);
  await checkChosenTools(workspace);
  const address = httpAddress(flags.values);
  if (address === undefined) {
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    return await serveOnStdio(workspace, serving);
  }
  const options = { ...serving, ...httpOptions(flags.values, address) };
  const { serveOnHttp } = await import("../mcp/http.ts");
  await serveOnHttp(workspace, address, options);
}

/** Parses `--http`: `address:port`, or a port of the loopback address. */
function httpAddress(values: Values): Address | undefined {
  const text = textOf(values["http"]);
  if (text === undefined) {
    const lost = ["token-file", "origin"].find((name) => values[name] !== undefined);
    if (lost === undefined) return undefined;
    throw usageError(`--${lost} is for HTTP`, "Add --http 127.0.0.1:4711.");
  }
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
  const hint = "It must be a scheme and a host, such as https://app.example.";
  requireAll("origin", origins, (origin) => /^https?:\/\/[^/\s]+$/.test(origin), hint);
  if (file !== undefined || isLoopback(address)) return { origins, token: file && readToken(file) };
  throw usageError(
    `--http ${address.hostname} needs --token-file`,
    "Other machines can reach this address, so clients need a token. Write a long random one to a " +
      "file, or listen on 127.0.0.1.",
  );
}

function readToken(path: string): string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path).trim();
  } catch (error) {
    const problem = isNotFound(error)
      ? `No such file: ${path}`
      : `Cannot read ${path}: ${messageOf(error)}`;
    const hint = "--token-file must be a readable file with the token.";
    throw refusalToError(error, Deno.cwd()) ?? usageError(problem, hint);
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  throw usageError(
    `The token in ${path} is too short or contains spaces`,
    `It needs at least ${SHORTEST_TOKEN} characters, such as the output of openssl rand -hex 32.`,
  );
}
