import assert from "node:assert/strict";
import { join } from "node:path";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";

Deno.test("opening a workspace detects the project and loads no plugin", () => {
  const workspace = openWorkspace({ cwd: makeProject(SMALL_PLAN) });
  assert.equal(workspace.project().plan?.dir, "plan");
  assert.equal(workspace.info.name, "refrakt");
  assert.throws(() => openWorkspace({ cwd: "/nowhere" }), { code: "NOT_FOUND" });
});

Deno.test("the toolset is cached until the project changes", async () => {
  const cwd = makeProject();
  const workspace = openWorkspace({ cwd });
  const first = await workspace.toolset();
  assert.equal(await workspace.toolset(), first);
  assert.ok(!first.listedTools().some(({ name }) => name === "plan.next"));
  writeFiles(cwd, SMALL_PLAN);
  const second = await workspace.toolset();
  assert.ok(second.listedTools().some(({ name }) => name === "plan.next"));
  Deno.removeSync(join(cwd, "plan"), { recursive: true });
  const third = await workspace.toolset();
  assert.ok(!third.listedTools().some(({ name }) => name === "plan.next"));
});

Deno.test("contributors of an embedding program come after the server's own", async () => {
  const workspace = openWorkspace({
    cwd: makeProject(SMALL_PLAN),
    contributors: [({ cwd }) => ({ warnings: [{ code: "NAME_CLASH", message: `seen ${cwd}` }] })],
  });
  const { warnings } = await workspace.detection();
  assert.equal(warnings.at(-1)!.message, `seen ${workspace.project().cwd}`);
});
