import assert from "node:assert/strict";
import { openWorkspace } from "../../src/workspace/mod.ts";
import type { Contribution } from "../../src/tools/registry.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { callContext } from "../support/calls.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const contribution: Contribution = {
  tools: [defineTool({
    name: "team.greet",
    title: "Greet",
    description: "Says hello.",
    input: { type: "object", properties: { name: { type: "string" } } },
    run: ({ name }) => ({ greeting: `Hello, ${name}` }),
  })],
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
        description: "Greets a team.",
        load: () => {
          loads++;
          return Promise.resolve(contribution);
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
  const [found] = await workspace.plugins();
  assert.equal(found!.contribution, contribution);
  assert.deepEqual(found!.commands.map(({ name, tool }) => [name, tool]), [[
    "greet",
    "team.greet",
  ]]);
});
