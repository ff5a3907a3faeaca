/**
 * Serves a workspace over MCP's streamable HTTP transport, in both eras: clients of the
 * older one have sessions, those of the newer one send requests that stand alone.
 *
 * @module
 */

import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  localhostAllowedHostnames,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { createHash, timingSafeEqual } from "node:crypto";
import { fieldOf } from "../io/json.ts";
import type { Workspace } from "../tools/workspace.ts";
import { createFollower } from "./follower.ts";
import { createSessions, refusal } from "./http_sessions.ts";
import { CODES } from "./error_codes.ts";
import { createMcpServer } from "./server.ts";
import type { ServeOptions } from "./session.ts";

/** What the headers of another origin's page may be, and what it may read. */
const CORS_HEADERS = {
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "authorization, content-type, last-event-id, mcp-method, " +
    "mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-expose-headers": "mcp-protocol-version, mcp-session-id, www-authenticate",
  "access-control-max-age": "600",
  vary: "origin",
};

/** The most bytes of a request. */
const MOST_BYTES = 10_000_000;

/** The most resources that all clients of the newer era follow together. */
const MOST_FOLLOWED = 2000;

/** How requests over HTTP are answered. */
export interface HttpOptions extends ServeOptions {
  /**
   * The names that the server goes by, those of the loopback by default. A page of the web could
   * point a name of its own at this machine and reach the server through a browser.
   */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may talk to the server, such as `https://app.example`. */
  readonly origins?: readonly string[];
  readonly token?: string;
}

/** Answers requests. */
export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Makes a handler for HTTP requests. */
export function createHttpHandler(
  workspace: Workspace,
  options: HttpOptions = {},
): HttpHandler {
  // Each request stands alone: a level that an earlier one set is not known any more.
  const alone: ServeOptions = { clientLogLevel: "info", ...options };
  const modern = createMcpHandler(
    (request) => createMcpServer(workspace, alone, request),
    { maxRequestBodySize: MOST_BYTES },
  );
  const sessions = createSessions(() => createMcpServer(workspace, options));
  const follower = createFollower(workspace, MOST_FOLLOWED);
  follower.notifyBy(modern.notify);

  const serve = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return await sessions.handle(request);
    const body = await readRequestBody(request, MOST_BYTES).catch(() => undefined);
    if (body === undefined) return refusal(400, CODES.parseError, "The body cannot be read");
    if (body.tooLarge) {
      return refusal(413, CODES.invalidRequest, `The body has more than ${MOST_BYTES} bytes`);
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.text);
    } catch {
      return refusal(400, CODES.parseError, "Parse error: the body is not JSON");
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
    // A request that is refused listens to nothing.
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

/** Refuses what comes for another host, or from a page of another origin. */
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
  if (shown !== undefined && isSame(shown, token)) return undefined;
  return refusal(401, -32001, "A bearer token is needed", {
    "www-authenticate": shown === undefined ? "Bearer" : 'Bearer error="invalid_token"',
  });
}

/** Compares in the same time whatever the difference is. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left!, right!);
}

/** The request with its headers alone: its body has been read. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  return new Request(url, { method, headers, signal });
}
