import assert from "node:assert/strict";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { READ_ONLY } from "../support/run.ts";
import { README_PERMISSIONS, withServer } from "../support/server.ts";

const WRITE = { id: "WORK-001", status: "done" };

Deno.test("with --read-only what writes is not listed, and says why when it is called", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const before = readTree(cwd);
  await withServer(cwd, async ({ tools, call, ok }) => {
    const listed = await tools();
    assert.ok(listed.includes("plan.next") && listed.includes("refrakt.detect"));
    for (const name of ["plan.update", "plan.create", "plan.init", "plan.migrate", "ralph_start"]) {
      assert.ok(!listed.includes(name), name);
    }
    const answer = await call("plan.update", WRITE);
    assert.equal(answer.errorCode, "PERMISSION_DENIED");
    assert.match(answer.content[0].text, /plan\.update writes.*--read-only/s);
    assert.equal((await ok("refrakt.detect")).permissions.readOnly, "requested");
  }, { args: ["--read-only", "--plugin", "ralph"], grants: README_PERMISSIONS });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("where nothing may be written the server is read-only by itself, and the error names the flag", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await withServer(cwd, async ({ tools, call, ok }) => {
    const listed = await tools();
    assert.ok(listed.includes("plan.next") && !listed.includes("plan.update"));
    const answer = await call("plan.update", WRITE);
    assert.equal(answer.errorCode, "PERMISSION_DENIED");
    assert.match(answer.hint!, /--allow-write=plan/);
    assert.equal((await ok("refrakt.detect")).permissions.readOnly, "not granted");
  }, { grants: READ_ONLY });
});
