/**
 * Sessions of legacy clients. Each has its own server, which keeps the client's name, log level and
 * subscriptions.
 */

import {
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Above this, the least recently used session ends. */
const MOST_SESSIONS = 100;

const SESSION_HEADER = "mcp-session-id";

export interface Sessions {
  has(request: Request): boolean;
  handle(request: Request, parsedBody?: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
}

export function createSessions(createServer: () => Server): Sessions {
  /** In order of last use. */
  const sessions = new Map<string, HttpSession>();
  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(() => {});
  };
  const begin = async (request: Request, parsedBody: unknown): Promise<Response> => {
    const [idlest] = sessions.keys();
    if (idlest !== undefined && sessions.size >= MOST_SESSIONS) void end(idlest);
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => end(id),
    });
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody });
  };
  return {
    has: (request) => request.headers.has(SESSION_HEADER),
    handle: async (request, parsedBody) => {
      const id = request.headers.get(SESSION_HEADER);
      if (id === null) {
        return parsedBody === undefined
          ? refusal(405, -32000, "Method not allowed: streams require a session", {
            allow: "POST",
          })
          : await begin(request, parsedBody);
      }
      const session = sessions.get(id);
      // By the specification, clients start a new session on 404.
      if (session === undefined) return refusal(404, -32001, "Session not found");
      sessions.delete(id);
      sessions.set(id, session);
      return await session.transport.handleRequest(request, { parsedBody });
    },
    close: async () => {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** A JSON-RPC error for a request that reaches no server. */
export function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
