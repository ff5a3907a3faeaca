import assert from "node:assert/strict";
import { createHttpHandler, type HttpOptions } from "../../src/mcp/http.ts";
import { openWorkspace } from "../../src/host/open_workspace.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const ACCEPT = "application/json, text/event-stream";

function post(message: unknown, headers: Record<string, string> = {}): Request {
  return new Request("http://127.0.0.1:4711/mcp", {
    method: "POST",
    body: typeof message === "string" ? message : JSON.stringify(message),
    headers: { "content-type": "application/json", accept: ACCEPT, ...headers },
  });
}

const initialize = () => ({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
});

/** The message of a response, sent as JSON or as an event. */
// deno-lint-ignore no-explicit-any -- looked into freely
async function messageOf(response: Response): Promise<any> {
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

async function withHandler(
  options: HttpOptions,
  test: (
    fetch: (request: Request) => Promise<Response>,
    status: (request: Request) => Promise<number>,
  ) => Promise<void>,
): Promise<void> {
  const workspace = openWorkspace({ cwd: makeProject(SMALL_PLAN) });
  const { fetch, close } = createHttpHandler(workspace, { logLevel: "error", ...options });
  try {
    await test(fetch, async (request) => {
      const response = await fetch(request);
      await response.body?.cancel();
      return response.status;
    });
  } finally {
    await close();
  }
}

Deno.test("served are this host, and pages of its own origin or of a named one", () =>
  withHandler({ origins: ["https://app.example"] }, async (_fetch, status) => {
    const ask = (headers: Record<string, string>) => status(post(initialize(), headers));
    const served = [
      {},
      { host: "localhost:4711" },
      { host: "localhost:4711", origin: "http://localhost:4711" },
      { host: "[::1]:4711", origin: "http://[::1]:4711" },
      { host: "127.0.0.1", origin: "http://127.0.0.1" },
      { origin: "HTTP://127.0.0.1:4711" },
      { origin: "https://app.example" },
    ];
    for (const headers of served) assert.equal(await ask(headers), 200, JSON.stringify(headers));
    assert.equal(await ask({ host: "evil.example:4711" }), 403);
    assert.equal(await ask({ host: "evil.example", origin: "http://evil.example" }), 403);
    const refused =
      ("http://localhost:3000,http://localhost:4711,http://127.0.0.1,http://[::1]:4711," +
        "https://127.0.0.1:4711,http://127.0.0.1:4711/,null,,file://,https://app.example:8443," +
        "http://app.example,https://evil").split(",").concat("http://127.0.0.1:4711, http://a.b");
    for (const origin of refused) assert.equal(await ask({ origin }), 403, origin);
  }));

Deno.test("where any host is served, only an address is the server's own origin", () =>
  withHandler({ allowedHosts: [], token: "correct-horse-battery" }, async (_fetch, status) => {
    const ask = (host: string) => status(post(initialize(), { host, origin: `http://${host}` }));
    assert.deepEqual(
      await Promise.all(["192.0.2.7:4711", "[2001:db8::7]:4711", "evil.example:4711"].map(ask)),
      [401, 401, 403],
    );
  }));

Deno.test("pages of an allowed origin may use the server, also with a preflight", () =>
  withHandler({ origins: ["https://app.example"] }, async (fetch, status) => {
    const origin = "https://app.example";
    const allowed = async (request: Request) => {
      const response = await fetch(request);
      await response.body?.cancel();
      return response.headers.get("access-control-allow-origin");
    };
    const before = new Request("http://127.0.0.1:4711/mcp", {
      method: "OPTIONS",
      headers: { origin },
    });
    assert.equal(await status(before.clone()), 204);
    assert.equal(await allowed(before), origin);
    assert.equal(await allowed(post(initialize(), { origin })), origin);
    assert.equal(await status(post(initialize(), { origin: "https://other.example" })), 403);
    assert.equal(await allowed(post(initialize(), { origin: "http://127.0.0.1:4711" })), null);
  }));

Deno.test("with a token, requests without it or with another one are rejected in both eras", () =>
  withHandler({ token: "correct-horse-battery" }, async (fetch, status) => {
    const none = await fetch(post(initialize()));
    await none.body?.cancel();
    assert.deepEqual([none.status, none.headers.get("www-authenticate")], [401, "Bearer"]);
    const wrong = { authorization: "Bearer correct-horse-batterx" };
    assert.equal(await status(post(initialize(), wrong)), 401);
    assert.equal(await status(post({ jsonrpc: "2.0", id: 1, method: "server/discover" })), 401);
    assert.equal(await status(new Request("http://127.0.0.1:4711/mcp")), 401);
    const right = { authorization: "Bearer correct-horse-battery" };
    assert.equal(await status(post(initialize(), right)), 200);
  }));

Deno.test("bodies that are too large or deep, not JSON or of another type are rejected with a reason", () =>
  withHandler({}, async (fetch) => {
    const large = post({ ...initialize(), x: "x".repeat(11_000_000) });
    const cases = [
      [large, 413, -32600],
      [post("{broken"), 400, -32700],
      [post("[".repeat(4_000_000)), 400, -32600],
      [post(`${"[".repeat(65)}${"]".repeat(65)}`), 400, -32600],
      [post(`[${"[],".repeat(1_000_000)}1]`), 400, -32600],
      [post(initialize(), { "content-type": "text/plain" }), 415, -32000],
      [new Request("http://127.0.0.1:4711/mcp"), 405, -32000],
      [new Request("http://127.0.0.1:4711/mcp", { method: "DELETE" }), 405, -32000],
    ] as const;
    for (const [request, status, code] of cases) {
      const response = await fetch(request);
      const { error } = await messageOf(response);
      assert.deepEqual([response.status, error.code], [status, code]);
    }
  }));

Deno.test("there are no sessions: each request of a legacy client is answered by itself", () =>
  withHandler({}, async (fetch) => {
    const begun = await fetch(post(initialize()));
    assert.equal(begun.headers.get("mcp-session-id"), null);
    const { capabilities } = (await messageOf(begun)).result;
    // Nothing stays open for notifications.
    for (const list of ["tools", "resources", "prompts"]) {
      assert.equal(capabilities[list].listChanged, false);
    }
    const response = await fetch(post({ jsonrpc: "2.0", id: 2, method: "tools/list" }));
    const { tools } = (await messageOf(response)).result;
    assert.ok(tools.some(({ name }: { name: string }) => name === "refrakt_detect"));
  }));
