/**
 * Serves a workspace over MCP's streamable HTTP transport: legacy clients have sessions, requests
 * of modern ones are independent.
 */

import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  localhostAllowedHostnames,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { fieldOf } from "../io/json.ts";
import type { Workspace } from "../tools/workspace.ts";
import { isSameSecret } from "./address.ts";
import { createFollower } from "./follower.ts";
import { createSessions, refusal } from "./http_sessions.ts";
import { JsonText, MOST_BYTES, type Unreadable, unreadable } from "./received.ts";
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

/** The code for requests from elsewhere. */
const FORBIDDEN = -32000;

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
    const body = await parsedBody(request);
    if (body instanceof Response) return body;
    const parsed = body.value;
    const { url, method, headers, signal } = request;
    // The body has been read.
    const bare = new Request(url, { method, headers, signal });
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

/** Rejects requests for another host, and from pages of any other origin than its own. */
function checkSource(
  request: Request,
  { allowedHosts = localhostAllowedHostnames() }: HttpOptions,
  isKnownOrigin: boolean,
): Response | undefined {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const checked = allowedHosts.length === 0
    ? undefined
    : validateHostHeader(host, [...allowedHosts]);
  if (checked?.ok === false) return refusal(403, FORBIDDEN, checked.message);
  const origin = request.headers.get("origin");
  if (origin === null || isKnownOrigin) return undefined;
  // A name that nobody has checked may be that of a page, bound to this address.
  const isChecked = checked !== undefined || /^(?:[\d.]+|\[.*\])(?::\d+)?$/.test(host);
  if (isChecked && origin.toLowerCase() === URL.parse(`http://${host}`)?.origin) return undefined;
  const message = "Forbidden origin: --origin allows the pages of one";
  return refusal(403, FORBIDDEN, message);
}

function checkToken(request: Request, token?: string): Response | undefined {
  if (token === undefined) return undefined;
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (shown !== undefined && isSameSecret(shown, token)) return undefined;
  return refusal(401, -32001, "A bearer token is required", {
    "www-authenticate": shown === undefined ? "Bearer" : 'Bearer error="invalid_token"',
  });
}

/** The JSON in the body, or the refusal of one that is broken or beyond the limits. */
async function parsedBody(request: Request): Promise<{ readonly value: unknown } | Response> {
  if (Number(request.headers.get("content-length")) > MOST_BYTES) return refused("tooLarge");
  const reader = request.body?.getReader();
  const text = new JsonText();
  try {
    for (let size = 0; reader !== undefined && size <= MOST_BYTES;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      text.add(value);
    }
  } catch {
    return refused("broken");
  }
  const parsed = text.parsed();
  return parsed !== undefined && "value" in parsed ? parsed : refused(parsed?.problem ?? "broken");
}

function refused(problem: Unreadable["problem"]): Response {
  const { code, message } = unreadable(problem);
  return refusal(problem === "tooLarge" ? 413 : 400, code, message);
}
