import { InMemoryTransport, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { greet } from "../../src/server/greeting.ts";
import { createMcpServer } from "../../src/server/server.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { serverArgs } from "../support/server.ts";

/** An `initialize` request. */
function initialize(protocolVersion: unknown, more: Record<string, unknown> = {}) {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
      ...more,
    },
  };
}

Deno.test("the first answer is the one that the SDK would give, for every revision", async () => {
  const workspace = openWorkspace({ cwd: makeProject(SMALL_PLAN) });
  for (const revision of [...SUPPORTED_PROTOCOL_VERSIONS, "2024-01-01", "2099-01-01"]) {
    const request = initialize(revision);
    const [client, server] = InMemoryTransport.createLinkedPair();
    const answered = new Promise((resolve) => client.onmessage = resolve);
    await createMcpServer(workspace).connect(server);
    await client.start();
    await client.send(request as Parameters<typeof client.send>[0]);
    assert.deepEqual(
      JSON.parse(JSON.stringify(greet(JSON.stringify(request), workspace))),
      JSON.parse(JSON.stringify(await answered)),
      revision,
    );
    await client.close();
  }
});

Deno.test("what is no plain initialize is left to the SDK", () => {
  const workspace = openWorkspace({ cwd: makeProject() });
  const others: unknown[] = [
    initialize(undefined),
    initialize(1),
    initialize("2025-06-18", { clientInfo: { name: "test" } }),
    initialize("2025-06-18", { capabilities: null }),
    initialize("2025-06-18", {
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    }),
    { ...initialize("2025-06-18"), id: null },
    { ...initialize("2025-06-18"), id: 1.5 },
    { ...initialize("2025-06-18"), jsonrpc: "1.0" },
    { jsonrpc: "2.0", id: 1, method: "server/discover", params: {} },
    { jsonrpc: "2.0", id: 1, method: "ping" },
    [initialize("2025-06-18")],
    null,
    "initialize",
  ];
  for (const message of others) {
    assert.equal(greet(JSON.stringify(message), workspace), undefined, JSON.stringify(message));
  }
  assert.equal(greet("{", workspace), undefined);
});

Deno.test("initialize is answered once, however the client's bytes arrive", async () => {
  const messages = [
    initialize("2025-06-18"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ].map((message) => `${JSON.stringify(message)}\n`);
  const whole = messages.join("");
  const ways: Record<string, { parts: string[]; pause: number }> = {
    "at once": { parts: [whole], pause: 0 },
    "in two halves of the first message": {
      parts: [messages[0]!.slice(0, 20), messages[0]!.slice(20) + messages.slice(1).join("")],
      pause: 60,
    },
    "late": { parts: ["", whole], pause: 400 },
  };
  for (const [way, { parts, pause }] of Object.entries(ways)) {
    const child = new Deno.Command(Deno.execPath(), {
      args: serverArgs(),
      cwd: makeProject(),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    for (const part of parts) {
      if (part !== "") await writer.write(new TextEncoder().encode(part));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    await writer.close();
    const { code, stdout } = await child.output();
    const answers = new TextDecoder().decode(stdout).trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    assert.deepEqual(answers.map((answer) => answer.id), [1, 2], way);
    assert.equal(code, 0);
  }
});
