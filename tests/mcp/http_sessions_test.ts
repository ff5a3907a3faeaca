import assert from "node:assert/strict";
import { createSessions } from "../../src/mcp/http_sessions.ts";
import { createMcpServer } from "../../src/mcp/server.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject } from "../support/project.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

function setUp() {
  const workspace = openWorkspace({ cwd: makeProject() });
  const sessions = createSessions(() => createMcpServer(workspace));
  const send = async (message: unknown, id?: string) => {
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { ...HEADERS, ...(id === undefined ? {} : { "mcp-session-id": id }) },
    });
    const response = await sessions.handle(request, message);
    await response.body?.cancel();
    return response;
  };
  return {
    sessions,
    begin: async () => (await send(INITIALIZE)).headers.get("mcp-session-id")!,
    ping: async (id: string) => (await send({ jsonrpc: "2.0", id: 2, method: "ping" }, id)).status,
  };
}

Deno.test("at the limit, a new session ends the least recently used one", async () => {
  const { sessions, begin, ping } = setUp();
  const ids: string[] = [];
  for (let index = 0; index < 100; index++) ids.push(await begin());
  assert.equal(new Set(ids).size, 100);
  assert.equal(await ping(ids[0]!), 200);
  const last = await begin();
  assert.equal(await ping(ids[1]!), 404, "the oldest that was not used since");
  for (const id of [ids[0]!, ids[2]!, last]) assert.equal(await ping(id), 200);
  await sessions.close();
});

Deno.test("streams without a session are rejected, and all sessions after closing", async () => {
  const { sessions, begin, ping } = setUp();
  const stream = new Request("http://127.0.0.1/mcp", { headers: HEADERS });
  assert.ok(!sessions.has(stream));
  const refused = await sessions.handle(stream);
  assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "POST"]);
  const id = await begin();
  assert.ok(sessions.has(new Request(stream, { headers: { "mcp-session-id": id } })));
  assert.equal(await ping(id), 200);
  await sessions.close();
  assert.equal(await ping(id), 404);
});
