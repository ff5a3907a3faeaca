import assert from "node:assert/strict";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Client, StreamableHTTPClientTransport } from "../support/npm/client_v2.ts";
import { declaredCapabilities, declaredLogLevel, declaredName } from "../../src/mcp/envelope.ts";

Deno.test("a client of the newer era says with each request what it is and what it can do", async () => {
  const declared: unknown[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "test", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", (_request, context) => {
      declared.push([
        declaredName(context),
        declaredCapabilities(context),
        declaredLogLevel(context),
      ]);
      return { tools: [] };
    });
    return server;
  });
  for (const mode of [{ pin: "2026-07-28" }, "legacy"] as const) {
    const client = new Client({ name: "a-client", version: "1.0.0" }, {
      capabilities: { sampling: {} },
      versionNegotiation: { mode },
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
        fetch: (url, init) => handler.fetch(new Request(url, init as RequestInit)),
      }),
    );
    await client.listTools();
    await client.close();
  }
  await handler.close();
  assert.deepEqual(declared, [["a-client", { sampling: {} }, undefined], [
    undefined,
    undefined,
    undefined,
  ]]);
});
