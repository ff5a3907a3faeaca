import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { withServer } from "../../../support/server.ts";

Deno.test("a migration without write permission is an error that names the permission", async () => {
  const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
  const cwd = makeProject({ ...rest, "plan/bugs/crash.md": bug! });
  commitAll(cwd, "one");
  const before = readTree(cwd);
  await withServer(cwd, async ({ call, ok }) => {
    const answer = await call("plan.migrate", { subcommand: "filenames", apply: true });
    assert.equal(answer.errorCode, "PERMISSION_DENIED");
    assert.match(answer.hint!, /--allow-write/);
    assert.match(answer.content[0].text, /bugs\/crash\.md/);
    assert.ok(!JSON.stringify(answer).includes(cwd), JSON.stringify(answer));
    const { planned } = await ok("plan.migrate", { subcommand: "filenames" });
    assert.equal(planned.length, 1);
  }, { grants: ["--no-prompt", "--allow-read=.", "--allow-run=git"] });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("a migration that fails for one file changes none, and can be repeated", async () => {
  const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
  const cwd = makeProject({
    ...rest,
    "plan/bugs/a.md": bug!,
    "plan/bugs/b.md": bug!.replace("BUG-001", "BUG-002"),
    "plan/bugs/BUG-002-b.md": "In its way.\n",
  });
  const before = readTree(cwd);
  await inProcess(cwd, async ({ call, ok }) => {
    const migrate = { subcommand: "filenames", apply: true };
    const answer = await call("plan.migrate", migrate);
    assert.equal(answer.errorCode, "FILE_OPERATION_FAILED");
    assert.match(answer.content[0].text, /1 of 2 files cannot be moved: bugs\/b.md[^]*Nothing was/);
    assert.deepEqual(readTree(cwd), before);
    Deno.removeSync(join(cwd, "plan/bugs/BUG-002-b.md"));
    const { "plan/bugs/BUG-002-b.md": _, ...free } = before;
    const { applied, undo } = await ok("plan.migrate", migrate);
    assert.equal(applied.length, 2);
    await ok("plan.undo", { token: undo });
    assert.deepEqual(readTree(cwd), free);
  });
});
