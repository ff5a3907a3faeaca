/**
 * The flags that every way of serving has.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { textOf, textsOf } from "../io/json.ts";
import { isNotFound } from "../io/paths.ts";
import { refusalToError } from "../io/permissions.ts";
import type { NameStyle } from "../mcp/clients.ts";
import { isPackageName } from "../npm/names.ts";
import { type CodePolicy, LOCAL_CODE } from "../project/code_policy.ts";
import { type Address, isLoopback } from "../mcp/address.ts";
import type { HttpOptions } from "../mcp/http.ts";
import type { ServeOptions } from "../mcp/session.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { LogLevel } from "../tools/context.ts";
import { type Flags, type ParsedFlags, SERVING, toggle, valued, wrongValue } from "./flags.ts";

/** The longest time limit, in seconds: a day. */
const MOST_SECONDS = 86_400;

/** Flags of both programs. */
export const COMMON_FLAGS = {
  cwd: valued("path", "The project's directory (default: where it runs)"),
  "tool-names": valued("style", "dotted or underscore (default: what the client can say)", SERVING),
  "log-level": valued("level", "debug, info, warning or error on stderr (default: info)", SERVING),
  "read-only": toggle("Neither list nor run what writes", SERVING, "call", "list", "view"),
  http: valued(
    "address",
    "Serve over HTTP, at 127.0.0.1:4711 for example, in place of stdin and stdout",
    SERVING,
  ),
  "token-file": valued(
    "path",
    "A file with the token that HTTP clients must show; needed on other addresses than the loopback",
    SERVING,
  ),
  origin: {
    ...valued(
      "origin",
      "A web origin whose pages may use the HTTP server, such as https://app.example",
      SERVING,
    ),
    multiple: true,
  },
  help: { ...toggle("Show this help"), short: "h" },
  version: { ...toggle("Show the version", SERVING), short: "v" },
} satisfies Flags;

/** The commands that may load code of the project. */
const CODE_COMMANDS = [SERVING, "call", "read", "list", "check", "doctor", "warm", "view"];

/** Flags about code of the project that is not refrakt's own. */
export const CODE_FLAGS: Flags = {
  isolate: toggle(
    "Run the project's code in Workers that may only read the project (deno run then needs " +
      "--unstable-worker-options)",
    ...CODE_COMMANDS,
  ),
  trust: {
    ...valued(
      "package",
      "Run a package's code, local modules (local) or all of it in the server's own process",
      ...CODE_COMMANDS,
    ),
    multiple: true,
  },
  timeout: valued(
    "seconds",
    "How long the project's code in a Worker may take for a call without progress, and a " +
      "package to load (default: 60)",
    ...CODE_COMMANDS,
  ),
};

/** What the flags say about serving. */
export function serveOptions({ values }: ParsedFlags): ServeOptions {
  const toolNames = oneOf<NameStyle>(values, "tool-names", ["dotted", "underscore"]);
  const logLevel = oneOf<LogLevel>(values, "log-level", ["debug", "info", "warning", "error"]);
  return {
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
}

/** What the flags say about code of the project. */
export function codePolicy({ values }: ParsedFlags): Partial<CodePolicy> {
  const trusted = textsOf(values["trust"])
    .flatMap((names) => names.split(",")).map((name) => name.trim());
  const wrong = trusted.find((name) =>
    name !== LOCAL_CODE && name !== "all" && !isPackageName(name)
  );
  if (wrong !== undefined) {
    const hint = "It takes the name of a package, local for the project's own modules, or all.";
    throw wrongValue("trust", wrong, hint);
  }
  const timeout = values["timeout"];
  const seconds = Number(timeout);
  if (timeout !== undefined && !(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw wrongValue("timeout", timeout, `It takes seconds, ${MOST_SECONDS} at the most.`);
  }
  return {
    isolate: values["isolate"] === true,
    trusted,
    ...(timeout === undefined ? {} : { timeoutMs: seconds * 1000 }),
  };
}

/** A flag's value, where it is one of those that it takes. */
export function oneOf<Value extends string>(
  values: ParsedFlags["values"],
  name: string,
  valid: readonly Value[],
): Value | undefined {
  const value = values[name];
  const found = valid.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw wrongValue(name, value, `It takes ${valid.join(", ")}.`);
}

/** The shortest token, in characters. */
const SHORTEST_TOKEN = 16;

/** Serves as the flags say: over HTTP, or on stdin and stdout. */
export async function serve(workspace: Workspace, flags: ParsedFlags): Promise<void> {
  const serving = serveOptions(flags);
  const address = httpAddress(flags);
  if (address === undefined) {
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    return await serveOnStdio(workspace, serving);
  }
  const options: HttpOptions = { ...serving, ...httpOptions(flags, address) };
  const { serveOnHttp } = await import("../mcp/http_server.ts");
  serveOnHttp(workspace, address, options);
}

/** Where `--http` listens: `host:port`, or a port of the loopback. */
function httpAddress({ values }: ParsedFlags): Address | undefined {
  const given = textOf(values["http"]);
  if (given === undefined) {
    const lost = ["token-file", "origin"].find((name) => values[name] !== undefined);
    if (lost === undefined) return undefined;
    throw new RefraktError("INVALID_ARGS", `--${lost} is for HTTP`, {
      hint: "Add --http 127.0.0.1:4711.",
    });
  }
  const match = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(given);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) {
    throw wrongValue("http", given, "It takes an address and a port, such as 127.0.0.1:4711.");
  }
  return { hostname: (match[1] ?? "127.0.0.1").replace(/^\[|\]$/g, ""), port };
}

function httpOptions({ values }: ParsedFlags, address: Address): HttpOptions {
  const file = textOf(values["token-file"]);
  const origins = textsOf(values["origin"]);
  const wrong = origins.find((origin) => !/^https?:\/\/[^/\s]+$/.test(origin));
  if (wrong !== undefined) {
    throw wrongValue("origin", wrong, "It takes a scheme and a host, as https://app.example.");
  }
  if (file === undefined && !isLoopback(address)) {
    throw new RefraktError("INVALID_ARGS", `--http ${address.hostname} needs --token-file`, {
      hint:
        "Other machines can reach this address: clients must show a token. Write a long random " +
        "one into a file, or listen on 127.0.0.1.",
    });
  }
  return { origins, ...(file === undefined ? {} : { token: readToken(file) }) };
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
        { hint: "Give the file with the token with --token-file." },
      );
  }
  if (text.length >= SHORTEST_TOKEN && !/\s/.test(text)) return text;
  throw new RefraktError("INVALID_ARGS", `The token in ${path} is too short or has spaces`, {
    hint: `It needs ${SHORTEST_TOKEN} characters or more; openssl rand -hex 32 makes a good one.`,
  });
}
