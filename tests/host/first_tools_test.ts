import assert from "node:assert/strict";
import { join } from "node:path";
import { ralphTools } from "../../plugins/ralph/entries.ts";
import { exists, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { README_PERMISSIONS, withServer } from "../support/server.ts";

Deno.test("ralph_start is listed if Ralph is not in use and its folder is writable", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const grants = README_PERMISSIONS.map((flag) =>
    flag === "--allow-write=plan" ? "--allow-write=plan,specs,.gitignore" : flag
  );
  await withServer(cwd, async ({ ok, tools }) => {
    assert.deepEqual((await tools()).filter((name) => name.startsWith("ralph")), ["ralph_start"]);
    await ok("ralph_start", { goal: "Sort the list" });
    assert.ok(exists(join(cwd, "specs")));
    const names = (await tools()).filter((name) => name.startsWith("ralph"));
    assert.deepEqual(names, ralphTools.map(({ name }) => name).sort());
  }, { grants });
});

Deno.test("in a directory inside a plan, the error says so, and no plan is created", async () => {
  const project = makeProject(SMALL_PLAN);
  const before = readTree(project);
  await inProcess(join(project, "plan/work"), async ({ call }) => {
    const next = await call("plan_next");
    assert.equal(next.errorCode, "PLAN_DIR_MISSING");
    const inside = `inside the plan ${JSON.stringify(join(project, "plan"))}`;
    assert.ok(next.content[0].text.includes(inside));
    assert.ok(next.hint!.includes(`--cwd=${project}`));
    const init = await call("plan_init");
    assert.equal(init.isError, true);
    assert.ok(init.content[0].text.includes(inside));
  });
  await inProcess(project, async ({ call }) => {
    assert.equal((await call("plan_init", { dir: "plan/inner" })).errorCode, "VALIDATION_ERROR");
  });
  assert.deepEqual(readTree(project), before);
});
