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

const TOKEN = "correct-horse-battery";
const PAGE = "https://app.example";

/** Origins that are neither the server's own nor the allowed one. */
const FOREIGN = ("http://localhost:3000,http://localhost:4711,http://127.0.0.1,http://[::1]:4711," +
  "https://127.0.0.1:4711,http://127.0.0.1:4711/,null,,file://,https://app.example:8443," +
  "http://app.example,https://evil").split(",").concat("http://127.0.0.1:4711, http://a.b");

const fromOwn = (host: string) => ({ host, origin: `http://${host}` });

/** The status of requests with these headers. */
const REQUESTS: readonly [HttpOptions, status: number, headers: Record<string, string>[]][] = [
  [{ origins: [PAGE] }, 200, [
    {},
    { host: "localhost:4711" },
    ...["localhost:4711", "[::1]:4711", "127.0.0.1"].map(fromOwn),
    { origin: "HTTP://127.0.0.1:4711" },
    { origin: PAGE },
  ]],
  [{ origins: [PAGE] }, 403, [
    { host: "evil.example:4711" },
    fromOwn("evil.example"),
    ...FOREIGN.map((origin) => ({ origin })),
  ]],
  // Where any host is served, only an address is the server's own origin.
  [{ allowedHosts: [], token: TOKEN }, 401, ["192.0.2.7:4711", "[2001:db8::7]:4711"].map(fromOwn)],
  [{ allowedHosts: [], token: TOKEN }, 403, [fromOwn("evil.example:4711")]],
  [{ token: TOKEN }, 401, [{}, { authorization: "Bearer correct-horse-batterx" }]],
  [{ token: TOKEN }, 200, [{ authorization: `Bearer ${TOKEN}` }]],
];

Deno.test("served are this host, and pages of its own origin or of a named one, with the token", async () => {
  for (const [options, expected, requests] of REQUESTS) {
    await withHandler(options, async (_fetch, status) => {
      for (const headers of requests) {
        assert.equal(await status(post(initialize(), headers)), expected, JSON.stringify(headers));
      }
    });
  }
});

Deno.test("pages of an allowed origin may read answers, also of a preflight", () =>
  withHandler({ origins: [PAGE] }, async (fetch) => {
    const preflight = { method: "OPTIONS", headers: { origin: PAGE } };
    const requests = [
      [new Request("http://127.0.0.1:4711/mcp", preflight), 204, PAGE],
      [post(initialize(), { origin: PAGE }), 200, PAGE],
      [post(initialize(), { origin: "http://127.0.0.1:4711" }), 200, null],
    ] as const;
    for (const [request, status, allowed] of requests) {
      const response = await fetch(request);
      await response.body?.cancel();
      const header = response.headers.get("access-control-allow-origin");
      assert.deepEqual([response.status, header], [status, allowed]);
    }
  }));

Deno.test("with a token, requests without it are rejected in both eras, and told how to send it", () =>
  withHandler({ token: TOKEN }, async (fetch, status) => {
    const { headers, body } = await fetch(post(initialize()));
    await body?.cancel();
    assert.equal(headers.get("www-authenticate"), "Bearer");
    assert.equal(await status(post({ jsonrpc: "2.0", id: 1, method: "server/discover" })), 401);
    assert.equal(await status(new Request("http://127.0.0.1:4711/mcp")), 401);
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
