/** The values of the flags for serving as options. */

import { messageOf, RefraktError } from "../errors.ts";
import { textOf, textsOf } from "../io/json.ts";
import { nodeModule } from "../io/node_module.ts";
import { isNotFound } from "../io/paths.ts";
import { refusalToError } from "../io/permissions.ts";
import type { CodePolicy } from "../plugin/project.ts";
import { type Address, isLoopback } from "../mcp/listen.ts";
import type { HttpOptions } from "../mcp/http.ts";
import type { ServeOptions } from "../mcp/session.ts";
import { denoRun } from "../host/serve_command.ts";
import { shellLine } from "../host/shell.ts";
import { unknownNames } from "../host/inventory.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { isToolName, nameKey, type NameStyle } from "../plugin/tool_names.ts";
import type { LogLevel } from "../plugin/context.ts";
import { GROUPS } from "./flag_table.ts";
import { type ParsedFlags, wrongValue } from "./flags.ts";

/** One day. */
const MOST_SECONDS = 86_400;

export function serveOptions({ values }: ParsedFlags): ServeOptions {
  return {
    toolNames: oneOf<NameStyle>(values, "tool-names", ["dotted", "underscore"]),
    logLevel: oneOf<LogLevel>(values, "log-level", ["debug", "info", "warning", "error"]),
  };
}

/** The names and groups of `--tools`; `undefined` without it. */
export function chosenTools({ values }: ParsedFlags): readonly string[] | undefined {
  if (values["tools"] === undefined) return undefined;
  const names = textsOf(values["tools"]).flatMap((text) => text.split(","))
    .map((name) => name.trim());
  const wrong = names.find((name) => !isToolName(nameKey(name)));
  if (wrong === undefined) return names;
  throw wrongValue("tools", wrong, `It must be names of tools, or ${GROUPS.join(", ")}.`);
}

/**
 * Throws if `--tools` names what this project does not have. Names that the build does not know may
 * be those of plugins, which are waited for; if one cannot be loaded, nobody knows its names.
 */
export async function checkChosenTools(workspace: Workspace): Promise<void> {
  if (workspace.project().tools === undefined) return;
  let inventory = await workspace.inventory("tools");
  if (unknownNames(inventory).length > 0) inventory = await workspace.inventory("all");
  const [name] = unknownNames(inventory);
  const isLoaded = inventory.warnings.every((warning) => warning.package === undefined);
  if (name === undefined || !isLoaded) return;
  throw wrongValue(
    "tools",
    name,
    `It is no tool and no group here. The groups are ${GROUPS.join(", ")}; ` +
      "without --tools, list tools prints the names.",
  );
}

export function codePolicy({ values }: ParsedFlags): Partial<CodePolicy> {
  const trust = values["trust"] === true;
  if (trust && Deno.build.standalone) {
    throw new RefraktError("INVALID_ARGS", "A binary loads only the packages inside it", {
      hint: `Run the server from JSR: ${
        shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "--trust"]))
      }`,
    });
  }
  const timeout = values["timeout"];
  const seconds = Number(timeout);
  if (timeout !== undefined && !(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw wrongValue("timeout", timeout, `It must be a number of seconds up to ${MOST_SECONDS}.`);
  }
  return timeout === undefined ? { trust } : { trust, timeoutMs: seconds * 1000 };
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
  const options: HttpOptions = { ...serving, ...httpOptions(flags, address) };
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
    throw wrongValue(
      "origin",
      wrong,
      "It must be a scheme and a host, such as https://app.example.",
    );
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
    throw refusalToError(error, Deno.cwd()) ??
      new RefraktError(
        "INVALID_ARGS",
        isNotFound(error) ? `No such file: ${path}` : `Cannot read ${path}: ${messageOf(error)}`,
        { hint: "--token-file must be a readable file with the token." },
      );
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  throw new RefraktError("INVALID_ARGS", `The token in ${path} is too short or contains spaces`, {
    hint:
      `It needs at least ${SHORTEST_TOKEN} characters, such as the output of openssl rand -hex 32.`,
  });
}
