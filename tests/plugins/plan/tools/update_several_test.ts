/** `plan_update { ids }`: the same change in several entities, all or nothing. */

import assert from "node:assert/strict";
import { makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_update changes several entities alike, or none", async (t) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const ids = ["WORK-001", "work-002", "BUG-001"];
    await t.step("a preview shows a line an entity and writes nothing", async () => {
      const before = readTree(cwd);
      const answer = await ok("plan_update", { ids, milestone: "v0.9.0", preview: true });
      assert.deepEqual(answer.lines, [
        "WORK-001: milestone v1.0.0 → v0.9.0",
        "WORK-002: milestone v1.0.0 → v0.9.0",
        "BUG-001: milestone v1.0.0 → v0.9.0",
      ]);
      assert.deepEqual([answer.changed, answer.preview], [3, true]);
      const same = await ok("plan_update", { ids, milestone: "v1.0.0", preview: true });
      assert.deepEqual([same.changed, same.lines[0]], [0, "WORK-001: unchanged"]);
      const one = await ok("plan_update", { id: "WORK-001", status: "done", preview: true });
      assert.deepEqual(one.changes, [{ field: "status", old: "ready", new: "done" }]);
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("one that fails leaves all as they were, and is named", async () => {
      const before = readTree(cwd);
      const cases = [
        [{ ids: [...ids, "WORK-099"], milestone: "v0.9.0" }, /WORK-099/],
        [{ ids: ["WORK-001", "WORK-004"], milestone: "v0.9.0", check: ["all"] }, /WORK-004/],
        [{ ids, milestone: "v0.9.0", if: { status: "ready" } }, /BUG-001/],
        [{ ids, title: "One" }, /"title" is for one/],
      ] as const;
      for (const [input, message] of cases) {
        const answer = await call("plan_update", input);
        assert.ok(answer.isError, JSON.stringify(input));
        assert.match(answer.content[0].text, message);
      }
      assert.deepEqual(readTree(cwd), before);
    });
  });
});
