import assert from "node:assert/strict";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { createHttpHandler } from "../../src/mcp/http.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { makeProject } from "../support/project.ts";

const HIDDEN = "\u202e\u200b\u0007\u{e0041}";
const SHOWN = String.raw`\u202e\u200b\u0007\udb40\udc41`;

Deno.test("titles and descriptions in lists are bounded and hide nothing", async () => {
  const title = `Ti${HIDDEN}tle ${"x".repeat(500)}`;
  const description = `De${HIDDEN}scription ${"x".repeat(5000)}`;
  const workspace = openWorkspace({
    cwd: makeProject(),
    budget: 100_000,
    contributors: [() => ({
      tools: [defineTool({ name: "a.b", title, description, input: {}, run: () => ({}) })],
      resources: [{
        uri: "test://a",
        name: "a",
        title,
        description,
        mimeType: "text/plain",
        read: () => ({ text: "" }),
      }],
      prompts: [{
        name: "a",
        title,
        description,
        arguments: [{ name: "x", description }],
        complete: () => [title],
        render: () => "",
      }],
    })],
  });
  const { fetch, close } = createHttpHandler(workspace, { toolNames: "dotted" });
  const ask = async (method: string, params = {}) => {
    const response = await fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
      }),
    );
    return JSON.parse(/^data: (\{.*)$/m.exec(await response.text())![1]!).result;
  };
  const tool = (await ask("tools/list")).tools.find(({ name }: { name: string }) => name === "a.b");
  const { resources } = await ask("resources/list");
  const resource = resources.find(({ uri }: { uri: string }) => uri === "test://a");
  const [prompt] = (await ask("prompts/list")).prompts;
  const { completion } = await ask("completion/complete", {
    ref: { type: "ref/prompt", name: "a" },
    argument: { name: "x", value: "" },
  });
  await close();
  assert.ok(
    completion.values[0].startsWith(`Ti${SHOWN}tle xxx`) && completion.values[0].length <= 200,
  );
  for (const entry of [tool, resource, prompt]) {
    assert.ok(
      entry.title.startsWith(`Ti${SHOWN}tle xxx`) && entry.title.length <= 120,
      entry.title,
    );
    assert.ok(entry.description.startsWith(`De${SHOWN}scription xxx`));
    assert.ok(entry.description.length <= 2000);
  }
  assert.ok(prompt.arguments[0].description.length <= 2000);
  // Longer than Claude Code shows without a declared limit.
  assert.deepEqual(tool._meta, { "anthropic/maxResultSizeChars": 100_000 });
});
