/**
 * Serves a workspace over MCP's streamable HTTP transport: legacy clients have sessions, requests
 * of modern ones are independent.
 */

import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  localhostAllowedHostnames,
  ProtocolErrorCode,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { fieldOf } from "../io/json.ts";
import type { Workspace } from "../tools/workspace.ts";
import { isSameSecret } from "./address.ts";
import { createFollower } from "./follower.ts";
import { createSessions, refusal } from "./http_sessions.ts";
import { createMcpServer } from "./server.ts";
import type { ServeOptions } from "./session.ts";

const CORS_HEADERS = {
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "authorization, content-type, last-event-id, mcp-method, " +
    "mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-expose-headers": "mcp-protocol-version, mcp-session-id, www-authenticate",
  "access-control-max-age": "600",
  vary: "origin",
};

const MOST_BYTES = 10_000_000;

/** Limit of followed resources for all session-less clients together. */
const MOST_FOLLOWED = 2000;

export interface HttpOptions extends ServeOptions {
  /** Accepted Host names (loopback by default), against DNS rebinding by web pages. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call the server, such as `https://app.example`. */
  readonly origins?: readonly string[];
  readonly token?: string | undefined;
}

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function createHttpHandler(
  workspace: Workspace,
  options: HttpOptions = {},
): HttpHandler {
  const modern = createMcpHandler(
    (request) => createMcpServer(workspace, options, request),
    { maxRequestBodySize: MOST_BYTES },
  );
  const sessions = createSessions(() => createMcpServer(workspace, options));
  const follower = createFollower(workspace, MOST_FOLLOWED);
  follower.notifyBy(modern.notify);

  const serve = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return await sessions.handle(request);
    const body = await readRequestBody(request, MOST_BYTES).catch(() => undefined);
    if (body === undefined) {
      return refusal(400, ProtocolErrorCode.ParseError, "The body cannot be read");
    }
    if (body.tooLarge) {
      return refusal(413, ProtocolErrorCode.InvalidRequest, `The body exceeds ${MOST_BYTES} bytes`);
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.text);
    } catch {
      return refusal(400, ProtocolErrorCode.ParseError, "Parse error: the body is not JSON");
    }
    const bare = withoutBody(request);
    if (
      sessions.has(request) ||
      [parsed].flat().some(isInitializeRequest) && await isLegacyRequest(bare, parsed)
    ) {
      return await sessions.handle(bare, parsed);
    }
    if (fieldOf(parsed, "method") !== "subscriptions/listen") {
      return await modern.fetch(bare, { parsedBody: parsed });
    }
    const end = () => follower.endListening(request);
    request.signal.addEventListener("abort", end, { once: true });
    await follower.listen(request, fieldOf(parsed, "params"));
    if (request.signal.aborted) end();
    const answer = await modern.fetch(bare, { parsedBody: parsed });
    // A rejected request listens to nothing.
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) end();
    return answer;
  };

  return {
    fetch: async (request) => {
      const origin = request.headers.get("origin");
      const isKnown = origin !== null && (options.origins ?? []).includes(origin);
      const refused = checkSource(request, options, isKnown);
      if (refused !== undefined) return refused;
      const cors: Record<string, string> = isKnown
        ? { ...CORS_HEADERS, "access-control-allow-origin": origin }
        : {};
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
      const answer = checkToken(request, options.token) ?? await serve(request);
      for (const [name, value] of Object.entries(cors)) answer.headers.set(name, value);
      return answer;
    },
    close: async () => {
      follower.stop();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** Rejects requests for another host or from another origin. */
function checkSource(
  request: Request,
  { allowedHosts = localhostAllowedHostnames() }: HttpOptions,
  isKnownOrigin: boolean,
): Response | undefined {
  const hosts = [...allowedHosts];
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const checks = [
    ...hosts.length === 0 ? [] : [validateHostHeader(host, hosts)],
    ...isKnownOrigin ? [] : [validateOriginHeader(request.headers.get("origin"), hosts)],
  ];
  const failed = checks.find((check) => !check.ok);
  if (failed === undefined) return undefined;
  return refusal(403, -32000, failed.ok ? "Forbidden" : failed.message);
}

function checkToken(request: Request, token?: string): Response | undefined {
  if (token === undefined) return undefined;
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (shown !== undefined && isSameSecret(shown, token)) return undefined;
  return refusal(401, -32001, "A bearer token is required", {
    "www-authenticate": shown === undefined ? "Bearer" : 'Bearer error="invalid_token"',
  });
}

/** The request without its body, which has been read. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  return new Request(url, { method, headers, signal });
}
