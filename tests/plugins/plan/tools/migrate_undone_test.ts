import assert from "node:assert/strict";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";
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
