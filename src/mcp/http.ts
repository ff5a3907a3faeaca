/** Serves a workspace over Streamable HTTP by the SDK's handler, which keeps no sessions. */

import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { writeStderr } from "../io/pipes.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { type Address, isLoopback, isSameSecret, listen, shownAddress } from "./listen.ts";
import { readJson } from "./received.ts";
import { createMcpServer } from "./server.ts";
import { type ServeOptions, watchLists } from "./session.ts";

const PATH = "/mcp";

const CORS_HEADERS = {
  "access-control-allow-headers":
    "authorization, content-type, mcp-method, mcp-name, mcp-protocol-version",
  vary: "origin",
};

export interface HttpOptions extends ServeOptions {
  /** Accepted Host names (loopback by default), against DNS rebinding by web pages. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call the server, such as `https://app.example`. */
  readonly origins?: readonly string[];
  readonly token?: string | undefined;
}

/** Listens until a signal ends the process; throws a `RefraktError` if it cannot. */
export async function serveOnHttp(
  workspace: Workspace,
  address: Address,
  options: HttpOptions = {},
): Promise<void> {
  // With a token, any Host header is accepted.
  const hosts = isLoopback(address) ? {} : { allowedHosts: [] };
  const { fetch } = createHttpHandler(workspace, { ...options, ...hosts });
  const server = await listen(address, async (request) => {
    if (new URL(request.url).pathname === PATH) return await fetch(request);
    return refusal(404, `Not found: MCP is at ${PATH}`);
  });
  const access = options.token === undefined
    ? "without a token, so every user and program of this machine can call every tool: " +
      "--token-file <path> requires one"
    : "and requires the token";
  writeStderr(`refrakt-mcp listens on http://${shownAddress(server.address)}${PATH} ${access}\n`);
  void workspace.warm().catch(() => {});
}

export function createHttpHandler(workspace: Workspace, options: HttpOptions = {}) {
  const changes = watchLists(workspace, (list) => handler.notify[`${list}Changed`]());
  const handler = createMcpHandler((request) =>
    createMcpServer(workspace, options, request, changes)
  );
  const answer = async (request: Request): Promise<Response> => {
    const refused = checkSource(request, options) ?? checkToken(request, options.token);
    if (refused !== undefined) return refused;
    if (request.method !== "POST") return await handler.fetch(request);
    const body = await readJson(request.body);
    if ("value" in body) return await handler.fetch(request, { parsedBody: body.value });
    return refusal(body.status, body.message, body.code);
  };
  return {
    fetch: async (request: Request): Promise<Response> => {
      const origin = request.headers.get("origin") ?? "";
      if (!options.origins?.includes(origin)) return await answer(request);
      // A preflight has no token.
      const isPreflight = request.method === "OPTIONS";
      const response = isPreflight ? new Response(null, { status: 204 }) : await answer(request);
      response.headers.set("access-control-allow-origin", origin);
      for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value);
      return response;
    },
    close: async (): Promise<void> => {
      changes.stop();
      await handler.close();
    },
  };
}

/** Rejects requests for another host, and from pages of any origin but its own and the allowed. */
function checkSource(
  request: Request,
  { allowedHosts = localhostAllowedHostnames(), origins = [] }: HttpOptions,
): Response | undefined {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const isChecked = allowedHosts.length > 0;
  const checked = validateHostHeader(host, [...allowedHosts]);
  if (isChecked && !checked.ok) return refusal(403, checked.message);
  const origin = request.headers.get("origin");
  if (origin === null || origins.includes(origin)) return undefined;
  // An unchecked name may be that of a page, bound to this address.
  const isSafe = isChecked || /^(?:[\d.]+|\[.*\])(?::\d+)?$/.test(host);
  if (isSafe && origin.toLowerCase() === URL.parse(`http://${host}`)?.origin) return undefined;
  return refusal(403, "Forbidden origin: --origin allows the pages of one");
}

function checkToken(request: Request, token?: string): Response | undefined {
  if (token === undefined) return undefined;
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (sent !== undefined && isSameSecret(sent, token)) return undefined;
  const challenge = sent === undefined ? "Bearer" : 'Bearer error="invalid_token"';
  return refusal(401, "A bearer token is required", -32000, { "www-authenticate": challenge });
}

/** A JSON-RPC error for a request that reaches no server. */
function refusal(status: number, message: string, code = -32000, headers: HeadersInit = {}) {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
