import assert from "node:assert/strict";
import { InMemoryTransport } from "../support/npm/client_v2.ts";
import { createMcpServer } from "../../src/mcp/server.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { withClient } from "../support/in_process.ts";

interface Message {
  id?: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** A server on an in-memory transport that can receive any message. */
async function connected(): Promise<(method: string, params: unknown) => Promise<Message>> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(openWorkspace({ cwd: makeProject(SMALL_PLAN) })).connect(ours as never);
  const waiting = new Map<unknown, (message: Message) => void>();
  theirs.onmessage = (message) => waiting.get((message as Message).id)?.(message as Message);
  await theirs.start();
  let last = 0;
  return (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      void theirs.send({ jsonrpc: "2.0", id: last, method, params } as never);
    });
}

const CLIENT = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

Deno.test("initialize returns capabilities and instructions", async () => {
  const ask = await connected();
  const { result } = await ask("initialize", CLIENT);
  assert.equal((result!["serverInfo"] as { name: string }).name, "refrakt");
  assert.deepEqual(
    Object.keys(result!["capabilities"] as object).sort(),
    "completions extensions logging prompts resources tools".split(" "),
  );
  assert.match(String(result!["instructions"]), /plan/);
});

Deno.test("errors about missing resources have the code of the client's era, and the same data", async () => {
  const uri = "refrakt://no/such";
  const ask = await connected();
  await ask("initialize", CLIENT);
  const { error } = await ask("resources/read", { uri });
  assert.equal(error?.code, -32002);
  const { errorCode, hint } = error.data as { errorCode: string; hint: string };
  assert.equal(errorCode, "NOT_FOUND");
  await withClient({}, async (client) => {
    await assert.rejects(client.readResource({ uri }), {
      code: -32602,
      data: { uri, errorCode, hint },
    });
  }, { era: "modern", cwd: makeProject(SMALL_PLAN) });
});
