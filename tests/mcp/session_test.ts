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

/** A tool's log, as the client hears it until the answer is there. */
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

Deno.test("a client hears the log of its call from the level on that it has set, and nothing before", async () => {
  assert.deepEqual(await heard(undefined), []);
  assert.deepEqual(await heard("warning"), [
    { level: "warning", logger: "team.loud", data: { message: "At warning", more: 1 } },
    { level: "error", logger: "team.loud", data: { message: "At error", more: 1 } },
  ]);
  assert.equal((await heard("debug")).length, 4);
});

Deno.test("the lists have one page: a cursor is refused with a reason, in both eras", async () => {
  for (const era of ERAS) {
    await withClient({}, async (client) => {
      const lists = [
        client.listTools({ cursor: "next" }),
        client.listPrompts({ cursor: "next" }),
        client.listResources({ cursor: "next" }),
        client.listResourceTemplates({ cursor: "next" }),
      ];
      for (const list of lists) {
        await assert.rejects(list, { code: -32602, message: /"next" is no cursor of this list/ });
      }
    }, { era });
  }
});

Deno.test("tools are spelt for the client that asks, by its name in either era", async () => {
  for (const era of ERAS) {
    await withClient({ tools: [LOUD] }, async (client) => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes("team.loud"), era);
    }, { era });
    await withClient({ tools: [LOUD] }, async (client) => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes("team_loud"), era);
    }, { era, name: "unknown" });
  }
});
