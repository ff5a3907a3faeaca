import assert from "node:assert/strict";
import { defineTool } from "../../src/tools/tool.ts";
import { withClient, withClients } from "../support/in_process.ts";
import { makeProject } from "../support/project.ts";

const HIDDEN = "\u202e\u200b\u0007\u{e0041}";
const SHOWN = String.raw`\u202e\u200b\u0007\udb40\udc41`;

Deno.test("titles and descriptions in lists are bounded and hide nothing", async () => {
  const title = `Ti${HIDDEN}tle ${"x".repeat(500)}`;
  const description = `De${HIDDEN}scription ${"x".repeat(5000)}`;
  const named = { name: "a", title, description };
  const contribution = {
    tools: [defineTool({ ...named, name: "a.b", input: {}, run: () => ({}) })],
    resources: [{ ...named, uri: "test://a", mimeType: "text/plain", read: () => ({ text: "" }) }],
    prompts: [{
      ...named,
      arguments: [{ name: "x", description }],
      complete: () => [title],
      render: () => "",
    }],
  };
  await withClient(contribution, async (client) => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === "a.b")!;
    const resource = (await client.listResources()).resources.find(({ uri }) =>
      uri === "test://a"
    )!;
    const [prompt] = (await client.listPrompts()).prompts;
    const { completion: { values: [first] } } = await client.complete({
      ref: { type: "ref/prompt", name: "a" },
      argument: { name: "x", value: "" },
    });
    assert.ok(first!.startsWith(`Ti${SHOWN}tle xxx`) && first!.length <= 200);
    for (const entry of [tool, resource, prompt!]) {
      assert.ok(entry.title!.startsWith(`Ti${SHOWN}tle xxx`) && entry.title!.length <= 120);
      assert.ok(entry.description!.startsWith(`De${SHOWN}scription xxx`));
      assert.ok(entry.description!.length <= 2000);
    }
    assert.ok(prompt!.arguments![0]!.description!.length <= 2000);
  });
});

Deno.test("a tool says how large its results are where Claude Code would show less", () =>
  withClients({ cwd: makeProject(), maxOutput: 100_000 }, (connect) =>
    connect(async (client) => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.find(({ name }) => name === "refrakt.detect")?._meta, {
        "anthropic/maxResultSizeChars": 100_000,
      });
    })));
