import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

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
