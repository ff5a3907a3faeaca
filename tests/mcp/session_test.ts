import assert from "node:assert/strict";
import { defineTool } from "../../src/tools/tool.ts";
import { ERAS, withClient } from "../support/in_process.ts";

const LOUD = defineTool({
  name: "team.loud",
  title: "Loud",
  description: "Logs at every level.",
  input: {},
  run: (_input, { log }) => {
    for (const level of ["debug", "info", "warning", "error"] as const) {
      log(level, `At ${level}`, { more: 1 });
    }
    return {};
  },
});

/** The log messages that the client receives before the response. */
async function heard(level: string | undefined): Promise<unknown[]> {
  const messages: unknown[] = [];
  await withClient({ tools: [LOUD] }, async (client) => {
    if (level !== undefined) await client.setLoggingLevel(level as "info");
    await client.callTool({ name: "team.loud", arguments: {} });
  }, {
    prepare: (client) =>
      client.setNotificationHandler("notifications/message", ({ params }) => {
        messages.push(params);
      }),
  });
  return messages;
}

Deno.test("a client receives the log of its call from the level it has set, and none without a level", async () => {
  assert.deepEqual(await heard(undefined), []);
  assert.deepEqual(await heard("warning"), [
    { level: "warning", logger: "team.loud", data: { message: "At warning", more: 1 } },
    { level: "error", logger: "team.loud", data: { message: "At error", more: 1 } },
  ]);
  assert.equal((await heard("debug")).length, 4);
});

Deno.test("lists have one page: cursors are rejected with a reason, in both eras", async () => {
  for (const era of ERAS) {
    await withClient({}, async (client) => {
      const cursor = { cursor: "next" };
      const lists = [client.listTools(cursor), client.listResources(cursor)];
      for (const list of lists) {
        await assert.rejects(list, { code: -32602, message: /"next" is unknown/ });
      }
    }, { era });
  }
});
