import assert from "node:assert/strict";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { VERSION } from "../../src/version.ts";
import { callContext, plain } from "../support/calls.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const workspace = openWorkspace({ cwd: makeProject(SMALL_PLAN), plugins: ["ralph"] });

async function answer(name: string): Promise<Record<string, unknown>> {
  const tool = (await workspace.toolset()).findTool(name)!;
  return plain(await tool.run({}, callContext(workspace.project())));
}

Deno.test("refrakt.version says what runs", async () => {
  const { server, deno, plugins } = await answer("refrakt.version");
  assert.deepEqual([server, deno], [VERSION, Deno.version.deno]);
  assert.match((plugins as Record<string, string>)["@refrakt-md/plan"]!, /^\d+\.\d+\.\d+/);
});

Deno.test("refrakt.plugins_list tells of each command which tool it is", async () => {
  const { plugins } = await answer("refrakt.plugins_list") as {
    plugins: { namespace: string; commands: { name: string; tool: string | null }[] }[];
  };
  const plan = plugins.find(({ namespace }) => namespace === "plan")!;
  assert.equal(plan.commands.find(({ name }) => name === "next")!.tool, "plan.next");
  assert.equal(plan.commands.find(({ name }) => name === "serve")!.tool, null);
  assert.ok(plugins.some(({ namespace }) => namespace === "ralph"));
});

Deno.test("refrakt.detect and refrakt://detect are the same report", async () => {
  const toolset = await workspace.toolset();
  const resource = toolset.resources.find(({ uri }) => uri === "refrakt://detect")!;
  const body = await resource.read({}, callContext(workspace.project()));
  assert.ok("data" in body);
  assert.deepEqual(plain(body.data), await answer("refrakt.detect"));
});
