import assert from "node:assert/strict";
import { RefraktError } from "../../src/lib/plugin.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { withClient } from "../support/in_process.ts";

const resource = (uri: string, read: Resource["read"], more: Partial<Resource> = {}): Resource => ({
  uri,
  name: uri.replace(/\W+/g, "-"),
  title: `The resource ${uri}`,
  description: "For the test.",
  mimeType: "text/plain",
  read,
  ...more,
});

const RESOURCES: Resource[] = [
  resource("team://text", () => ({ text: "Text", _meta: { "example/a": 1 } })),
  resource("team://data/{name}", ({ name }) => ({ data: { name } }), {
    mimeType: "application/json",
  }),
  resource("team://broken", () => {
    throw new RefraktError("FILE_OPERATION_FAILED", "The disk is gone", { hint: "Find it." });
  }),
  resource("ui://team/view", () => ({ text: "<p>" }), { mimeType: "text/html" }),
];

Deno.test("resources are read with their type, views unlisted; errors have a message, code, hint and URI", () =>
  withClient({ resources: RESOURCES }, async (client) => {
    const { resources } = await client.listResources();
    assert.ok(!resources.some(({ uri }) => uri.startsWith("ui:")));
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    assert.deepEqual(
      await read("team://text"),
      { uri: "team://text", mimeType: "text/plain", text: "Text", _meta: { "example/a": 1 } },
    );
    const { text } = await read("team://data/a%20b") as { text: string };
    assert.deepEqual(JSON.parse(text), { name: "a b" });
    assert.equal((await read("ui://team/view") as { text: string }).text, "<p>");
    await assert.rejects(client.readResource({ uri: "team://broken" }), {
      code: -32603,
      message: /Failed to read resource: The disk is gone\. Find it\./,
      data: { uri: "team://broken", errorCode: "FILE_OPERATION_FAILED", hint: "Find it." },
    });
    await assert.rejects(client.subscribeResource({ uri: "team://none" }), {
      message: /Failed to subscribe to resource/,
    });
  }));
