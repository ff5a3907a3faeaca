import assert from "node:assert/strict";
import { createListened } from "../../src/mcp/listened.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { startRaw } from "../support/raw.ts";

const INDEX = "refrakt://plan/index";
const STATUS = "refrakt://plan/status";
const WORK = "refrakt://plan/work/WORK-001";

const naming = (...uris: unknown[]) => ({ notifications: { resourceSubscriptions: uris } });

Deno.test("what all requests listen to has a limit, and what one has ended makes room", async () => {
  const listened = createListened(openWorkspace({ cwd: makeProject(SMALL_PLAN) }), 2, 3);
  const add = async (...uris: unknown[]) => {
    const added = await listened.add(naming(...uris));
    if ("end" in added) return added.end;
    throw new Error(added.refusal.message);
  };
  const first = await add(INDEX, INDEX, 7);
  // Side by side: the one counts for the other.
  const both = await Promise.allSettled([add(STATUS), add(WORK)]);
  assert.deepEqual(both.map(({ status }) => status), ["fulfilled", "rejected"]);
  assert.deepEqual([...listened.uris], [INDEX, STATUS]);
  const again = await add(INDEX);
  first();
  first();
  assert.ok(listened.uris.has(INDEX), "another one still listens to it");
  again();
  assert.deepEqual([...listened.uris], [STATUS]);
  await assert.rejects(add("refrakt://plan/work/WORK-999"), /No work/);
  await add();
  await add(WORK);
  await assert.rejects(add(), /There are 3 requests that listen/);
});

Deno.test("a flood of requests to listen is refused, and one that was cancelled counts no more", async () => {
  const name = (key: string) => `io.modelcontextprotocol/${key}`;
  const _meta = {
    [name("protocolVersion")]: "2026-07-28",
    [name("clientInfo")]: { name: "raw", version: "1" },
    [name("clientCapabilities")]: {},
  };
  const server = startRaw(makeProject(SMALL_PLAN));
  const listen = (id: string) => {
    const params = { ...naming(INDEX), _meta };
    server.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params });
  };
  const refused = () => server.messages.filter(({ error }) => error !== undefined).length;
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 100; count++) listen(`${round}-${count}`);
    const last = `${round}-99`;
    await server.next(({ id }) => id === last);
    assert.equal(refused(), 36 * (round + 1));
    for (let count = 0; count < 100; count++) {
      const params = { requestId: `${round}-${count}` };
      server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
  await server.end();
});
