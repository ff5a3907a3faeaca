/**
 * Serves a workspace over MCP's streamable HTTP transport.
 *
 * @module
 */

import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { createMcpServer, type ServedWorkspace, type ServeOptions } from "./server.ts";

/**
 * Makes a handler for HTTP requests. A page of the web could point its own name at
 * this machine and reach the server through a browser, so the names in `Host` and
 * `Origin` are checked first.
 *
 * @param workspace What is served.
 * @param options How.
 * @param allowedHosts The names that the server goes by; those of the loopback by default.
 */
export function createHttpHandler(
  workspace: ServedWorkspace,
  options: ServeOptions = {},
  allowedHosts: readonly string[] = localhostAllowedHostnames(),
): (request: Request) => Promise<Response> {
  // Each request stands alone: a level that an earlier one set is not known any more.
  const serving: ServeOptions = { clientLogLevel: "info", ...options };
  const handler = createMcpHandler((request) => createMcpServer(workspace, serving, request));
  return async (request) => {
    const hosts = [...allowedHosts];
    const host = request.headers.get("host") ?? new URL(request.url).host;
    const checks = [
      validateHostHeader(host, hosts),
      validateOriginHeader(request.headers.get("origin"), hosts),
    ];
    const refused = checks.find((check) => !check.ok);
    return refused === undefined ? await handler.fetch(request) : refusal(refused);
  };
}

function refusal(check: { message?: string }): Response {
  const error = { code: -32000, message: check.message ?? "Forbidden" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
}
