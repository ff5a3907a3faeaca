import assert from "node:assert/strict";
import { join } from "node:path";
import { follow } from "../../src/mcp/notify.ts";
import { watchOf } from "../../src/mcp/watch.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a changed schema or description is a change of the list too, and an equal list is none", async () => {
  const cwd = makeProject();
  let [description, field] = ["One", "a"];
  const workspace = openWorkspace({
    cwd,
    contributors: [() => ({
      tools: [defineTool({
        name: "team.tool",
        title: "Tool",
        description,
        input: { type: "object", properties: { [field]: {} } },
        run: () => ({}),
      })],
    })],
  });
  const told: string[] = [];
  const { noteListed, stop } = follow(workspace, {
    toolsChanged: () => told.push("tools"),
    resourcesChanged: () => told.push("resources"),
    promptsChanged: () => told.push("prompts"),
    resourceUpdated: (uri) => told.push(uri),
  });
  /** Changes what detection looks at, and waits for the look that sees it. */
  const change = async (version: string) => {
    Deno.writeTextFileSync(join(cwd, "package.json"), JSON.stringify({ version }));
    await watchOf(workspace).check();
  };
  try {
    await change("1");
    assert.deepEqual(told, [], "who has not listed hears nothing");
    noteListed(await workspace.toolset());
    await change("1.1");
    assert.deepEqual(told, []);
    description = "Two";
    await change("1.1.1");
    assert.deepEqual(told, ["tools"]);
    field = "b";
    await change("1.1.1.1");
    assert.deepEqual(told, ["tools", "tools"]);
  } finally {
    stop();
  }
});
