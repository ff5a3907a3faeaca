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
  resource("team://bytes", () => ({ blob: new Uint8Array([1, 2]) }), { mimeType: "image/png" }),
  resource("team://data/{name}", ({ name }) => ({ data: { name } }), {
    mimeType: "application/json",
  }),
  resource("team://broken", () => {
    throw new RefraktError("FILE_OPERATION_FAILED", "The disk is gone", { hint: "Find it." });
  }),
  resource("ui://team/view", () => ({ text: "<p>" }), { mimeType: "text/html" }),
];

const ours = (entries: { uri?: string; uriTemplate?: string }[]) =>
  entries.map(({ uri, uriTemplate }) => (uri ?? uriTemplate)!)
    .filter((uri) => /^(team|ui):/.test(uri)).sort();

Deno.test("resources are listed, read and rejected by the protocol", async (t) => {
  await withClient({ resources: RESOURCES }, async (client) => {
    await t.step("lists URIs and templates separately, and no views", async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(ours(resources), ["team://broken", "team://bytes", "team://text"]);
      const text = resources.find(({ uri }) => uri === "team://text")!;
      assert.equal(text.mimeType, "text/plain");
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(ours(resourceTemplates), ["team://data/{name}"]);
    });
    await t.step("reads text, bytes and data with their types", async () => {
      const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
      assert.deepEqual(
        await read("team://text"),
        { uri: "team://text", mimeType: "text/plain", text: "Text", _meta: { "example/a": 1 } },
      );
      assert.deepEqual(
        await read("team://bytes"),
        { uri: "team://bytes", mimeType: "image/png", blob: "AQI=" },
      );
      assert.deepEqual(JSON.parse((await read("team://data/a%20b") as { text: string }).text), {
        name: "a b",
      });
      // Unlisted views can be read.
      assert.equal((await read("ui://team/view") as { text: string }).text, "<p>");
    });
    await t.step("errors have a message, code, hint and URI", async () => {
      await assert.rejects(client.readResource({ uri: "team://broken" }), {
        code: -32603,
        message: /Failed to read resource: The disk is gone\. Find it\./,
        data: { uri: "team://broken", errorCode: "FILE_OPERATION_FAILED", hint: "Find it." },
      });
      await assert.rejects(client.subscribeResource({ uri: "team://none" }), {
        message: /Failed to subscribe to resource/,
      });
      await client.subscribeResource({ uri: "team://text" });
      await client.unsubscribeResource({ uri: "team://text" });
    });
  });
});
