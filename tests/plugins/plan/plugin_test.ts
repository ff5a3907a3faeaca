import assert from "node:assert/strict";
import { join } from "node:path";
import { openWorkspace } from "../../../src/host/open_workspace.ts";
import { inProcess } from "../../support/in_process.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

Deno.test("our tools replace the package's commands, and its others run in a shell", async () => {
  const inventory = await openWorkspace({ cwd: makeProject(SMALL_PLAN) }).inventory("all");
  assert.deepEqual(inventory.warnings, []);
  const ours = ["board", "claim", "get", "list", "merge", "rename", "review", "undo"];
  const inShell = inventory.shellOnly.map(({ name }) => name);
  assert.deepEqual(inShell, ["plan_build", "plan_serve"]);
  const tools = inventory.tools.map(({ name }) => name).filter((name) => name.startsWith("plan_"));
  const [{ commands }] = inventory.plugins as [typeof inventory.plugins[number]];
  const all = commands.map(({ name }) => `plan_${name.replace("-", "_")}`);
  assert.deepEqual(
    [...tools, ...inShell].sort(),
    [...all, ...ours.map((name) => `plan_${name}`)].sort(),
  );
  for (const tool of inventory.tools.filter(({ name }) => tools.includes(name))) {
    assert.equal(inventory.ownerOf(tool).package?.name, "@refrakt-md/plan", tool.name);
  }
});

Deno.test("a command of the package uses the store's entities and leaves no cache file", () => {
  const cwd = makeProject(SMALL_PLAN);
  return inProcess(cwd, async ({ ok }) => {
    assert.equal((await ok("plan_next_id", { type: "work" })).nextId, "WORK-003");
    assert.deepEqual(
      [...Deno.readDirSync(join(cwd, "plan"))].map(({ name }) => name).sort(),
      ["bugs", "decisions", "milestones", "specs", "work"],
    );
  });
});
