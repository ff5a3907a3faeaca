import assert from "node:assert/strict";
import { openWorkspace } from "../../src/workspace/mod.ts";
import type { CliPlugin } from "../../src/tools/plugin.ts";
import { callContext } from "../support/calls.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const plugin: CliPlugin = {
  namespace: "team",
  commands: [{
    name: "greet",
    description: "Says hello.",
    mcpHandler: ({ name }: { name?: string }) => ({ greeting: `Hello, ${name}` }),
  }],
};

Deno.test("a workspace of one plugin serves only that plugin, in any project", async () => {
  let loads = 0;
  const workspace = openWorkspace({
    cwd: makeProject(SMALL_PLAN),
    only: {
      name: "team",
      title: "Team",
      instructions: "Call team.greet.",
      plugin: {
        name: "team",
        version: "1.0.0",
        load: () => {
          loads++;
          return Promise.resolve(plugin);
        },
        applies: () => true,
      },
    },
  });
  const toolset = await workspace.toolset();
  const names = toolset.listedTools().map(({ name }) => name);
  assert.ok(names.includes("team.greet") && !names.some((name) => name.startsWith("plan.")));
  const result = await toolset.findTool("team_greet")!.run(
    { name: "Ada" },
    callContext(workspace.project()),
  );
  assert.deepEqual(result, { greeting: "Hello, Ada" });
  await workspace.warm();
  assert.equal(await workspace.toolset(), toolset);
  assert.equal(loads, 1, "the plugin is loaded once");
  assert.equal(workspace.instructions(), "Call team.greet.");
  const { plugins, tools } = await workspace.detection();
  assert.deepEqual([plugins.map(({ namespace }) => namespace), tools], [["team"], ["team.greet"]]);
  assert.equal((await workspace.plugins())[0]!.plugin, plugin);
});
