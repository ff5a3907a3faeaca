import assert from "node:assert/strict";
import type { ServedView } from "../../src/cli/view_page.ts";
import { viewHandler } from "../../src/cli/view_server.ts";
import { terminalContext } from "../../src/cli/commands/context.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { copyExample } from "../support/run.ts";

const TOKEN = "T".repeat(32);
const PORT = 4711;
const OWN = `http://127.0.0.1:${PORT}`;
const VIEW: ServedView = {
  document: "<p>view</p>",
  tool: "plan.board",
  tools: ["plan.get"],
  input: {},
};

const workspace = openWorkspace({ cwd: copyExample("plan") });
const handle = viewHandler(VIEW, { token: TOKEN, workspace, context: terminalContext(workspace) });

function request(path: string, init: RequestInit = {}, headers: Record<string, string> = {}) {
  const body = typeof init.body === "string" ? init.body : "";
  return handle(
    new Request(`${OWN}${path}`, {
      ...init,
      headers: {
        host: `127.0.0.1:${PORT}`,
        ...(init.method === "POST" ? { "content-length": String(body.length) } : {}),
        ...headers,
      },
    }),
    PORT,
  );
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  request(`/${TOKEN}/call`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  }, headers);

Deno.test("the page requires the token, and its policy allows only its own origin", async () => {
  const response = await request(`/${TOKEN}/`);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /sandbox="allow-scripts"/);
  assert.match(response.headers.get("content-security-policy")!, /connect-src 'self'/);
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal(response.headers.get("cache-control"), "no-store");
});

Deno.test("a wrong token, host or origin is rejected", async () => {
  const refused: [string, Record<string, string>][] = [
    ["/", {}],
    [`/${TOKEN.slice(1)}/`, {}],
    [`/${TOKEN}x/`, {}],
    [`/${"é".repeat(16)}/`, {}],
    [`/${TOKEN}/`, { host: `localhost:${PORT}` }],
    [`/${TOKEN}/`, { host: "127.0.0.1:80" }],
    [`/${TOKEN}/`, { origin: "https://example.com" }],
    [`/${TOKEN}/`, { origin: "null" }],
  ];
  for (const [path, headers] of refused) {
    assert.equal((await request(path, {}, headers)).status, 403, path);
  }
  for (const path of [`/${TOKEN}`, `/${TOKEN}/other`, `/${TOKEN}/call`, `/${TOKEN}/call/more`]) {
    const { status } = await request(path);
    assert.equal(status, 404, path);
  }
});

Deno.test("the view's tools can be called, and their errors are returned", async () => {
  const good = await post({ name: "plan.get", arguments: { id: "WORK-002" } }, { origin: OWN });
  assert.equal((await good.json()).structuredContent.id, "WORK-002");
  const missing = await (await post({ name: "plan.get", arguments: { id: "WORK-999" } })).json();
  assert.deepEqual([missing.isError, missing.errorCode], [true, "NOT_FOUND"]);
  const wrong = await (await post({ name: "plan.get", arguments: { nope: 1 } })).json();
  assert.deepEqual([wrong.isError, wrong.errorCode], [true, "INVALID_ARGS"]);
});

Deno.test("other tools and invalid requests are rejected", async () => {
  for (const name of ["plan.create", "plan.getx", "__proto__", undefined, 1]) {
    assert.equal((await post({ name, arguments: {} })).status, 403, String(name));
  }
  assert.equal((await post("{")).status, 400);
  assert.equal((await post("null")).status, 403);
  assert.equal((await post({}, { "content-length": "2000000" })).status, 413);
});
