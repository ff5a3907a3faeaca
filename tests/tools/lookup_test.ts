import assert from "node:assert/strict";
import { findPrompt, findTool, toolsetFor } from "../../src/tools/lookup.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject } from "../support/project.ts";

Deno.test("what does not apply to the project is found on the whole toolset, so that the error can say why", async () => {
  const workspace = openWorkspace({ cwd: makeProject() });
  const listed = await workspace.toolset();
  assert.deepEqual((await findTool(workspace, "refrakt_detect")).toolset, listed);
  const next = await findTool(workspace, "plan-next");
  assert.equal(next.tool?.name, "plan.next");
  assert.notEqual(next.toolset, listed);
  for (const name of ["no.such", "constructor", "__proto__", ""]) {
    assert.equal((await findTool(workspace, name)).tool, undefined, name);
    assert.equal((await findPrompt(workspace, name)).prompt, undefined, name);
  }
});

Deno.test("a URI is looked for on the listed toolset first, and a malformed one nowhere else", async () => {
  const workspace = openWorkspace({ cwd: makeProject() });
  const listed = await workspace.toolset();
  assert.equal(await toolsetFor(workspace, "refrakt://%"), listed);
  assert.equal(
    await toolsetFor(workspace, "refrakt://result/x"),
    await toolsetFor(workspace, "refrakt://result/y"),
  );
  const whole = await toolsetFor(workspace, "refrakt://plan/index");
  assert.ok(whole.resources.some(({ uri }) => uri.startsWith("refrakt://plan/")));
});
