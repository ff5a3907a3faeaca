/** The values of the flags for serving as options. */

import { messageOf, RefraktError } from "../errors.ts";
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
import { isToolName, nameKey } from "../plugin/tool_names.ts";
import { GROUPS, OPTIONAL_PLUGINS, type ParsedFlags, wrongValue } from "./flags.ts";

/** One day. */
const MOST_SECONDS = 86_400;

export function serveOptions({ values }: ParsedFlags): ServeOptions {
  return {
    toolNames: oneOf(values, "tool-names", ["dotted", "underscore"]),
    logLevel: oneOf(values, "log-level", ["debug", "info", "warning", "error"]),
  };
}

/** The options of the project and its server. */
export function workspaceOptions(flags: ParsedFlags) {
  const { values } = flags;
  return {
    cwd: textOf(values["cwd"]),
    plugins: bundledPlugins(textsOf(values["plugin"])),
    readOnly: values["read-only"] === true,
    tools: chosenTools(flags),
    code: codePolicy(flags),
    remote: remoteChoice(flags),
    budget: maxOutput(values["max-output"]),
    mayKeep: !["no-cache", "read-only", "trust"].some((name) => values[name] !== undefined),
  };
}

function bundledPlugins(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !OPTIONAL_PLUGINS.includes(name));
  if (wrong === undefined) return names;
  const valid = OPTIONAL_PLUGINS.join(" or ");
  const hint = `It must be ${valid}; refrakt.config.json lists others in "plugins".`;
  throw wrongValue("plugin", wrong, hint);
}

function maxOutput(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 1000) return number;
  throw wrongValue("max-output", value, "It must be an integer of at least 1000.");
}

/** The names and groups of `--tools`; `undefined` without it. */
function chosenTools({ values }: ParsedFlags): readonly string[] | undefined {
  if (values["tools"] === undefined) return undefined;
  const names = textsOf(values["tools"]).flatMap((text) => text.split(","))
    .map((name) => name.trim());
  const wrong = names.find((name) => !isToolName(nameKey(name)));
  if (wrong === undefined) return names;
  throw wrongValue("tools", wrong, `It must be names of tools, or ${GROUPS.join(", ")}.`);
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

function codePolicy({ values }: ParsedFlags): Partial<CodePolicy> {
  const trust = values["trust"] === true;
  if (trust && Deno.build.standalone) {
    const command = shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "--trust"]));
    throw new RefraktError("INVALID_ARGS", "A binary loads only the packages inside it", {
      hint: `Run the server from JSR: ${command}`,
    });
  }
  const timeout = values["timeout"];
  const seconds = Number(timeout);
  if (timeout !== undefined && !(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw wrongValue("timeout", timeout, `It must be a number of seconds up to ${MOST_SECONDS}.`);
  }
  return timeout === undefined ? { trust } : { trust, timeoutMs: seconds * 1000 };
}

/** The default prefix of the refs on the remote. */
const PREFIX = "refs/refrakt/";

const MAX_PREFIX = 200;

/** The git remote of `--remote`: named on the command line, never by a file. */
function remoteChoice({ values }: ParsedFlags): RemoteChoice | undefined {
  const remote = textOf(values["remote"]);
  const prefix = textOf(values["remote-refs"]);
  if (remote === undefined) {
    if (prefix === undefined) return undefined;
    throw new RefraktError("INVALID_ARGS", "--remote-refs is for --remote", {
      hint: "Add --remote with the name of a remote, such as origin.",
    });
  }
  const path = (prefix ?? PREFIX).replace(/\/+$/, "");
  const isSound = /^refs\/./.test(path) && path.length <= MAX_PREFIX && path.split("/")
    .every((part) => /^[A-Za-z0-9_][\w.-]*$/.test(part) && !/\.\.|\.lock$|\.$/.test(part));
  if (isSound) return { remote, prefix: `${path}/` };
  const hint = "It must begin with refs/, such as refs/refrakt/ or refs/heads/claude/refrakt/.";
  throw wrongValue("remote-refs", prefix, hint);
}

/** The value of a flag, checked against its valid values. */
export function oneOf<Value extends string>(
  values: ParsedFlags["values"],
  name: string,
  valid: readonly Value[],
): Value | undefined {
  const value = values[name];
  const choice = valid.find((option) => option === value);
  if (value === undefined || choice !== undefined) return choice;
  throw wrongValue(name, value, `Valid values: ${valid.join(", ")}.`);
}

/** In characters. */
const SHORTEST_TOKEN = 16;

/** Serves over HTTP or stdio, depending on the flags. */
export async function serve(workspace: Workspace, flags: ParsedFlags): Promise<void> {
  const serving = serveOptions(flags);
  await checkChosenTools(workspace);
  const address = httpAddress(flags);
  if (address === undefined) {
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    return await serveOnStdio(workspace, serving);
  }
  const options = { ...serving, ...httpOptions(flags, address) };
  const { serveOnHttp } = await import("../mcp/http.ts");
  await serveOnHttp(workspace, address, options);
}

/** Parses `--http`: `address:port`, or a port of the loopback address. */
function httpAddress({ values }: ParsedFlags): Address | undefined {
  const text = textOf(values["http"]);
  if (text === undefined) {
    const lost = ["token-file", "origin"].find((name) => values[name] !== undefined);
    if (lost === undefined) return undefined;
    throw new RefraktError("INVALID_ARGS", `--${lost} is for HTTP`, {
      hint: "Add --http 127.0.0.1:4711.",
    });
  }
  const match = /^(?:(\[[\da-f:.]+\]|[\d.]+|localhost):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[2]);
  const name = (match?.[1] ?? "127.0.0.1").replace(/^\[|\]$/g, "").toLowerCase();
  const hostname = name === "localhost" ? "127.0.0.1" : name;
  if (match === null || port > 65_535 || nodeModule("node:net").isIP(hostname) === 0) {
    throw wrongValue("http", text, "It must be an address and a port, such as 127.0.0.1:4711.");
  }
  return { hostname, port };
}

function httpOptions({ values }: ParsedFlags, address: Address): HttpOptions {
  const file = textOf(values["token-file"]);
  const origins = textsOf(values["origin"]);
  const wrong = origins.find((origin) => !/^https?:\/\/[^/\s]+$/.test(origin));
  if (wrong !== undefined) {
    const hint = "It must be a scheme and a host, such as https://app.example.";
    throw wrongValue("origin", wrong, hint);
  }
  if (file === undefined && !isLoopback(address)) {
    throw new RefraktError("INVALID_ARGS", `--http ${address.hostname} needs --token-file`, {
      hint: "Other machines can reach this address, so clients need a token. Write a long random " +
        "one to a file, or listen on 127.0.0.1.",
    });
  }
  return { origins, token: file && readToken(file) };
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
    throw refusalToError(error, Deno.cwd()) ?? new RefraktError("INVALID_ARGS", problem, { hint });
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  const hint =
    `It needs at least ${SHORTEST_TOKEN} characters, such as the output of openssl rand -hex 32.`;
  const problem = `The token in ${path} is too short or contains spaces`;
  throw new RefraktError("INVALID_ARGS", problem, { hint });
}
