/** The values of the flags for serving as options. */

import { messageOf } from "../errors.ts";
import { unknownNames } from "../host/inventory.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { denoRun } from "../host/serve_command.ts";
import { shellLine } from "../host/shell.ts";
import { defined, textOf, textsOf, unlessEmpty } from "../io/json.ts";
import { nodeModule } from "../io/lazily.ts";
import { refusalToError } from "../io/permissions.ts";
import type { HttpOptions } from "../mcp/http.ts";
import { type Address, isLoopback } from "../mcp/listen.ts";
import type { ServeOptions } from "../mcp/session.ts";
import type { CodePolicy, RemoteChoice } from "../plugin/project.ts";
import { GROUPS, type ParsedFlags, usageError, wrongValue } from "./flags.ts";

type Values = ParsedFlags["values"];

const numberOf = (value: Values[string]) => value === undefined ? undefined : Number(value);

export function workspaceOptions({ values }: ParsedFlags) {
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

function codePolicy(values: Values): Partial<CodePolicy> {
  const trust = values["trust"] === true;
  if (trust && Deno.build.standalone) {
    const command = shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "--trust"]));
    throw usageError(
      "A binary loads only the packages inside it",
      `Run the server from JSR: ${command}`,
    );
  }
  const seconds = numberOf(values["timeout"]);
  return defined({ trust, timeoutMs: seconds && seconds * 1000 });
}

/** The git remote of `--remote`: named on the command line, never by a file. */
function remoteChoice(values: Values): RemoteChoice | undefined {
  const remote = textOf(values["remote"]);
  const prefix = textOf(values["remote-refs"]);
  if (remote !== undefined) {
    return { remote, prefix: `${(prefix ?? "refs/refrakt").replace(/\/+$/, "")}/` };
  }
  if (prefix === undefined) return undefined;
  const hint = "Add --remote with the name of a remote, such as origin.";
  throw usageError("--remote-refs is for --remote", hint);
}

/** In characters. */
const SHORTEST_TOKEN = 16;

export async function serve(workspace: Workspace, flags: ParsedFlags): Promise<void> {
  const { "tool-names": toolNames, "log-level": logLevel } = flags.values;
  const serving = { toolNames, logLevel } as ServeOptions;
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
    const hint = "--token-file must be a readable file with the token.";
    throw refusalToError(error, Deno.cwd()) ??
      usageError(`Cannot read ${path}: ${messageOf(error)}`, hint);
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  throw usageError(
    `The token in ${path} is too short or contains spaces`,
    `It needs at least ${SHORTEST_TOKEN} characters, such as the output of openssl rand -hex 32.`,
  );
}
